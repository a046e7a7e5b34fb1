"""Reads replies with ratings: the app's export of ratings, or released replies in MINT's form.

* ``ratings.csv`` of the export page, one row a rater and reply; ratings of one reply are averaged. It
  holds no dialogue: ``kto.jsonl`` of the same export does, joined by ``message_id``.
* ``*.jsonl`` or ``*.jsonl.gz`` with ``conversation_id``, ``turn_index``, ``reply`` and ``ratings``, beside
  it ``contexts.jsonl.gz``. In MINT's own file the ratings are a language model's, not people's.
"""

import csv
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from app.api.export_lines import harmless
from app.db.measures import EMPATHY, SUPPORT
from models.chat_model import ChatMessage

SCALES = (*EMPATHY, *SUPPORT)
"""Measures that judges and people share, by their name in the exports."""
MINT_CONTEXTS = "contexts.jsonl.gz"
FROM_MINT = "ratings of the file (MINT's own are a language model's)"
FROM_PEOPLE = "people's ratings, averaged over the raters of a reply"


@dataclass(frozen=True, slots=True)
class RatedReply:
    """One reply and what it was rated.

    Attributes:
        key: Names it among all files, stable from run to run.
        conversation: Which conversation it belongs to; replies of one are drawn together.
        context_key: The same for all replies to one message.
        context: Turns before it; empty where they are not known.
        reply: The reply.
        language: ``en``, ``zh`` or what the file says.
        ratings: By measure, 1–5; only those that were given.
    """

    key: str
    conversation: str
    context_key: str
    context: tuple[ChatMessage, ...]
    reply: str
    language: str
    ratings: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RatedFile:
    """What a file holds.

    Attributes:
        replies: Replies with at least one rating on a shared measure.
        reference: Where the ratings come from, in words.
        unrated: Replies that were left out because they have none.
    """

    replies: tuple[RatedReply, ...]
    reference: str
    unrated: int


def read_rated(file: Path, contexts: Path | None = None, language: str = "en") -> RatedFile:
    """Read a file with ratings.

    Args:
        file: The app's ``ratings.csv``, or replies in MINT's form.
        contexts: ``kto.jsonl`` of the same export, or contexts in MINT's form; for the latter the file
            ``contexts.jsonl.gz`` beside the replies is taken by itself.
        language: Of replies in MINT's form, which do not tell.

    Raises:
        ValueError: A file is missing or broken; the text names file and row.
    """
    if file.suffix == ".csv":
        return _from_export(file, contexts)
    beside = file.parent / MINT_CONTEXTS
    return _from_mint(file, contexts or (beside if beside.is_file() else None), language)


def _from_export(file: Path, contexts: Path | None) -> RatedFile:
    prompts = {} if contexts is None else _prompts(contexts)
    rows: dict[str, dict[str, str]] = {}
    given: dict[str, dict[str, list[float]]] = {}
    for number, row in _csv_rows(file):
        missing = {"message_id", "session_id", "user_message_id", "reply"} - row.keys()
        if missing:
            raise _wrong(file, number, f"no column {', '.join(sorted(missing))}")
        rows[row["message_id"]] = row
        own = given.setdefault(row["message_id"], {})
        for measure in SCALES:
            if row.get(measure):
                own.setdefault(measure, []).append(_rating(file, number, measure, row[measure]))
    replies = [
        RatedReply(
            f"{file.name}:{key}",
            row["session_id"],
            row["user_message_id"],
            prompts.get(key, ()),
            _unmarked(row["reply"]),
            row.get("language") or "en",
            {measure: sum(values) / len(values) for measure, values in given[key].items()},
        )
        for key, row in rows.items()
        if given[key]
    ]
    return RatedFile(tuple(replies), FROM_PEOPLE, len(rows) - len(replies))


def _from_mint(file: Path, contexts: Path | None, language: str) -> RatedFile:
    dialogues: dict[str, tuple[ChatMessage, ...]] = {}
    if contexts is not None:
        for number, row in _json_rows(contexts):
            dialogues[_context_key(contexts, number, row)] = _turns(contexts, number, row.get("history"))
    replies: list[RatedReply] = []
    unrated = 0
    for number, row in _json_rows(file):
        key, reply = _context_key(file, number, row), row.get("reply")
        if not isinstance(reply, str):
            raise _wrong(file, number, "reply is missing or no text")
        ratings = _mint_ratings(file, number, row.get("ratings"))
        if not ratings:
            unrated += 1
            continue
        replies.append(
            RatedReply(
                f"{file.name}:{key}:{row.get('system', '')}",
                str(row["conversation_id"]),
                key,
                dialogues.get(key, ()),
                reply,
                str(row.get("language") or language),
                ratings,
            )
        )
    return RatedFile(tuple(replies), FROM_MINT, unrated)


def _mint_ratings(file: Path, number: int, raw: Any) -> dict[str, float]:
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise _wrong(file, number, "ratings is no object")
    given = cast("dict[str, Any]", raw)
    # Under their bare names, as in the release, or under those of the exports.
    named = {measure: given.get(measure, given.get(measure.partition(".")[2])) for measure in SCALES}
    return {m: _rating(file, number, m, value) for m, value in named.items() if value is not None}


def _rating(file: Path, number: int, measure: str, value: Any) -> float:
    try:
        rating = float(value)
    except (TypeError, ValueError):
        raise _wrong(file, number, f"{measure} is no number") from None
    if not 1 <= rating <= 5:
        raise _wrong(file, number, f"{measure} is not between 1 and 5")
    return rating


def _prompts(file: Path) -> dict[str, tuple[ChatMessage, ...]]:
    found: dict[str, tuple[ChatMessage, ...]] = {}
    for number, row in _json_rows(file):
        if not isinstance(row.get("message_id"), str):
            raise _wrong(file, number, "message_id is missing or no text")
        found[row["message_id"]] = _turns(file, number, row.get("prompt"))
    return found


def _turns(file: Path, number: int, raw: Any) -> tuple[ChatMessage, ...]:
    try:
        turns = [(str(turn["role"]), str(turn["content"])) for turn in cast("Sequence[Any]", raw)]
    except (TypeError, KeyError):
        raise _wrong(file, number, "the dialogue is no list of role and content") from None
    return tuple(ChatMessage("assistant" if role == "assistant" else "user", text) for role, text in turns)


def _context_key(file: Path, number: int, row: Mapping[str, Any]) -> str:
    if "conversation_id" not in row or "turn_index" not in row:
        raise _wrong(file, number, "conversation_id or turn_index is missing")
    return f"{row['conversation_id']}:{row['turn_index']}"


def _unmarked(text: str) -> str:
    """A cell without the mark that the export put before what a spreadsheet could run."""
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text


def _csv_rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            yield from enumerate(csv.DictReader(lines), start=2)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None


def _json_rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(_lines(file), start=1):
        try:
            row: Any = json.loads(line)
        except ValueError:
            raise _wrong(file, number, "not JSON") from None
        if not isinstance(row, dict):
            raise _wrong(file, number, "not an object")
        yield number, cast("dict[str, Any]", row)


def _lines(file: Path) -> Iterable[str]:
    try:
        data = file.read_bytes()
        text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None
    return (line for line in text.split("\n") if line.strip())


def _wrong(file: Path, number: int, what: str) -> ValueError:
    return ValueError(f"{file.name}, row {number}: {what}")
