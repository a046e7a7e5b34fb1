"""Turn the written reply files into many labelled sentences."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from safety.training.choices import fillings

OK = "ok"
"""The kind of a sentence that may be shown."""

_FOLDER = Path(__file__).parent
_CHOICE = re.compile(r"\{([^}]*)\}")
_HEADING = re.compile(r"\[([a-z_]+)\]")


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """One labelled sentence; ``line`` names the line it was expanded from."""

    kind: str
    lang: str
    line: str
    text: str


def written_replies(per_line: int, seed: int) -> list[WrittenReply]:
    """Expand every line of the files into up to ``per_line`` different sentences; the same for one seed."""
    chance = random.Random(seed)  # noqa: S311  # repeatable, not secret
    return [
        WrittenReply(kind, lang, f"{lang}{number}", text)
        for lang in ("en", "zh")
        for number, (kind, pattern) in enumerate(_lines(lang))
        for text in fillings(pattern, _CHOICE, per_line, chance, _polished)
    ]


def _lines(lang: str) -> Iterator[tuple[str, str]]:
    kind = OK
    for row in (_FOLDER / f"replies_{lang}.txt").read_text(encoding="utf-8").splitlines():
        heading = _HEADING.fullmatch(row.strip())
        if heading:
            kind = heading[1]
        elif row.strip() and not row.startswith("#"):
            yield kind, row


def _polished(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\s+([,.?!])", r"\1", text)).strip()
