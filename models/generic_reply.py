"""Signs that a reply could have been given to anybody: it takes up nothing of what this person told."""

import re

from models.exchange import Exchange

_WORD = re.compile(r"[a-z']{4,}|\d+")
_CHINESE = re.compile(r"[\u3400-\u9fff]{2,}")
_PARTICULAR = re.compile(r"\d|[\"“”'‘「《](?=\w)|(?<=[a-z,;] )[A-Z][a-z]+")


def generic_signs(exchange: Exchange) -> dict[str, float]:
    """What of a reply speaks for its being generic, each about 0–1.

    Args:
        exchange: The reply and what it answers.
    """
    theirs, own = _pieces(exchange.said.message.text), _pieces(exchange.reply.text)
    return {
        "stock": exchange.reply.rate("stock"),
        "missed": exchange.missed,
        "far": 1.0 - float(exchange.nearness().max()),
        "none_shared": 1.0 - min(len(theirs & own), 3) / 3.0,
        "no_particular": float(not _PARTICULAR.search(exchange.reply.text)),
    }


def _pieces(text: str) -> set[str]:
    """Longer words cut to their first five letters, numbers; of Chinese, pairs of neighbouring characters."""
    lower = text.lower().replace("’", "'")
    pairs = {run[i : i + 2] for run in _CHINESE.findall(lower) for i in range(len(run) - 1)}
    return {word[:5] for word in _WORD.findall(lower)} | pairs
