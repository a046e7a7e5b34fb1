"""Pairs of replies to the same message, one with a failure and one without, written for this project.

Each file of ``evals/data/failures`` is JSONL with ``id``, ``lang``, ``kind`` (what sort of pair),
``turns`` (the conversation up to the person's message), ``failed`` and ``fine``. Of each language, the two
fifths whose turns have the lowest hash are kept apart: nothing is learned or chosen on those.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.chat_model import ChatMessage

FAILURES = ("over_validation", "generic", "premature_advice", "tone")
"""The failures whose checks are learned; each has a file of its name."""
PAIRS_FOLDER = Path("evals/data/failures")
"""Where the files are in the repository."""
_SHARE_KEPT_APART = 0.4


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
    turns = [tuple(ChatMessage(turn["role"], turn["content"]) for turn in row["turns"]) for row in rows]
    apart = _kept_apart([row["lang"] for row in rows], [_digest(one) for one in turns])
    return [
        FailurePair(row["id"], row["lang"], row["kind"], said, row["failed"], row["fine"], kept)
        for row, said, kept in zip(rows, turns, apart, strict=True)
    ]


def _kept_apart(langs: Sequence[str], digests: Sequence[str]) -> list[bool]:
    apart: set[str] = set()
    for lang in set(langs):
        own = sorted(digest for digest, other in zip(digests, langs, strict=True) if other == lang)
        apart.update(own[: round(_SHARE_KEPT_APART * len(own))])
    return [digest in apart for digest in digests]


def _digest(turns: Sequence[ChatMessage]) -> str:
    return hashlib.sha256("\x1f".join(f"{turn.role}:{turn.content}" for turn in turns).encode()).hexdigest()
