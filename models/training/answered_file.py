"""Reads messages with a whole reply written to each (``models/training/answered/*.jsonl``).

A row holds ``turns``, what one person said in order, and ``replies``, one to each.
"""

from pathlib import Path
from typing import Any

from models.chat_model import ChatMessage
from models.training.example import Example
from models.training.rows import folder_rows

ANSWERED_FOLDER = Path(__file__).parent / "answered"
SOURCE = "answered"


def read_answered(folder: Path = ANSWERED_FOLDER) -> list[Example]:
    """One example for each reply of a folder's files; those of one row share a group.

    Raises:
        ValueError: With file and row number, for a row of another form.
    """
    return [example for examples in folder_rows(folder, _examples) for example in examples]


def _examples(stem: str, number: int, row: dict[str, Any]) -> list[Example]:
    turns: list[ChatMessage] = []
    found: list[Example] = []
    for said, reply in zip(row["turns"], row["replies"], strict=True):
        if not said.strip() or not reply.strip():
            raise ValueError("a turn is empty")
        turns.append(ChatMessage("user", said.strip()))
        found.append(Example(SOURCE, f"{SOURCE}:{stem}:{number}", tuple(turns), reply.strip()))
        turns.append(ChatMessage("assistant", reply.strip()))
    if not found:
        raise ValueError("there is no turn")
    return found
