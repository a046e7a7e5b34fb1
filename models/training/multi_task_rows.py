"""Rows that the multi-task recipe learns from, and their files; a bad row is refused with its number."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from models.chat_model import ChatMessage
from models.training.example import Example
from models.training.rows import read_rows

Split = Literal["train", "valid", "test"]

Role = Literal["user", "assistant"]

EMOTIONS = 27
"""GoEmotions' emotions without *neutral*, which is the absence of them."""

STRATEGIES = 8


class Row(BaseModel):
    """What every row has.

    Attributes:
        source: Data it comes from.
        group: Conversation or text; all rows of a group are in one split.
        split: Learned from, chosen by, or only measured on.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = Field(min_length=1)
    group: str = Field(min_length=1)
    split: Split


class Turn(BaseModel):
    """One message."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Role
    content: str = Field(min_length=1)


class DialogueRow(Row):
    """A reply to learn and the turns before it, the last one the person's."""

    turns: tuple[Turn, ...] = Field(min_length=1)
    reply: str = Field(min_length=1)
    risk_level: int = Field(default=0, ge=0, le=3)

    @field_validator("turns")
    @classmethod
    def _person_last(cls, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        if turns[-1].role != "user":
            raise ValueError("the last turn must be the person's")
        return turns

    def example(self) -> Example:
        """The row in the form that the chat recipes tokenize."""
        turns = tuple(ChatMessage(turn.role, turn.content) for turn in self.turns)
        return Example(self.source, self.group, turns, self.reply, self.risk_level)


class EmotionRow(Row):
    """A text and the numbers of its emotions, 0 to 26; none means neutral."""

    text: str = Field(min_length=1)
    labels: tuple[int, ...]

    @field_validator("labels")
    @classmethod
    def _in_range(cls, labels: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(labels)) != len(labels) or not all(0 <= label < EMOTIONS for label in labels):
            raise ValueError(f"expected different numbers from 0 to {EMOTIONS - 1}")
        return labels


class StrategyRow(Row):
    """A supporter's sentence, the message that it answers, and the number of its strategy."""

    context: str
    text: str = Field(min_length=1)
    label: int = Field(ge=0, lt=STRATEGIES)


class SafetyRow(Row):
    """A message to which the fine-tuned model must answer as its base does."""

    text: str = Field(min_length=1)
    risk_level: int = Field(default=0, ge=0, le=3)


AnyRow = TypeVar("AnyRow", bound=BaseModel)


def checked_rows(kind: type[AnyRow], name: str, numbered: Iterable[tuple[int, Any]]) -> Iterator[AnyRow]:
    """Rows as objects.

    Raises:
        ValueError: File, row number, field and what is wrong with it; never the row's text.
    """
    for number, raw in numbered:
        try:
            yield kind.model_validate(raw)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            msg = f"{name}, row {number}: {where + ': ' if where else ''}{first['msg']}"
            raise ValueError(msg) from None


def load_rows(kind: type[AnyRow], file: Path) -> list[AnyRow]:
    """All rows of a gzipped JSON-lines file.

    Raises:
        ValueError: The file is missing, empty, or a row is wrong (with its number).
    """
    rows = list(checked_rows(kind, file.name, read_rows(file)))
    if not rows:
        raise ValueError(f"{file.name}: no rows")
    return rows


def write_rows(rows: Iterable[BaseModel], file: Path) -> str:
    """Write gzipped JSON lines, the same bytes for the same rows.

    Returns:
        SHA-256 of the unpacked lines.
    """
    text = "".join(json.dumps(row.model_dump(mode="json"), ensure_ascii=False) + "\n" for row in rows)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    return hashlib.sha256(text.encode()).hexdigest()
