"""Loads MINT's released replies, contexts and human tags.

Public address: the repository ``honglizhan/mint-empathy`` on GitHub (MIT licence), folder
``evaluation/eval_outputs`` at 0857670a79628aa838647eec2fbb4909b3dbb5fd; its files
hold the replies of 22 systems and of the human supporter to the same contexts, the tactics the
authors' taggers found in each sentence, and a judge's ratings. The folder read here holds
``replies.jsonl.gz``, ``contexts.jsonl.gz`` and optionally ``human_tags.jsonl``.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.chat_model import ChatMessage
from models.sentences import split_sentences
from models.tactics import Tactic
from models.training.rows import read_rows

HUMAN = "gold"
"""The system name under which the human supporter's own replies stand."""
RATINGS = (
    "validating_emotions",
    "encouraging_elaboration",
    "demonstrating_understanding",
    "advice_giving",
    "self_oriented",
    "dismissing_emotions",
    "aggregated_empathy",
)
"""What the judge rated, 1–5; the aggregate comes last."""

ContextKey = tuple[str, int]
"""Conversation id and index of the turn that is answered."""


@dataclass(frozen=True, slots=True)
class MintReply:
    """One system's reply to one context.

    Attributes:
        context: Which context.
        system: Who replied.
        text: The reply.
        sentences: Our sentence split of it.
        tactics: The authors' tags, one set for each of *their* sentences.
        ratings: The judge's ratings in the order of ``RATINGS``; ``nan`` where one is missing.
    """

    context: ContextKey
    system: str
    text: str
    sentences: tuple[str, ...]
    tactics: tuple[frozenset[Tactic], ...]
    ratings: tuple[float, ...]

    @property
    def aligned(self) -> bool:
        """Whether the tags belong to our sentences (they do in about 97 % of the replies)."""
        return len(self.sentences) == len(self.tactics)

    @property
    def turn_tactics(self) -> frozenset[Tactic]:
        """All tactics of the reply by the authors' tags."""
        return frozenset(tactic for sentence in self.tactics for tactic in sentence)

    @property
    def quality(self) -> float:
        """The judge's aggregated empathy, 1–5."""
        return self.ratings[-1]


@dataclass(frozen=True, slots=True)
class HumanTag:
    """A sentence tagged by people, in the response it comes from."""

    sentence: str
    response: str
    tactics: frozenset[Tactic]


@dataclass(frozen=True, slots=True)
class MintData:
    """Everything of one folder.

    Attributes:
        replies: All replies, in file order.
        histories: The dialogue before each reply.
    """

    replies: tuple[MintReply, ...]
    histories: dict[ContextKey, tuple[ChatMessage, ...]]

    @property
    def conversations(self) -> list[str]:
        """Conversation ids, sorted."""
        return sorted({conversation for conversation, _ in self.histories})

    @property
    def systems(self) -> list[str]:
        """Systems without the human supporter, sorted."""
        return sorted({reply.system for reply in self.replies} - {HUMAN})


def read_mint(folder: Path) -> MintData:
    """Read replies and contexts.

    Args:
        folder: Where ``replies.jsonl.gz`` and ``contexts.jsonl.gz`` are.

    Raises:
        ValueError: If a file is missing or a row is broken.
    """
    histories = {
        _key(row): tuple(ChatMessage(m["role"], m["content"]) for m in row["history"])
        for _, row in read_rows(folder / "contexts.jsonl.gz")
    }
    replies = tuple(
        MintReply(
            context=_key(row),
            system=str(row["system"]),
            text=row["reply"],
            sentences=tuple(split_sentences(row["reply"])),
            tactics=tuple(frozenset(Tactic(name) for name in tags) for tags in row["sentence_tactics"]),
            ratings=_ratings(row["ratings"]),
        )
        for _, row in read_rows(folder / "replies.jsonl.gz")
    )
    return MintData(replies, histories)


def read_human_tags(file: Path) -> list[HumanTag]:
    """Read ``human_tags.jsonl``: sentences tagged by people.

    Raises:
        ValueError: If the file is missing or a row is broken.
    """
    try:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise ValueError(f"cannot read {file.name}: {error}") from error
    return [
        HumanTag(
            sentence=_repaired(row["sentence"]),
            response=row["response"],
            tactics=frozenset(Tactic(name) for name in row["tactics"]),
        )
        for row in rows
    ]


def by_context(replies: Sequence[MintReply]) -> dict[ContextKey, list[int]]:
    """Indices of the replies to each context, in file order."""
    groups: dict[ContextKey, list[int]] = {}
    for index, reply in enumerate(replies):
        groups.setdefault(reply.context, []).append(index)
    return groups


def _key(row: dict[str, Any]) -> ContextKey:
    return str(row["conversation_id"]), int(row["turn_index"])


def _ratings(raw: dict[str, Any] | None) -> tuple[float, ...]:
    found = raw or {}
    return tuple(float("nan") if found.get(name) is None else float(found[name]) for name in RATINGS)


def _repaired(text: str) -> str:
    """Undo the wrong decoding that some tagged sentences went through ("It‚Äôs")."""
    if "‚Ä" not in text:
        return text.strip()
    try:
        return text.encode("mac_roman").decode("utf-8").strip()
    except UnicodeError:
        return text.strip()


def reply_digest(reply: MintReply) -> str:
    """What a reply is known by in files that must hold no text."""
    name = "\x1f".join([*map(str, reply.context), reply.system, reply.text])
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def carried(replies: Iterable[MintReply]) -> NDArray[np.bool_]:
    """Which tactics each whole reply carries by the authors' tags, ``(replies, 10)``."""
    return np.array([[tactic in own for tactic in Tactic] for own in (one.turn_tactics for one in replies)])
