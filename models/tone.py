"""Signs that a reply's tone is not the person's: reports to chat, slang to a letter, cheer to grief."""

import re

from models.exchange import Exchange, Said
from models.read_text import ReadText

_EMOJI = re.compile("[\u2600-\u27bf\u2b50\U0001f000-\U0001faff]")
_LOUD = re.compile(r"[!！~～]")
_SHORTENED = re.compile(r"(?<=\w)['’](?:s|re|m|ll|ve|d|t)\b")
_DRAWN_OUT = re.compile(r"(\w)\1\1")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = (
    *("tion", "tions", "ment", "ments", "ity", "ities", "ance", "ence"),
    *("ive", "ial", "ical", "ably", "ally", "ated", "ised", "ized"),
)
"""Endings of the words of reports."""
_CLEAR = 0.5
"""Probability from which the emotions of a message say whether it is grave or glad: more likely than not."""


def tone_signs(exchange: Exchange) -> dict[str, float]:
    """What speaks for a reply in another tone than the person's, each about 0–1.

    Args:
        exchange: The reply and what it answers.
    """
    said, reply = exchange.said.lately, exchange.reply
    theirs, own = formality(said), formality(reply)
    grave, glad = feeling(exchange.said)
    marks = len(_EMOJI.findall(reply.text)) + 0.5 * len(_LOUD.findall(reply.text))
    cheer = reply.rate("cheer", marks)
    return {
        "stiffer": max(own - theirs, 0.0),
        "looser": max(theirs - own, 0.0),
        "formal": max(own, 0.0),
        "clinical": reply.rate("clinical"),
        "office": reply.rate("office"),
        "cheer": cheer,
        "cheer_unasked": cheer * (1.0 - glad),
        "cheer_to_grief": cheer * grave,
        "cheer_to_formal": cheer * max(theirs, 0.0),
        "solemn_to_joy": reply.rate("solemn") * glad,
        "no_cheer_to_joy": glad * (1.0 - cheer),
    }


def feeling(said: Said) -> tuple[float, float]:
    """How grave and how glad the person is, each 0–1: by their words or by what was read in the message.

    Words of grief outweigh what is read as gladness: a good memory of the dead is no joke.
    """
    lately = said.lately
    words = min(lately.count("grave"), 2) / 2.0
    if words:
        return max(words, said.mood.grave), 0.0
    glad = min(lately.count("light") + 0.5 * len(_LOUD.findall(lately.text)), 2.0) / 2.0
    if said.mood.grave >= _CLEAR:
        return said.mood.grave, 0.0
    return 0.0, max(glad, said.mood.glad if said.mood.glad >= _CLEAR else 0.0)


def formality(read: ReadText) -> float:
    """How formal a text is, −1 (chat) to 1 (a letter or a report)."""
    text = read.text
    casual = (
        read.count("slang")
        + len(_EMOJI.findall(text))
        + len(_DRAWN_OUT.findall(text))
        + 0.5 * len(_LOUD.findall(text))
    )
    formal = read.count("formal") + 0.7 * read.count("clinical") + read.count("office")
    if not read.chinese:
        words = _WORD.findall(text.lower())
        casual += 0.5 * len(_SHORTENED.findall(text)) + 0.7 * text[:1].islower()
        formal += sum(len(word) > 5 and word.endswith(_LATIN) for word in words)
        formal += max(sum(map(len, words)) / max(len(words), 1) - 4.5, 0.0)
    return max(min((formal - casual) / read.worth / 1.5, 1.0), -1.0)
