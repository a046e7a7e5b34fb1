"""Reads posts from files of any size, row by row."""

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

FIELDS = ("text", "content", "post", "body")
"""Where the text of a row is looked for, unless its name is given."""


@dataclass(frozen=True, slots=True)
class Post:
    """A post and where it stands."""

    file: str
    row: int
    text: str


def read_posts(file: Path, field: str | None = None) -> Iterator[Post]:
    """Posts of a file: JSON lines, CSV with a header, or text with a post a line.

    Args:
        file: Ending in ``.jsonl``, ``.csv`` or ``.txt``.
        field: Name of the text's field or column.

    Raises:
        ValueError: The file is missing, of another kind or broken; the text names file and row.
    """
    kinds = {".jsonl": _json_posts, ".csv": _csv_posts, ".txt": _lines}
    if file.suffix not in kinds:
        raise ValueError(f"{file.name}: its name must end in {', '.join(kinds)}")
    row = 0
    try:
        for row, text in kinds[file.suffix](file, field):
            yield Post(file.name, row, text)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{file.name}, after row {row}: {type(error).__name__}") from None


def _lines(file: Path, _: str | None) -> Iterator[tuple[int, str]]:
    with file.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, line


def _json_posts(file: Path, field: str | None) -> Iterator[tuple[int, str]]:
    for number, line in _lines(file, None):
        try:
            row: Any = json.loads(line)
        except ValueError:
            raise ValueError(f"{file.name}, row {number}: not JSON") from None
        if not isinstance(row, dict):
            raise ValueError(f"{file.name}, row {number}: not an object")
        yield number, _text(file, number, cast("dict[str, Any]", row), field)


def _csv_posts(file: Path, field: str | None) -> Iterator[tuple[int, str]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    with file.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        for number, row in enumerate(reader, start=2):
            yield number, _text(file, number, dict(row), field)


def _text(file: Path, number: int, row: dict[str, Any], field: str | None) -> str:
    names = (field,) if field else FIELDS
    found = next((row[name] for name in names if name in row), None)
    if not isinstance(found, str):
        raise ValueError(f"{file.name}, row {number}: no text under {' or '.join(map(str, names))}")
    return found
