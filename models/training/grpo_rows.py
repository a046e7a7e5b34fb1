"""Prompts of reinforcement learning as gzipped JSON lines, checked row by row."""

import gzip
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from models.chat_model import ChatMessage
from models.tactics import Tactic

PROMPTS = "prompts.jsonl.gz"
_SHOWN = 10
"""Most problems that an error names."""


class GrpoDataError(ValueError):
    """Prompts can't be learned from; the message names file, rows and what is wrong."""


class Turn(BaseModel):
    """A message of a context."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    role: Literal["user", "assistant"]
    content: str = Field(min_length=1)


class PromptRow(BaseModel):
    """A context to reply to.

    Attributes:
        key: Names it; no two rows have the same.
        source: Name of the data.
        group: Conversation.
        split: ``train``, or ``valid`` for a conversation kept apart.
        turns: Up to the person's message that is answered.
        previous: Counts of the ten tactics in the previous supporter turn; zeros at a first turn.
        reply: What the recorded supporter replied; measures what is coherent, never learned.
        mood: Of what was said, where it was written with one; see :class:`models.training.example.Example`.
        code: Control codes of the prompt, where it was written with some.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    key: str = Field(min_length=1)
    source: str
    group: str = Field(min_length=1)
    split: Literal["train", "valid"]
    turns: tuple[Turn, ...] = Field(min_length=1)
    previous: tuple[int, ...] = Field(min_length=len(Tactic), max_length=len(Tactic))
    reply: str = Field(min_length=1)
    mood: str = ""
    code: str = ""

    @field_validator("turns")
    @classmethod
    def _alternate(cls, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        if turns[-1].role != "user":
            raise ValueError("the last turn is not the person's")
        if any(a.role == b.role for a, b in pairwise(turns)):
            raise ValueError("the turns do not alternate")
        return turns

    @field_validator("previous")
    @classmethod
    def _counts(cls, previous: tuple[int, ...]) -> tuple[int, ...]:
        if any(count < 0 for count in previous):
            raise ValueError("a count is below 0")
        return previous

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The turns as messages."""
        return tuple(ChatMessage(turn.role, turn.content) for turn in self.turns)


def write_prompts(rows: Sequence[PromptRow], file: Path) -> None:
    """Write rows; the same bytes for the same rows."""
    text = "".join(row.model_dump_json() + "\n" for row in rows)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def read_prompts(file: Path) -> list[PromptRow]:
    """Read and check rows.

    Raises:
        GrpoDataError: The file is missing, a row is wrong or double, or a conversation is on both sides.
    """
    try:
        lines = gzip.decompress(file.read_bytes()).decode("utf-8").split("\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise GrpoDataError(f"{file}: {error}") from None
    rows: list[PromptRow] = []
    problems: list[str] = []
    keys: set[str] = set()
    sides: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = PromptRow.model_validate(json.loads(line))
            if row.key in keys:
                raise ValueError(f"key {row.key} occurs before")
            if sides.setdefault(row.group, row.split) != row.split:
                raise ValueError("its conversation is learned from and kept apart")
        except ValueError as error:
            problems.append(f"row {number}: {_said(error)}")
        else:
            keys.add(row.key)
            rows.append(row)
    if problems:
        more = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise GrpoDataError(f"{file}: " + "; ".join(problems[:_SHOWN]) + more)
    if not any(row.split == "train" for row in rows):
        raise GrpoDataError(f"{file}: there is no row to learn from")
    return rows


def _said(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return ", ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    return f"no JSON ({error.msg})" if isinstance(error, json.JSONDecodeError) else str(error)
