"""Where an English text names something of somebody's life, and whose it says that it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.invention_lists import Family, lists_of

REACH = 3
"""Words before a noun within which its "your", "her", "the" stands."""
OTHERS = frozenset({"his", "her", "'s"})
"""What says that something is another's; "their" is as often anybody's."""

_TOKEN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’][A-Za-z]+)?|\d+(?:[.,:]\d+)*")
_DETERMINERS = frozenset(
    {"your", "my", "our", "his", "her", "their", "the", "this", "that", "these", "those", "a", "an"}
    | {"some", "any", "another", "one", "no"}
)
_BREAKING = (
    "and or but of to with from in on at by for about into as than then when while after before since"
    " until because that which who i you he she it we they me him us them is are was were be been am do"
    " does did has have had will would can could may might must not if so like it's that's he's she's"
    " what's there's who's let's here's how what where why"
)
_BREAKS = frozenset(_BREAKING.split())
_CONTRACTED = frozenset({"it's", "that's", "he's", "she's", "what's", "there's", "who's", "let's", "here's"})
_MARK = re.compile(r"[.,;:!?()—–…]|\n")


@dataclass(frozen=True, slots=True)
class Token:
    """A word.

    Attributes:
        text: As it stands there.
        raw: In lower case, with a straight apostrophe.
        base: Without a possessive ending or a plural's s.
        start: Its place in the text.
        end: Where it ends.
        breaks: Whether a mark stands between it and the word before.
    """

    text: str
    raw: str
    base: str
    start: int
    end: int
    breaks: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A word or phrase of a family.

    Attributes:
        family: The family.
        first: Its first token.
        after: The token behind it.
        whose: ``your``, ``his``, ``the``, ``a`` … before it; ``'s`` behind another's name; or nothing.
    """

    family: Family
    first: int
    after: int
    whose: str


def english_tokens(text: str) -> list[Token]:
    """The words and numbers of a text; hyphens part them."""
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        raw = match.group().lower().replace("’", "'")
        breaks = _MARK.search(text, end, match.start()) is not None
        found.append(Token(match.group(), raw, _base(raw), match.start(), match.end(), breaks))
        end = match.end()
    return found


def english_mentions(tokens: Sequence[Token]) -> list[Mention]:
    """What the families' words name, the longest phrase at a place."""
    lists = lists_of("en")
    found: list[Mention] = []
    place = 0
    while place < len(tokens):
        size = 1
        for first in {tokens[place].raw, tokens[place].base}:
            for phrase in lists.phrases.get(first, ()):
                if _is_at(phrase.parts, tokens, place):
                    size = len(phrase.parts)
                    family = lists.families[phrase.family]
                    found.append(Mention(family, place, place + size, _whose(tokens, place, phrase.parts)))
                    break
            else:
                continue
            break
        place += size
    return found


def _base(raw: str) -> str:
    raw = raw.removesuffix("'s")
    return raw[:-1] if len(raw) > 3 and raw.endswith("s") and not raw.endswith("ss") else raw


def _is_at(parts: Sequence[str], tokens: Sequence[Token], place: int) -> bool:
    if place + len(parts) > len(tokens):
        return False
    return all(
        part in (tokens[place + i].raw, tokens[place + i].base) and not (i and tokens[place + i].breaks)
        for i, part in enumerate(parts)
    )


def _whose(tokens: Sequence[Token], place: int, parts: Sequence[str]) -> str:
    if parts[0] in _DETERMINERS:
        return parts[0]
    for back in range(place, max(place - REACH, 0), -1):
        if tokens[back].breaks:
            return ""
        before = tokens[back - 1].raw
        if before in _DETERMINERS:
            return before
        if before.endswith("'s") and before not in _CONTRACTED:
            return "'s"
        if before in _BREAKS or names_something(tokens[back - 1]):
            return ""
    return ""


def names_something(token: Token) -> bool:
    """Whether a word alone is one of a family: in "your friends bring partners" the partners aren't yours."""
    return any(len(one.parts) == 1 for one in lists_of("en").phrases.get(token.base, ()))
