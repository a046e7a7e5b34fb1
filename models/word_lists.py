"""Counts the words and phrases of all lists in a text, English and Chinese, in one pass."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

_TOKEN = re.compile(r"\w+(?:['-]\w+)*")
_STEM = 3
"""Letters of a word with any ending by which it is looked up; none is shorter."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    name: str
    parts: tuple[str, ...]
    any_ending: bool

    def is_at(self, tokens: Sequence[str], start: int) -> bool:
        end = start + len(self.parts)
        if end > len(tokens) or tuple(tokens[start : end - 1]) != self.parts[:-1]:
            return False
        last = tokens[end - 1]
        return last.startswith(self.parts[-1]) if self.any_ending else last == self.parts[-1]


def list_counts(text: str, *, chinese: bool) -> Mapping[str, int]:
    """How often the words and phrases of each list of ``models/word_lists.yaml`` occur in a text.

    The longest phrase at a place counts, and nothing within it for the same list.

    Args:
        text: A text.
        chinese: Which half of the lists is looked for.
    """
    lower = text.lower().replace("’", "'")
    tokens: Sequence[str] = lower if chinese else _TOKEN.findall(lower)
    phrases = _chinese() if chinese else _english()
    counts: Counter[str] = Counter()
    free_from: defaultdict[str, int] = defaultdict(int)
    for start, token in enumerate(tokens):
        for phrase in (*phrases.get(token, ()), *phrases.get(f"{token[:_STEM]}*", ())):
            if free_from[phrase.name] <= start and phrase.is_at(tokens, start):
                counts[phrase.name] += 1
                free_from[phrase.name] = start + len(phrase.parts)
    return counts


@cache
def _english() -> Mapping[str, Sequence[_Phrase]]:
    found: defaultdict[str, list[_Phrase]] = defaultdict(list)
    for name, lists in _lists().items():
        for text in lists["en"]:
            parts = tuple(_TOKEN.findall(text.lower()))
            phrase = _Phrase(name, parts, text.endswith("*"))
            found[f"{parts[0][:_STEM]}*" if phrase.any_ending and len(parts) == 1 else parts[0]].append(
                phrase
            )
    return _longest_first(found)


@cache
def _chinese() -> Mapping[str, Sequence[_Phrase]]:
    """Characters take the place of words."""
    found: defaultdict[str, list[_Phrase]] = defaultdict(list)
    for name, lists in _lists().items():
        for text in lists["zh"]:
            found[text[0].lower()].append(_Phrase(name, tuple(text.lower()), any_ending=False))
    return _longest_first(found)


def _longest_first(found: Mapping[str, list[_Phrase]]) -> Mapping[str, Sequence[_Phrase]]:
    return {key: sorted(phrases, key=lambda one: -len(one.parts)) for key, phrases in found.items()}


@cache
def _lists() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return yaml.safe_load(resources.files("models").joinpath("word_lists.yaml").read_text("utf-8"))
