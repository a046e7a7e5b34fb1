"""Signs that a reply's tone is not the person's: reports to chat, slang to a letter, cheer to grief."""

import re

from models.exchange import Exchange, letters, sentences_worth
from models.sentences import is_chinese
from models.word_lists import hits

_EMOJI = re.compile("[\u2600-\u27bf\u2b50\U0001f000-\U0001faff]")
_LOUD = re.compile(r"[!！~～]")
_SHORTENED = re.compile(r"(?<=\w)'(?:s|re|m|ll|ve|d|t)\b")
_LATIN = re.compile(
    r"\b\w{3,}(?:tion|tions|ment|ments|ity|ities|ance|ence|ive|ial|ical|ably|ally|ated|ised|ized)\b"
)
_DRAWN_OUT = re.compile(r"(\w)\1\1")
_LETTER_WORD = re.compile(r"[^\W\d_]+")


def tone_signs(exchange: Exchange) -> dict[str, float]:
    """What speaks for a reply in another tone than the person's, each about 0–1.

    Args:
        exchange: The reply and what it answers.
    """
    said, reply = exchange.said.all, exchange.reply
    worth = sentences_worth(reply)
    theirs, own = formality(said), formality(reply)
    grave = min(hits("grave", said), 2) / 2.0
    glad = 0.0 if grave else min(hits("light", said) + 0.5 * len(_LOUD.findall(said)), 2.0) / 2.0
    cheer = (
        min(
            (hits("cheer", reply) + len(_EMOJI.findall(reply)) + 0.5 * len(_LOUD.findall(reply))) / worth, 2.0
        )
        / 2.0
    )
    solemn = min(hits("solemn", reply) / worth, 2.0) / 2.0
    clinical = min(hits("clinical", reply) / worth, 2.0) / 2.0
    office = min(hits("office", reply) / worth, 2.0) / 2.0
    return {
        "stiffer": max(own - theirs, 0.0),
        "looser": max(theirs - own, 0.0),
        "formal": max(own, 0.0),
        "clinical": clinical,
        "office": office,
        "cheer": cheer,
        "cheer_unasked": cheer * (1.0 - glad),
        "cheer_to_grief": cheer * grave,
        "cheer_to_formal": cheer * max(theirs, 0.0),
        "solemn_to_joy": solemn * glad,
        "no_cheer_to_joy": glad * (1.0 - cheer),
    }


def formality(text: str) -> float:
    """How formal a text is, −1 (chat) to 1 (a letter or a report)."""
    if not text.strip():
        return 0.0
    worth = sentences_worth(text)
    casual = (
        hits("slang", text)
        + len(_EMOJI.findall(text))
        + len(_DRAWN_OUT.findall(text))
        + 0.5 * len(_LOUD.findall(text))
    )
    formal = hits("formal", text) + 0.7 * hits("clinical", text) + hits("office", text)
    if not is_chinese(text):
        words = _LETTER_WORD.findall(text)
        casual += len(_SHORTENED.findall(text.replace("’", "'"))) * 0.5 + 0.7 * text[:1].islower()
        formal += len(_LATIN.findall(text.lower())) + max(
            letters("".join(words)) / max(len(words), 1) - 4.5, 0.0
        )
    return max(min((formal - casual) / worth / 1.5, 1.0), -1.0)
