"""Turn the written message files into many labelled messages."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from safety.levels import RiskCategory, RiskLevel
from safety.training.choices import fillings

_FOLDER = Path(__file__).parent
_CHOICE = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """One labelled message; ``line`` names the line it was made from."""

    level: RiskLevel
    category: RiskCategory
    lang: str
    text: str
    line: str


@dataclass(frozen=True, slots=True)
class _Line:
    level: RiskLevel
    category: RiskCategory
    lang: str
    pattern: str
    name: str


def written_messages(per_line: int, seed: int) -> list[WrittenMessage]:
    """Expand every line of the files into up to ``per_line`` different messages; the same for one seed."""
    chance = random.Random(seed)  # noqa: S311  # repeatable, not secret
    return [message for line in _lines() for message in _expand(line, per_line, chance)]


def _lines() -> Iterator[_Line]:
    for lang in ("en", "zh"):
        rows = (_FOLDER / f"messages_{lang}.txt").read_text(encoding="utf-8").splitlines()
        for number, row in enumerate(rows, 1):
            if row.strip() and not row.startswith("#"):
                head, pattern = row.split("\t", 1)
                level, category = head.split()
                yield _Line(
                    RiskLevel[level.upper()], RiskCategory(category), lang, pattern, f"{lang}:{number}"
                )


def _expand(line: _Line, most: int, chance: random.Random) -> Iterator[WrittenMessage]:
    def polished(text: str) -> str:
        text = re.sub(r"\s+", " ", text).strip(" ,，")
        if chance.random() < 0.3:
            text += "." if line.lang == "en" else "。"
        return text

    for text in fillings(line.pattern, _CHOICE, most, chance, polished):
        yield WrittenMessage(line.level, line.category, line.lang, text, line.name)
