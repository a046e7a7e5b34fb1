"""The public data files as they are published, row by row; what does not fit is refused with its number."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from models.tactics import Tactic
from models.training.multi_task_rows import AnyRow, checked_rows
from models.training.rows import read_rows


class RawTurn(BaseModel):
    """A turn of MINT's contexts."""

    role: Literal["user", "assistant"]
    content: str


class RawContext(BaseModel):
    """A row of ``mint/contexts.jsonl.gz``."""

    conversation_id: str
    turn_index: int
    history: list[RawTurn] = Field(min_length=1)


class RawRatings(BaseModel):
    """The judge's ratings that decide what is learned, 1 to 5."""

    aggregated_empathy: float = Field(ge=1, le=5)
    dismissing_emotions: float = Field(ge=1, le=5)


class RawReply(BaseModel):
    """A row of ``mint/replies.jsonl.gz``."""

    conversation_id: str
    turn_index: int
    reply: str
    sentence_tactics: list[list[Tactic]]
    ratings: RawRatings


class RawSaid(BaseModel):
    """A turn of ``mint/conversations_322.json.gz``."""

    role: Literal["seeker", "supporter"]
    content: str


class RawConversation(BaseModel):
    """A conversation of ``mint/conversations_322.json.gz``."""

    conversation_id: str
    conversation: list[RawSaid]


class RawAnswer(BaseModel):
    """A row of ``counselchat/answers.jsonl.gz``."""

    title: str
    question: str | None
    topic: str
    answer: str | None
    upvotes: int = Field(ge=0)


class RawUtterance(BaseModel):
    """A turn of an ESConv dialogue."""

    text: str
    speaker: Literal["usr", "sys"]
    strategy: str | None = None


class RawDialogue(BaseModel):
    """A row of ``esconv/*.jsonl.gz``."""

    dialog: list[RawUtterance] = Field(min_length=1)


class RawModeration(BaseModel):
    """A row of ``safety/openai_moderation.jsonl.gz``; ``SH`` is self-harm, absent when unknown."""

    prompt: str
    SH: int | None = None


class RawCrisis(BaseModel):
    """A row of ``safety/crisis_cases.jsonl``."""

    text: str
    lang: str
    label: Literal["none", "low", "moderate", "high-imminent"]


class RawPrompt(BaseModel):
    """A row of a CSV file of prompts."""

    prompt: str = Field(min_length=1)
    area: str


def read_json_lines(kind: type[AnyRow], file: Path) -> list[AnyRow]:
    """Rows of a gzipped JSON-lines file.

    Raises:
        ValueError: The file is missing or a row is wrong (file, row number, field).
    """
    return list(checked_rows(kind, file.name, read_rows(file)))


def read_plain_json_lines(kind: type[AnyRow], file: Path) -> list[AnyRow]:
    """As :func:`read_json_lines`, for a file that is not packed."""
    numbered = ((number, _parsed(file.name, number, line)) for number, line in _lines(file))
    return list(checked_rows(kind, file.name, numbered))


def read_conversations(file: Path) -> list[RawConversation]:
    """Conversations of one JSON list; the row number is the place in the list, from 1.

    Raises:
        ValueError: The file is missing, is no list, or a conversation is wrong.
    """
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            raw: Any = json.load(stream)
    except (OSError, ValueError) as error:
        raise ValueError(f"{file.name}: {type(error).__name__}") from None
    if not isinstance(raw, list):
        raise ValueError(f"{file.name}: expected a list of conversations")
    return list(checked_rows(RawConversation, file.name, enumerate(raw, start=1)))  # pyright: ignore[reportUnknownArgumentType]


def read_prompts(file: Path, prompt: str, area: str) -> list[RawPrompt]:
    """Rows of a CSV file with a header.

    Args:
        file: The file.
        prompt: Column of the text.
        area: Column of its kind.

    Raises:
        ValueError: The file or a column is missing, or a row is wrong (row 1 follows the header).
    """
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except OSError as error:
        raise ValueError(f"{file.name}: {type(error).__name__}") from None
    numbered = (
        (number, {"prompt": row.get(prompt), "area": row.get(area)}) for number, row in enumerate(rows, 1)
    )
    return list(checked_rows(RawPrompt, file.name, numbered))


def read_labelled_lines(file: Path, labels: int) -> list[tuple[str, tuple[int, ...]]]:
    """Texts and label numbers of a tab-separated GoEmotions file.

    Raises:
        ValueError: The file is missing, or a row has not three columns or an unknown label.
    """
    try:
        with gzip.open(file, "rt", encoding="utf-8", newline="\n") as stream:
            lines = stream.read().split("\n")
    except OSError as error:
        raise ValueError(f"{file.name}: {type(error).__name__}") from None
    return [
        _labelled(file.name, number, line, labels)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _labelled(name: str, number: int, line: str, labels: int) -> tuple[str, tuple[int, ...]]:
    parts = line.rstrip("\r").split("\t")
    if len(parts) != 3:
        raise ValueError(f"{name}, row {number}: {len(parts)} columns instead of 3")
    text, numbers, _ = parts
    known = numbers.split(",")
    if not text.strip() or not all(one.isdigit() and int(one) < labels for one in known):
        raise ValueError(f"{name}, row {number}: no text, or labels that are not numbers below {labels}")
    return text.strip(), tuple(sorted({int(one) for one in known}))


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise ValueError(f"{file.name}: {type(error).__name__}") from None
    yield from ((number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())


def _parsed(name: str, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{name}, row {number}: not JSON ({error.msg})") from None
