"""Whether a person says that they are under 18; ``own_age.yaml`` holds the phrases.

Hearken is made for adults. Whoever is younger is told once where young people find help, and talks on. That
is a notice and no judgement of danger: a child who is in danger is found by the rules of ``safety.rules``.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from safety.yaml_file import read_yaml

_FILE = Path(__file__).with_suffix(".yaml")
_BEFORE = 40
"""Characters in front of a phrase in which somebody else may have been named."""
_MOST = 4000
"""Characters that are read: longer texts are no messages."""
_SAME = str.maketrans({"歲": "岁", "’": "", "‘": "", "'": "", "`": ""})


@dataclass(frozen=True, slots=True)
class _Language:
    """Phrases of one language.

    Attributes:
        phrases: A person tells their own age.
        not_after: Right before a phrase: it is not meant so.
        not_before: A bit before a phrase that names nobody: it is somebody else's age.
    """

    phrases: tuple[re.Pattern[str], ...]
    not_after: re.Pattern[str]
    not_before: re.Pattern[str] | None

    def told(self, text: str) -> Iterator[re.Match[str]]:
        """Places where the person tells it."""
        for phrase in self.phrases:
            yield from (found for found in phrase.finditer(text) if not self._is_other(text, found))

    def _is_other(self, text: str, found: re.Match[str]) -> bool:
        before = text[max(0, found.start() - _BEFORE) : found.start()]
        if self.not_after.search(before):
            return True
        return self.not_before is not None and "我" not in found[0] and bool(self.not_before.search(before))


def says_minor(text: str) -> bool:
    """Whether a person says in ``text`` that they are younger than 18.

    Example:
        >>> says_minor("hi, i'm eleven and my day was bad"), says_minor("my son is 11")
        (True, False)
    """
    folded = unicodedata.normalize("NFKC", text[:_MOST].translate(_SAME)).casefold()
    return any(True for language in _languages() for _ in language.told(folded))


@cache
def _languages() -> tuple[_Language, ...]:
    data = cast("dict[str, dict[str, Any]]", read_yaml(_FILE))
    return tuple(_language(entry) for entry in data.values())


def _language(entry: dict[str, Any]) -> _Language:
    age, end = entry["age"], _joined(entry["end"])
    pieces = {"<age>": age, "<end>": end, "<ordinal>": entry.get("ordinal", "")}
    phrases = (_filled(phrase, pieces) for phrase in entry["phrases"])
    other = entry.get("not_before")
    return _Language(
        tuple(re.compile(phrase) for phrase in phrases),
        re.compile(f"{_joined(entry['not_after'])}$"),
        re.compile(other) if other else None,
    )


def _filled(phrase: str, pieces: Mapping[str, str]) -> str:
    for name, piece in pieces.items():
        phrase = phrase.replace(name, piece)
    return phrase


def _joined(pattern: str) -> str:
    """A pattern that the file folds over several lines, each ending between two alternatives."""
    return re.sub(r"\|\s+", "|", pattern.strip())
