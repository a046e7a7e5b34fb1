"""Reads the app's exports for preference tuning and refuses bad rows by their number."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from models.chat_model import ChatMessage

_SHOWN = 10
"""Most problems that an error names."""


class PreferenceDataError(ValueError):
    """An export can't be learned from; the message names file, rows and what is wrong."""


@dataclass(frozen=True, slots=True)
class LabelledExample:
    """A reply that people found good or not, and the control codes of its prompt, if it had some.

    Attributes:
        group: Its conversation; examples of one are never learned from and measured on at once.
    """

    group: str
    turns: tuple[ChatMessage, ...]
    reply: str
    good: bool
    code: str = ""


@dataclass(frozen=True, slots=True)
class PairedExample:
    """Two replies of which people put the first before the second; ``code`` as above."""

    group: str
    turns: tuple[ChatMessage, ...]
    chosen: str
    rejected: str
    code: str = ""


Example = TypeVar("Example", LabelledExample, PairedExample)


def read_labelled(file: Path) -> list[LabelledExample]:
    """Read ``kto.jsonl``.

    Raises:
        PreferenceDataError: A row is bad, or one of the two labels never occurs.
    """
    examples = _read(file, _labelled)
    if len({example.good for example in examples}) < 2:
        raise PreferenceDataError(f"{file}: KTO needs good and bad replies; all labels are the same")
    return examples


def read_pairs(file: Path) -> list[PairedExample]:
    """Read ``dpo.jsonl``.

    Raises:
        PreferenceDataError: A row is bad.
    """
    return _read(file, _paired)


def _read(file: Path, parse: Callable[[dict[str, Any]], Example]) -> list[Example]:
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PreferenceDataError(f"{file}: {error}") from None
    examples: list[Example] = []
    problems: list[str] = []
    for number, line in _lines(text):
        try:
            examples.append(parse(_object(line)))
        except ValueError as error:
            problems.append(f"row {number}: {error}")
    if problems:
        more = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise PreferenceDataError(f"{file}: " + "; ".join(problems[:_SHOWN]) + more)
    if not examples:
        raise PreferenceDataError(f"{file}: there is no row")
    return examples


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not splitlines: it also ends a line at characters that JSON allows within texts.
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _object(line: str) -> dict[str, Any]:
    try:
        found: Any = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON ({error.msg})") from None
    if not isinstance(found, dict):
        raise ValueError("expected keys and values")
    return cast(dict[str, Any], found)


def _labelled(row: dict[str, Any]) -> LabelledExample:
    label = row.get("label")
    if not isinstance(label, bool):
        raise ValueError("label is not true or false")
    return LabelledExample(_group(row), _prompt(row), _reply(row, "completion"), label, _code(row))


def _paired(row: dict[str, Any]) -> PairedExample:
    chosen, rejected = _reply(row, "chosen"), _reply(row, "rejected")
    if chosen == rejected:
        raise ValueError("chosen and rejected are the same")
    return PairedExample(_group(row), _prompt(row), chosen, rejected, _code(row))


def _code(row: dict[str, Any]) -> str:
    code = row.get("code", "")
    if not isinstance(code, str):
        raise ValueError("code is no text")
    return code


def _group(row: dict[str, Any]) -> str:
    found = row.get("session_id")
    if not isinstance(found, str) or not found:
        raise ValueError("session_id is missing: conversations could not be kept apart")
    return found


def _messages(row: dict[str, Any], key: str) -> list[ChatMessage]:
    found = row.get(key)
    if not isinstance(found, list) or not found:
        raise ValueError(f"{key} is no list of messages")
    return [_message(entry, key) for entry in cast(Sequence[Any], found)]


def _message(entry: Any, key: str) -> ChatMessage:
    parts = cast(dict[str, Any], entry) if isinstance(entry, dict) else {}
    role, content = parts.get("role"), parts.get("content")
    if role not in ("user", "assistant") or not isinstance(content, str) or not content.strip():
        raise ValueError(f"a message of {key} lacks a role (user, assistant) or content")
    return ChatMessage("user" if role == "user" else "assistant", content)


def _prompt(row: dict[str, Any]) -> tuple[ChatMessage, ...]:
    turns = _messages(row, "prompt")
    expected = ["user", "assistant"] * len(turns)
    if [turn.role for turn in turns] != expected[: len(turns)] or turns[-1].role != "user":
        raise ValueError("prompt does not go from user to user in turns")
    return tuple(turns)


def _reply(row: dict[str, Any], key: str) -> str:
    messages = _messages(row, key)
    if len(messages) != 1 or messages[0].role != "assistant":
        raise ValueError(f"{key} is not one message of the assistant")
    return messages[0].content
