"""Facts that a person stated: their kinds, and what is never one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

import yaml

MAX_FACT_CHARS = 200
"""Longest text of a fact; a statement that is longer is nothing that one could keep in mind."""

_MARKS = re.compile(r"[\W_]+")
_CONTACT = re.compile(r"\S@\S|https?://|www\.|\d[\d\s().-]{6,}\d|\d{7,}")


class FactKind(StrEnum):
    """What a fact is about, in the order in which they count when there is little room."""

    NAME = "name"
    REQUEST = "request"
    PERSON = "person"
    PET = "pet"
    LIFE = "life"
    EVENT = "event"
    DETAIL = "detail"


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact in the person's own words.

    Attributes:
        kind: What it is about.
        text: Words of the message, unchanged.
    """

    kind: FactKind
    text: str


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A fact for a prompt.

    Attributes:
        text: What the person said.
        hard: Said in a hard moment.
    """

    kind: FactKind
    text: str
    hard: bool = False


def same_words(text: str, known: str) -> bool:
    """Whether ``known`` says all that ``text`` says, word for word; marks and case do not count."""
    return bare_words(text) in bare_words(known)


def may_be_kept(text: str) -> bool:
    """Whether a text may be remembered at all.

    Never remembered are means and methods of harm (``never`` in ``models/facts.yaml``), addresses, long
    numbers such as those of phones and accounts, and what is too long or says nothing.

    Args:
        text: What the person wrote.
    """
    if not bare_words(text) or len(text) > MAX_FACT_CHARS or _CONTACT.search(text):
        return False
    return not any(pattern.search(text) for pattern in _never())


def bare_words(text: str) -> str:
    """A text without marks, spaces and case, to look for words in it."""
    return _MARKS.sub("", text.casefold())


def fact_words() -> Mapping[str, Any]:
    """The word lists of ``models/facts.yaml``."""
    return _words()


def one_of_words(words: Sequence[str], *, chinese: bool) -> str:
    """A pattern for any of these words, the longest first; each may itself be a pattern."""
    joined = "|".join(sorted(words, key=len, reverse=True))
    return f"(?:{joined})" if chinese else rf"\b(?:{joined})\b"


@cache
def _never() -> tuple[re.Pattern[str], ...]:
    never = _words()["never"]
    return (
        re.compile(one_of_words(never["en"], chinese=False), re.IGNORECASE),
        re.compile(one_of_words(never["zh"], chinese=True)),
    )


@cache
def _words() -> Mapping[str, Any]:
    return yaml.safe_load(resources.files("models").joinpath("facts.yaml").read_text("utf-8"))
