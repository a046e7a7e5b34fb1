"""Reads messages with a whole reply written to each (``models/training/answered/*.jsonl``).

A row holds ``turns``, what one person said in order, and ``replies``, one to each.
"""

import json
from pathlib import Path
from typing import Any

from models.chat_model import ChatMessage
from models.training.example import Example

ANSWERED_FOLDER = Path(__file__).parent / "answered"
SOURCE = "answered"


def read_answered(folder: Path = ANSWERED_FOLDER) -> list[Example]:
    """One example for each reply of a folder's files; those of one row share a group.

    Raises:
        ValueError: With file and row number, for a row of another form.
    """
    found: list[Example] = []
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            try:
                found += _examples(json.loads(line), f"{SOURCE}:{file.stem}:{number}")
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ValueError(f"{file}, row {number}: {error}") from error
    return found


def _examples(row: dict[str, Any], group: str) -> list[Example]:
    turns: list[ChatMessage] = []
    found: list[Example] = []
    for said, reply in zip(row["turns"], row["replies"], strict=True):
        if not said.strip() or not reply.strip():
            raise ValueError("a turn is empty")
        turns.append(ChatMessage("user", said.strip()))
        found.append(Example(SOURCE, group, tuple(turns), reply.strip()))
        turns.append(ChatMessage("assistant", reply.strip()))
    if not found:
        raise ValueError("there is no turn")
    return found
