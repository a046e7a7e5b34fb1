"""Finds reasoning tags in an output, in whatever spelling a model gives them, while it arrives.

A tag is an opening bracket, perhaps a slash, one of :data:`NAMES` and perhaps a closing bracket.
Brackets may be plain, full-width (``＜answer＞``) or HTML entities (``&lt;answer&gt;``); letters may
be capitals, blanks may stand anywhere. The closing bracket may be missing: a name that goes on with
anything but a letter ends the tag there, since text behind ``<thinking`` is a thought all the same.
"""

from dataclasses import dataclass
from typing import Literal

SECTIONS = ("situation", "motivation", "strategy")
"""Parts of an empathic chain of thought, in their order."""
NAMES = ("thinking", "think", *SECTIONS, "answer")
"""All names, a longer one before the one that it begins with."""

_OPEN = ("<", "＜", "&lt;", "&lt", "&#60;", "&#x3c;", "&amp;lt;")
_CLOSE = (">", "＞", "&gt;", "&gt", "&#62;", "&#x3e;", "&amp;gt;")
_SLASH = ("/", "／", "&#47;")
_OPEN_PREFIXES = tuple(
    sorted({form[:end] for form in _OPEN for end in range(1, len(form))} - set(_OPEN), key=len, reverse=True)
)
_STARTS = "<＜&"
_LOOK = 16
"""More characters than the longest name or bracket has."""
_NO_NAME = "\0"


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: its name, whether it closes, and where it ends in the text."""

    name: str
    closing: bool
    end: int


@dataclass(frozen=True, slots=True)
class Broken:
    """A begun tag that the next tag's bracket breaks off at ``end``.

    It must go as well: without the inner tag, ``<th<think></think>ink>`` would read as one.
    """

    end: int


Found = Tag | Broken | Literal["partial"] | None
"""What stands at a place: ``partial`` needs more text to tell, ``None`` is plain text."""


def next_start(text: str, position: int) -> int:
    """Where the next tag might begin, or -1."""
    places = [place for place in (text.find(mark, position) for mark in _STARTS) if place >= 0]
    return min(places, default=-1)


def tag_at(text: str, start: int) -> Found:
    """What begins at ``start``; more text never changes an answer that is not ``partial``."""
    opened = _form(text, start, _OPEN)
    if opened == "partial":
        return "partial"
    if opened is None:
        return _broken_bracket(text, start)
    position = _blanks(text, opened)
    slash = _form(text, position, _SLASH)
    if slash == "partial":
        return "partial"
    if slash is not None:
        position = _blanks(text, slash)
    return _named(text, position, closing=slash is not None)


def opens_bracket(text: str) -> bool:
    """Whether a text begins with a whole opening bracket."""
    return any(_same(text[: len(form)], form) for form in _OPEN)


def pieces_of(output: str) -> list[str | Tag]:
    """A finished output as texts and tags in turn; half a tag at its end is left out."""
    pieces: list[str | Tag] = []
    position = 0
    while (start := next_start(output, position)) >= 0:
        pieces.append(output[position:start])
        found = tag_at(output, start)
        if found == "partial" and opens_bracket(output[start:]):
            whole = tag_at(output + _NO_NAME, start)
            return [*pieces, whole] if isinstance(whole, Tag) else pieces
        if isinstance(found, Tag):
            pieces.append(found)
        if not isinstance(found, Tag | Broken):
            pieces.append(output[start])
        position = found.end if isinstance(found, Tag | Broken) else start + 1
    return [*pieces, output[position:]]


def _named(text: str, position: int, *, closing: bool) -> Found:
    if position == len(text) or _form(text, position, _OPEN) == "partial":
        return "partial"
    if _is_open(text, position):
        return Broken(position)
    rest = text[position : position + _LOOK]
    if any(len(rest) < len(one) and _same(rest, one[: len(rest)]) for one in NAMES):
        return "partial"
    name = next((one for one in NAMES if _same(rest[: len(one)], one)), None)
    after = "" if name is None else rest[len(name) : len(name) + 1]
    if name is None or (after.isascii() and after.isalnum()):
        return _cut_name(text, position)
    return _closed(text, name, position + len(name), closing=closing)


def _closed(text: str, name: str, end: int, *, closing: bool) -> Found:
    position = _blanks(text, end)
    # A slash before the bracket, as of an empty element, changes nothing.
    slash = _form(text, position, _SLASH)
    if isinstance(slash, int):
        position = _blanks(text, slash)
    closed = _form(text, position, _CLOSE)
    if position == len(text) or "partial" in (slash, closed):
        return "partial"
    return Tag(name, closing, closed if isinstance(closed, int) else end)


def _cut_name(text: str, position: int) -> Found:
    """Half a name that another bracket breaks off, or plain text."""
    for name in NAMES:
        for length in range(len(name) - 1, 0, -1):
            if _same(text[position : position + length], name[:length]):
                end = position + length
                if _is_open(text, end):
                    return "partial" if _form(text, end, _OPEN) == "partial" else Broken(end)
    return None


def _broken_bracket(text: str, start: int) -> Found:
    """Half an entity before the bracket of a tag: together with what comes later it could be one."""
    for prefix in _OPEN_PREFIXES:
        if _same(text[start : start + len(prefix)], prefix) and _is_open(text, start + len(prefix)):
            end = start + len(prefix)
            return "partial" if _form(text, end, _OPEN) == "partial" else Broken(end)
    return None


def _is_open(text: str, position: int) -> bool:
    """Whether an opening bracket stands there, or may once more text is there."""
    return position < len(text) and _form(text, position, _OPEN) is not None


def _form(text: str, position: int, forms: tuple[str, ...]) -> int | Literal["partial"] | None:
    """End of the longest of ``forms`` that stands at a place."""
    rest = text[position : position + _LOOK]
    if rest and any(len(rest) < len(form) and _same(rest, form[: len(rest)]) for form in forms):
        return "partial"
    fitting = [form for form in forms if _same(rest[: len(form)], form)]
    return position + max(map(len, fitting)) if fitting else None


def _blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _same(text: str, form: str) -> bool:
    # Capitals of ASCII only: U+212A would fold to a "k".
    pairs = zip(text, form, strict=False)
    return len(text) == len(form) and all(
        one == other or (one.isascii() and one.lower() == other) for one, other in pairs
    )
