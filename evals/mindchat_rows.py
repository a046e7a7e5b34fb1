"""Reads replies that MindChat's three dimensions are graded on, by configuration.

A line of JSON is one of two things:

* a reply: ``configuration`` (or ``system``, or ``model``), ``context`` (turns with ``role`` and ``content``),
  ``reply``, and where known ``language`` and ``conversation``;
* a conversation, as ``evals.scenarios --transcripts`` writes them: ``configuration``, ``scenario`` and
  ``turns``; each turn of the assistant is a reply, with the turns before it as its context.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from evals.judge_rating import subject_mark
from models.chat_model import ChatMessage
from models.judged_text import Subject, reply_subject
from models.language import conversation_language

_NAMES = ("configuration", "system", "model")


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a configuration.

    Attributes:
        configuration: Who wrote it; a line of the table.
        conversation: What it is drawn with: replies of one conversation are not independent.
        context: Turns before it, oldest first; may be empty.
        text: The reply.
        language: ``en`` or ``zh``; where the row does not tell, that of the person's messages.
    """

    configuration: str
    conversation: str
    context: tuple[ChatMessage, ...]
    text: str
    language: str


def read_replies(file: Path) -> list[Reply]:
    """Read a file of replies or conversations.

    Raises:
        ValueError: The file is missing or a row is wrong; the text names file and row.
    """
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None
    found: list[Reply] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found += _replies(json.loads(line), f"{file.name}:{number}")
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise ValueError(f"{file.name}, row {number}: {error or type(error).__name__}") from None
    return found


def keyed_subject(reply: Reply, most_chars: int) -> tuple[str, Subject]:
    """The key of a reply and what judges see of it.

    The name of the configuration is no part of the key: the same words get the same grades.

    Args:
        reply: What is to be graded.
        most_chars: Characters of dialogue that a judge gets to see.
    """
    subject = reply_subject(reply.context, reply.text, most_chars)
    return f"{reply.language}:{subject_mark(subject)}", subject


def _replies(raw: Any, place: str) -> Iterator[Reply]:
    if not isinstance(raw, dict):
        raise TypeError("not an object")
    row = cast("dict[str, Any]", raw)
    name = next((row[key] for key in _NAMES if isinstance(row.get(key), str)), None)
    if not name:
        raise ValueError("no configuration, system or model")
    if isinstance(row.get("turns"), list):
        turns = _turns(row["turns"])
        group = str(row.get("scenario") or row.get("conversation") or place)
        for index, turn in enumerate(turns):
            if turn.role == "assistant":
                yield Reply(name, group, turns[:index], turn.content, _language(row, turns[: index + 1]))
        return
    text = row.get("reply")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("reply is missing, empty or no text")
    context = _turns(row.get("context") or ())
    group = str(row.get("conversation") or place)
    said = (*context, ChatMessage("assistant", text))
    yield Reply(name, group, context, text, _language(row, said))


def _turns(raw: Sequence[Mapping[str, Any]]) -> tuple[ChatMessage, ...]:
    turns: list[ChatMessage] = []
    for turn in raw:
        role, content = turn["role"], turn["content"]
        if role not in ("user", "assistant") or not isinstance(content, str):
            raise ValueError("a turn needs the role user or assistant, and text as content")
        turns.append(ChatMessage(role, content))
    return tuple(turns)


def _language(row: Mapping[str, Any], said: Sequence[ChatMessage]) -> str:
    if row.get("language") in ("en", "zh"):
        return str(row["language"])
    people = [turn.content for turn in said if turn.role == "user"]
    return conversation_language(people or [said[-1].content], "en")
