"""A file of answers that grows as they come, so that a run that was stopped goes on where it was."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

Row = dict[str, Any]


def log_for(folder: Path, what: str, settings: Mapping[str, Any]) -> "AnswerLog":
    """The log of a run with exactly these settings: other settings never find its answers.

    Args:
        folder: Where logs are kept.
        what: Kind of run, the beginning of the file's name.
        settings: Everything on which an answer depends.
    """
    text = json.dumps(settings, ensure_ascii=False, sort_keys=True)
    mark = hashlib.sha256(text.encode()).hexdigest()[:16]
    return AnswerLog(folder / f"{what}-{mark}.jsonl")


class AnswerLog:
    """Answers by key, each on a line of JSON; of two with the same key the later one holds.

    Args:
        file: Where they stand. A last line that was cut off by a stop is removed.

    Raises:
        ValueError: A line before the last is broken.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._rows: dict[str, Row] = {}
        if file.is_file():
            self._read()

    @property
    def rows(self) -> Mapping[str, Row]:
        """Answers by key."""
        return self._rows

    def add(self, key: str, row: Row) -> None:
        """Store an answer; it is in the file when this returns."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"key": key, **row}, ensure_ascii=False) + "\n")
        self._rows[key] = row

    def _read(self) -> None:
        data = self.file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.decode("utf-8").split("\n")[:-1], start=1):
            try:
                row = cast("Row", json.loads(line))
                self._rows[row.pop("key")] = row
            except (ValueError, KeyError, AttributeError):
                raise ValueError(f"{self.file}, line {number}: no stored answer") from None
        if len(whole) < len(data):
            self.file.write_bytes(whole)
