"""Reads SmileChat's dialogues: one JSON list of ``{"role", "content"}`` a line, gzipped."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

SMILECHAT = Path("chinese", "smilechat_400.jsonl.gz")
"""Where the dialogues lie in the data folder."""


def turns_of(path: Path, role: str) -> Iterator[list[str]]:
    """What ``user`` (the client) or ``assistant`` (the counsellor) said in each dialogue, in order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            turns = cast("list[dict[str, str]]", json.loads(line))
            yield [turn["content"] for turn in turns if turn["role"] == role]
