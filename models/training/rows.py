"""Reads JSON lines, gzipped or plain, and names the row that is wrong."""

import gzip
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

Made = TypeVar("Made")


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


def made_rows(file: Path, make: Callable[[int, dict[str, Any]], Made]) -> list[Made]:
    """What is made of each row of a plain JSON-lines file; empty lines are none.

    Args:
        file: Its path.
        make: From number and row.

    Raises:
        ValueError: The file can't be read, a row is no JSON object, or nothing can be made of it; the message
            names it.
    """
    try:
        lines = file.read_text("utf-8-sig").split("\n")  # splitlines() would part a text at U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None
    made: list[Made] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
            if not isinstance(row, dict):
                raise TypeError("not an object")
            made.append(make(number, cast(dict[str, Any], row)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file}, row {number}: {error}") from error
    return made


def folder_rows(folder: Path, make: Callable[[str, int, dict[str, Any]], Made]) -> list[Made]:
    """What is made of each row of all JSON-lines files of a folder, in the order of their names.

    Args:
        folder: Its path.
        make: From the file's name without its ending, number and row.

    Raises:
        ValueError: As for :func:`made_rows`.
    """
    return [
        one for file in sorted(folder.glob("*.jsonl")) for one in made_rows(file, partial(make, file.stem))
    ]


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
