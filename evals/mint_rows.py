"""Reads a folder of released replies strictly: what is wrong is named with its file and row."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from models.tactics import Tactic, TacticCounts, count_tactics
from models.training.mint_data import RATINGS, ContextKey
from models.training.rows import read_rows

REPLIES, CONTEXTS = "replies.jsonl.gz", "contexts.jsonl.gz"


@dataclass(frozen=True, slots=True)
class ReleasedReply:
    """One system's reply with the authors' tags and the judge's ratings.

    Attributes:
        text: The reply.
        counts: Its sentences that carry each tactic.
        ratings: The judge's ratings by name, those that are there.
    """

    text: str
    counts: TacticCounts
    ratings: Mapping[str, float]


SystemReplies = dict[ContextKey, ReleasedReply]
"""The replies of one system by conversation and turn."""


@dataclass(frozen=True, slots=True)
class Release:
    """A folder of released replies.

    Attributes:
        systems: The replies of each system, in file order.
        contexts: The dialogue contexts that were answered.
    """

    systems: Mapping[str, SystemReplies]
    contexts: frozenset[ContextKey]


def read_release(folder: Path) -> Release:
    """Read ``replies.jsonl.gz`` and ``contexts.jsonl.gz``.

    Raises:
        ValueError: A file is missing or empty, or a row is broken, given twice, or answers a
            context that is not there; the text names the file and the row.
    """
    contexts = {_context(CONTEXTS, number, row) for number, row in read_rows(folder / CONTEXTS)}
    systems: dict[str, SystemReplies] = {}
    for number, row in read_rows(folder / REPLIES):
        key, system = _context(REPLIES, number, row), _text(number, row, "system")
        if key not in contexts:
            raise _wrong(REPLIES, number, f"conversation {key[0]}, turn {key[1]} is not in {CONTEXTS}")
        own = systems.setdefault(system, {})
        if key in own:
            raise _wrong(REPLIES, number, f"a second reply of {system} to the same turn")
        own[key] = ReleasedReply(
            _text(number, row, "reply"), count_tactics(_tactics(number, row)), _ratings(number, row)
        )
    if not systems:
        msg = f"{folder / REPLIES} holds no replies"
        raise ValueError(msg)
    return Release(systems, frozenset(contexts))


def _context(file: str, number: int, row: dict[str, Any]) -> ContextKey:
    conversation, turn = row.get("conversation_id"), row.get("turn_index")
    if not isinstance(conversation, str | int) or isinstance(conversation, bool):
        raise _wrong(file, number, "conversation_id is missing or no text")
    if not isinstance(turn, int) or isinstance(turn, bool):
        raise _wrong(file, number, "turn_index is missing or no whole number")
    return str(conversation), turn


def _text(number: int, row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or (name == "system" and not value):
        raise _wrong(REPLIES, number, f"{name} is missing or no text")
    return value


def _tactics(number: int, row: dict[str, Any]) -> list[frozenset[Tactic]]:
    raw = row.get("sentence_tactics")
    if not isinstance(raw, list) or not all(isinstance(tags, list) for tags in cast(list[Any], raw)):
        raise _wrong(REPLIES, number, "sentence_tactics is missing or no list of lists")
    try:
        return [frozenset(Tactic(name) for name in tags) for tags in cast(list[list[Any]], raw)]
    except ValueError as error:
        raise _wrong(REPLIES, number, str(error)) from None


def _ratings(number: int, row: dict[str, Any]) -> dict[str, float]:
    raw = row.get("ratings")
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise _wrong(REPLIES, number, "ratings is no object")
    found: dict[str, float] = {}
    for name in RATINGS:
        value: Any = cast(dict[str, Any], raw).get(name)
        if value is None or value != value:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _wrong(REPLIES, number, f"rating {name} is no number")
        found[name] = float(value)
    return found


def _wrong(file: str, number: int, what: str) -> ValueError:
    return ValueError(f"{file}, row {number}: {what}")
