"""Signs that a reply could have been given to anybody: it takes up nothing of what this person told."""

import re

from models.exchange import Exchange, sentences_worth
from models.word_lists import hits

_WORD = re.compile(r"[a-z']{4,}|\d+")
_CHINESE = re.compile(r"[\u3400-\u9fff]{2,}")
_PARTICULAR = re.compile(r"\d|[\"“”'‘「《](?=\w)|(?<=[a-z,;] )[A-Z][a-z]+")


def generic_signs(exchange: Exchange) -> dict[str, float]:
    """What of a reply speaks for its being generic, each about 0–1.

    Args:
        exchange: The reply and what it answers.
    """
    reply, near = exchange.reply, exchange.nearness()
    worth = sentences_worth(reply)
    theirs, own = _pieces(exchange.said.message), _pieces(reply)
    shared = len(theirs & own)
    return {
        "stock": min(hits("stock", reply) / worth, 2.0) / 2.0,
        "missed": exchange.missed,
        "far": 1.0 - float(near.max()),
        "far_on_average": 1.0 - float(near.mean()),
        "typical": exchange.typicality(),
        "none_shared": 1.0 - min(shared, 3) / 3.0,
        "little_shared": 1.0 - shared / max(len(own), 1),
        "no_particular": float(not _PARTICULAR.search(reply)),
    }


def _pieces(text: str) -> set[str]:
    """Longer words cut to their first five letters, numbers; of Chinese, pairs of neighbouring characters."""
    lower = text.lower().replace("’", "'")
    pairs = {run[i : i + 2] for run in _CHINESE.findall(lower) for i in range(len(run) - 1)}
    return {word[:5] for word in _WORD.findall(lower)} | pairs
