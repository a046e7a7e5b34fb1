"""Reads messages with their kind and nothing else (``models/training/kinds/*.jsonl``).

A row holds ``text``, ``kind`` (one of :data:`models.message_kind.KINDS`) and ``feel``, feelings that the
person surely has.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.chat_model import ChatMessage
from models.control_code import code_text
from models.message_kind import KINDS, MessageReading
from models.training.example import Example
from models.training.rows import folder_rows

KIND_FOLDER = Path(__file__).parent / "kinds"
SOURCE = "kinds"


@dataclass(frozen=True, slots=True)
class KindRow:
    """A message, its kind and at most two feelings; ``place`` names file and row."""

    place: str
    text: str
    kind: str
    feel: tuple[str, ...]


def read_kinds(folder: Path = KIND_FOLDER) -> list[KindRow]:
    """All rows of a folder's files.

    Raises:
        ValueError: With file and row number, for a row of another form.
    """
    return folder_rows(folder, kind_row)


def kind_examples(folder: Path = KIND_FOLDER) -> list[Example]:
    """Prompts whose control codes are learned, without a reply."""
    return [
        Example(
            SOURCE,
            f"{SOURCE}:{row.place}",
            (ChatMessage("user", row.text),),
            "",
            code=code_text(MessageReading(row.kind, row.feel)),
            learn_code=True,
        )
        for row in read_kinds(folder)
    ]


def kind_row(stem: str, number: int, row: dict[str, Any]) -> KindRow:
    """What a row of a file says.

    Raises:
        ValueError: It has another form.
    """
    text = str(row["text"]).strip()
    if row["kind"] not in KINDS:
        raise ValueError(f"kind {row['kind']!r} is none of {', '.join(KINDS)}")
    if not text:
        raise ValueError("a message is empty")
    return KindRow(f"{stem}:{number}", text, row["kind"], tuple(str(one).strip() for one in row["feel"][:2]))
