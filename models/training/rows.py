"""Reads gzipped JSON lines and names the row that is wrong."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast


def read_rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a gzipped JSON-lines file with their numbers.

    Raises:
        ValueError: The file is missing or a row is no JSON object.
    """
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                yield number, _row(file.name, number, line)
    except OSError as error:
        msg = f"{file}: {type(error).__name__}"
        raise ValueError(msg) from None


def _row(name: str, number: int, line: str) -> dict[str, Any]:
    try:
        row: Any = json.loads(line)
    except json.JSONDecodeError as error:
        msg = f"{name}, row {number}: not JSON ({error.msg})"
        raise ValueError(msg) from None
    if not isinstance(row, dict):
        msg = f"{name}, row {number}: not an object"
        raise ValueError(msg)
    return cast(dict[str, Any], row)
