"""Replies that were read and judged one by one, and their files.

A row holds ``source``, ``message`` or (in a conversation) ``turns`` as pairs of role and text, the person's
message last, and ``replies``, each with ``text`` and ``verdict``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.answers import VERDICTS, asked
from models.chat_model import ChatMessage, Role
from models.training.rows import made_rows

SOURCES = (
    "read_messages",
    "held_out",
    "kept_apart",
    "judged_sentences",
    *(f"{kind}_{hand}" for kind in ("writer", "talk") for hand in "abcd"),
)
"""Messages that were written to be learned from; on all others something is measured."""


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A person's message with the replies that were read.

    Attributes:
        group: Names its row.
        source: Where the message comes from.
        turns: The message last.
        replies: Text and place in :data:`VERDICTS` of each.
        firsts: The judged beginning of each reply by its text, where not the whole was judged.
        code: Control codes of the prompt; empty for none.
    """

    group: str
    source: str
    turns: tuple[ChatMessage, ...]
    replies: tuple[tuple[str, int], ...]
    firsts: Mapping[str, str]
    code: str

    @property
    def asked(self) -> str:
        """What the person said: the message, behind the one before it where there is one."""
        return asked(self.turns)


def read_messages(file: Path, sources: Sequence[str] | None = None) -> list[ReadMessage]:
    """The rows of a file.

    Args:
        file: Its path.
        sources: Only these; ``None`` for all.

    Raises:
        ValueError: A row is bad; the message names it.
    """

    def make(number: int, row: dict[str, Any]) -> ReadMessage | None:
        wanted = sources is None or row["source"] in sources
        return _message(row, f"{file.stem}-{number}") if wanted else None

    return [one for one in made_rows(file, make) if one is not None]


def _message(row: dict[str, Any], group: str) -> ReadMessage:
    said: list[tuple[Role, str]] = row.get("turns") or [("user", row["message"])]
    turns = tuple(ChatMessage(role, text) for role, text in said)
    replies = tuple((str(one["text"]), VERDICTS.index(one["verdict"])) for one in row["replies"])
    firsts = {str(one["text"]): str(one["first"]) for one in row["replies"] if "first" in one}
    return ReadMessage(group, str(row["source"]), turns, replies, firsts, str(row.get("code", "")))
