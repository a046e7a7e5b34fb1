"""The spelling tables of ``rules/normalization.yaml`` and ``rules/traditional.txt``, read once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Any, cast

from safety.literals import Clause, required_literals
from safety.yaml_file import read_yaml

RULES_FOLDER = Path(__file__).parent / "rules"


@dataclass(frozen=True, slots=True)
class Homophone:
    """A written form that only sounds or looks like what is meant."""

    pattern: Pattern[str]
    meant: str
    clauses: tuple[Clause, ...]

    def possible(self, text: str) -> bool:
        """Whether the pattern can match ``text`` at all; quick."""
        return all(any(piece in text for piece in clause) for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class SpellingTables:
    """What is replaced by what; see the comments in ``rules/normalization.yaml``."""

    slang: Mapping[str, str]
    typo_words: frozenset[str]
    lookalikes: Mapping[str, str]
    leet: Mapping[str, tuple[str, ...]]
    emoji: Mapping[str, tuple[str, str]]
    emoji_die: frozenset[str]
    emoji_die_after: tuple[str, ...]
    homophones: tuple[Homophone, ...]
    traditional: Mapping[str, str]


def load_spelling_tables(folder: Path = RULES_FOLDER) -> SpellingTables:
    """Read the tables; raises ``KeyError`` or ``re.error`` when a file is broken."""
    raw = cast("dict[str, Any]", read_yaml(folder / "normalization.yaml"))
    return SpellingTables(
        slang={str(k): str(v) for k, v in raw["slang"].items()},
        typo_words=frozenset(raw["typo_words"]),
        lookalikes=dict(raw["lookalikes"]),
        leet={k: tuple(v) for k, v in raw["leet"].items()},
        emoji={k: (v[0], v[1]) for k, v in raw["emoji"].items()},
        emoji_die=frozenset(raw["emoji_die"]),
        emoji_die_after=tuple(raw["emoji_die_after"]),
        homophones=tuple(
            Homophone(re.compile(pattern), meant, required_literals(pattern))
            for pattern, meant in raw["homophones"]
        ),
        traditional=_read_pairs(folder / "traditional.txt"),
    )


def _read_pairs(path: Path) -> dict[str, str]:
    """Read lines ``simplified traditional…``; lines that start with # are comments."""
    pairs: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            simplified, *forms = line.split()
            pairs |= dict.fromkeys("".join(forms), simplified)
    return pairs
