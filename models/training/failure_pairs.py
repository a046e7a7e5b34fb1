"""Pairs of replies to the same message, one with a failure and one without, written for this project.

Each file of ``evals/data/failures`` is JSONL with ``id``, ``lang``, ``kind`` (what makes the pair easy or hard),
``turns`` (the conversation up to the person's message), ``failed`` and ``fine``. A hash of the turns keeps
about 40 % of the pairs apart: nothing is learned or chosen on those.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from models.chat_model import ChatMessage

FAILURES = ("over_validation", "generic", "premature_advice", "tone")
"""The failures; each has a file of its name."""
PAIRS_FOLDER = Path("evals/data/failures")
"""Where the files are in the repository."""
_TENTHS_KEPT_APART = 4


@dataclass(frozen=True, slots=True)
class FailurePair:
    """Two replies to one conversation.

    Attributes:
        id: Name of the pair.
        lang: ``en`` or ``zh``.
        kind: What sort of pair it is.
        turns: The conversation, ending with the person's message.
        failed: The reply with the failure.
        fine: The reply without it.
        kept_apart: Whether the pair may only be measured on.
    """

    id: str
    lang: str
    kind: str
    turns: tuple[ChatMessage, ...]
    failed: str
    fine: str
    kept_apart: bool


def read_pairs(failure: str, folder: Path = PAIRS_FOLDER) -> list[FailurePair]:
    """Read the pairs of one failure.

    Args:
        failure: One of :data:`FAILURES`.
        folder: Where the files are.

    Raises:
        ValueError: If the file can't be read.
    """
    path = folder / f"{failure}.jsonl"
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error}") from error
    return [
        FailurePair(
            id=row["id"],
            lang=row["lang"],
            kind=row["kind"],
            turns=(turns := tuple(ChatMessage(turn["role"], turn["content"]) for turn in row["turns"])),
            failed=row["failed"],
            fine=row["fine"],
            kept_apart=_tenth(turns) < _TENTHS_KEPT_APART,
        )
        for row in rows
    ]


def _tenth(turns: tuple[ChatMessage, ...]) -> int:
    text = "\x1f".join(f"{turn.role}:{turn.content}" for turn in turns)
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % 10
