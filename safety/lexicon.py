"""The words that rules look for, and how misspelled words find back to them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path

MIN_TYPO_LENGTH = 6
"""Shorter words have too many real neighbours to be corrected by edits."""
MIN_SWAP_LENGTH = 5
"""Two swapped neighbours are a safer sign of a slip than any other edit."""
_MAX_DECODINGS = 64


class Lexicon:
    """Knows the vocabulary of the rules and real words that merely look like it.

    Args:
        words: Words that the rules contain; letters spaced out or written as digits are read as these.
        typo_words: Those of them that are also found again through a typing slip.
        real_words: Words one edit away from the vocabulary that are words themselves (``willing`` is no
            typing error for ``killing``); never corrected.
    """

    def __init__(self, words: Iterable[str], typo_words: Iterable[str], real_words: Iterable[str]) -> None:
        self._slips = frozenset(typo_words)
        self._words = frozenset(words) | self._slips
        self._kept = frozenset(real_words) | self._words
        self._by_length: dict[int, list[str]] = {}
        self._deletes: dict[str, list[str]] = {}
        for word in sorted(self._words):
            self._by_length.setdefault(len(word), []).append(word)
        for word in sorted(self._slips):
            for cut in _deletes(word):
                self._deletes.setdefault(cut, []).append(word)
        self._longest = max(self._by_length, default=0)
        self._cached_typo = lru_cache(maxsize=20_000)(self._typo)

    def knows(self, word: str) -> bool:
        """Whether the rules contain ``word``."""
        return word in self._words

    def with_words(self, words: Iterable[str]) -> "Lexicon":
        """A lexicon that knows these words too, for splitting only."""
        return Lexicon(self._words | frozenset(words), (), ())

    def correct(self, token: str, leet: Mapping[str, tuple[str, ...]]) -> str | None:
        """Return the rules' word that ``token`` stands for, or ``None`` to keep it."""
        if token in self._kept:
            return None
        if token.isalpha():
            return self._unstretch(token) or self._cached_typo(token)
        if "*" in token or "#" in token:
            return self._censored(token)
        return self.decode_leet(token, leet)

    def decode_leet(self, token: str, leet: Mapping[str, tuple[str, ...]]) -> str | None:
        """Read digits and signs as letters where that gives a known word, or a row of known words."""
        if token.isalpha() or len(token) > self._longest * 3 or not any(c.isalpha() for c in token):
            return None
        options = [(*leet.get(c, ()), c) if c in leet else (c,) for c in token]
        size = 1
        for choices in options:
            size *= len(choices)
        if size > _MAX_DECODINGS:
            options = [choices[:1] for choices in options]
        for choice in product(*options):
            word = "".join(choice)
            if word.isalpha() and (word in self._words or (len(word) > 5 and self.split_glued(word))):
                return word
        return None

    def split_glued(self, letters: str) -> str | None:
        """Split ``iwanttodie`` into words when all of it is known; prefers few words."""
        if len(letters) > 200:
            return None
        best: list[tuple[int, str] | None] = [(0, "")] + [None] * len(letters)
        for end in range(1, len(letters) + 1):
            for start in range(max(0, end - self._longest), end):
                before = best[start]
                word = letters[start:end]
                if before is None or (word not in self._words):
                    continue
                cost = before[0] + 1 + (2 if len(word) == 1 and word not in "iu" else 0)
                current = best[end]
                if current is None or cost < current[0]:
                    best[end] = (cost, f"{before[1]} {word}".strip())
        last = best[-1]
        return last[1] if last and last[0] <= max(2, len(letters) // 2) else None

    def _unstretch(self, token: str) -> str | None:
        """``dieeee`` → ``die``, ``killll`` → ``kill``; three or more equal letters in a row only."""
        runs: list[str] = []
        stretched = False
        index = 0
        while index < len(token):
            end = index
            while end < len(token) and token[end] == token[index]:
                end += 1
            length = end - index
            stretched |= length > 2
            runs.append(token[index] * (3 if length > 2 else length))
            index = end
        if not stretched:
            return None
        singles = "".join(run[0] if len(run) == 3 else run for run in runs)
        doubles = "".join(run[:2] for run in runs)
        for word in (doubles, singles):
            if word in self._words:
                return word
        return self._cached_typo(singles) or singles

    def _censored(self, token: str) -> str | None:
        """``k*ll`` or ``su#cide``: each sign stands for one letter; at least half must be readable."""
        signs = sum(token.count(s) for s in "*#")
        if signs * 2 > len(token) or not token.replace("*", "").replace("#", "").isalpha():
            return None
        for word in self._by_length.get(len(token), ()):
            if all(a == b or a in "*#" for a, b in zip(token, word, strict=True)):
                return word
        return None

    def _typo(self, token: str) -> str | None:
        if not MIN_SWAP_LENGTH - 1 <= len(token) <= self._longest + 1:
            return None
        candidates = set(self._deletes.get(token, ()))
        for cut in _deletes(token):
            candidates.update(self._deletes.get(cut, ()))
            if cut in self._slips:
                candidates.add(cut)
        near = [word for word in sorted(candidates) if _is_slip(token, word)]
        return near[0] if near else None


def _deletes(word: str) -> set[str]:
    return {word[:i] + word[i + 1 :] for i in range(len(word))}


def _is_slip(token: str, word: str) -> bool:
    """One swap of neighbours, or for long words one letter wrong, missing or too many."""
    if len(token) == len(word):
        wrong = [i for i, (a, b) in enumerate(zip(token, word, strict=True)) if a != b]
        if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
            first, second = wrong
            return (
                len(word) >= MIN_SWAP_LENGTH and token[first] == word[second] and token[second] == word[first]
            )
        return len(wrong) == 1 and len(word) >= MIN_TYPO_LENGTH and wrong[0] > 0
    shorter, longer = sorted((token, word), key=len)
    return len(word) >= MIN_TYPO_LENGTH and len(longer) - len(shorter) == 1 and shorter in _deletes(longer)


def load_real_words(path: Path) -> frozenset[str]:
    """Read one word a line; lines that start with # are comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))
