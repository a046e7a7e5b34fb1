"""Reads messages with the parts of a reply to each (``models/training/echoed/*.jsonl``).

A row holds ``turns``, what one person said in order, and ``items``, one for each turn: ``kind`` (one of
:data:`models.message_kind.KINDS`), ``echo`` (a sentence that says the message back; empty for kinds that
are said to the listener), ``feel`` (feelings that the person surely has) and ``q`` (a question, or an empty
text). It may have ``fits``: names of sentences in ``closer.yaml`` that were chosen for the message, the best
of each part first.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.message_kind import ADDRESSED, KINDS
from models.training.rows import folder_rows

ECHOED_FOLDER = Path(__file__).parent / "echoed"


@dataclass(frozen=True, slots=True)
class Parts:
    """A message and the parts of a reply to it.

    Attributes:
        said: The message.
        kind: One of :data:`models.message_kind.KINDS`.
        echo: First sentence; empty where the kind is answered without one.
        feel: Feelings, at most two.
        question: An empty text where none fits.
        fits: Names of sentences that were chosen for it (:mod:`models.training.closer_replies`).
    """

    said: str
    kind: str
    echo: str
    feel: tuple[str, ...]
    question: str
    fits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EchoedTalk:
    """Messages of one person, in order; ``place`` names file and row."""

    place: str
    parts: tuple[Parts, ...]


def read_echoed(folder: Path = ECHOED_FOLDER) -> list[EchoedTalk]:
    """All rows of a folder's files.

    Raises:
        ValueError: With file and row number, for a row of another form.
    """
    return folder_rows(folder, _talk)


def _talk(stem: str, number: int, row: dict[str, Any]) -> EchoedTalk:
    parts = tuple(_parts(said, item) for said, item in zip(row["turns"], row["items"], strict=True))
    if not parts:
        raise ValueError("there is no turn")
    return EchoedTalk(f"{stem}:{number}", parts)


def _parts(said: str, item: dict[str, Any]) -> Parts:
    if item["kind"] not in KINDS:
        raise ValueError(f"kind {item['kind']!r} is none of {', '.join(KINDS)}")
    echo = item.get("echo", "").strip()
    if not said.strip() or (not echo and item["kind"] not in ADDRESSED):
        raise ValueError("a message or a sentence is empty")
    feel = tuple(str(one).strip() for one in item.get("feel", [])[:2])
    fits = tuple(str(one) for one in item.get("fits", []))
    return Parts(said.strip(), item["kind"], echo, feel, item.get("q", "").strip(), fits)
