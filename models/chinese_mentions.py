"""Where a Chinese text names something of somebody's life, and whose it says that it is."""

import re
from dataclasses import dataclass
from functools import cache

from models.invention_lists import Family, lists_of

_YOURS = re.compile(r"[你您](?:们)?(?:的|家|那|这)?(?:[位个只])?$")
_MINE = re.compile(r"(?:我|咱|俺)(?:们)?(?:的|家|那|这)?(?:[位个只])?$")
_HIS = re.compile(r"(?:他|她)(?:们)?(?:的|家|那|这)?(?:[位个只])?$")
_ONE = re.compile(r"(?:[一几某每哪][位个只条些种]|[些个种位像跟和或])$")
_LOOKED_AT = 8


@dataclass(frozen=True, slots=True)
class ChineseMention:
    """A word of a family.

    Attributes:
        family: The family.
        start: Its place in the text.
        end: Where it ends.
        whose: ``your``, ``my``, ``his`` (another's), ``a`` (one of a kind) or nothing.
    """

    family: Family
    start: int
    end: int
    whose: str


def chinese_mentions(text: str) -> list[ChineseMention]:
    """What the families' words name, the longest at a place."""
    lists = lists_of("zh")
    found: list[ChineseMention] = []
    place = 0
    while place < len(text):
        size = 1
        for phrase in lists.phrases.get(text[place], ()):
            word = "".join(phrase.parts)
            if text.startswith(word, place):
                size = len(word)
                whose = "your" if word[0] in "你您" else _whose(text[max(0, place - _LOOKED_AT) : place])
                found.append(ChineseMention(lists.families[phrase.family], place, place + size, whose))
                break
        place += size
    return found


def _whose(before: str) -> str:
    for pattern, whose in ((_YOURS, "your"), (_MINE, "my"), (_HIS, "his"), (_ONE, "a")):
        if pattern.search(before):
            return whose
    return "his" if before.endswith("的") and _of_somebody().search(before) else ""


@cache
def _of_somebody() -> re.Pattern[str]:
    families = (one for one in lists_of("zh").families.values() if one.kind == "people")
    words = sorted({word for one in families for word in (*one.words, *one.hints)}, key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, words))})的$")
