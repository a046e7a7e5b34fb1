"""Reads SmileChat's dialogues: one JSON list of ``{"role", "content"}`` a line, gzipped."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

SMILECHAT = Path("chinese", "smilechat_400.jsonl.gz")
"""Where the dialogues lie in the data folder."""


def dialogues_of(path: Path) -> Iterator[list[dict[str, str]]]:
    """The turns of each dialogue."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield cast("list[dict[str, str]]", json.loads(line))


def turns_of(path: Path, role: str) -> Iterator[list[str]]:
    """What ``user`` (the client) or ``assistant`` (the counsellor) said in each dialogue, in order."""
    for turns in dialogues_of(path):
        yield [turn["content"] for turn in turns if turn["role"] == role]
