"""A person's message and a reply to it, with what was already computed of both."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.chat_model import ChatMessage
from models.encoder import Vectors, unit
from models.mood import UNREAD, Mood
from models.read_text import ReadText, read_text
from models.tactics import Tactic

LAST_MESSAGES = 6
"""Messages of the person that are read for how they write: the cost must not grow with the conversation."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the person said.

    Attributes:
        message: The message that is answered.
        lately: The last messages with this one, for how the person writes.
        vectors: Of the message and each of its sentences, ``(1 + sentences, dim)``.
        center: Mean of many sentence vectors, ``(dim,)``.
        mood: How grave or glad the message is, as its emotions say.
    """

    message: ReadText
    lately: ReadText
    vectors: Vectors
    center: Vectors
    mood: Mood = UNREAD


@dataclass(frozen=True, slots=True)
class Exchange:
    """A reply to what the person said.

    Attributes:
        said: What the person said.
        reply: The reply.
        sentences: Its sentences.
        tactics: Their tactics.
        vectors: Their vectors, ``(sentences, dim)``.
        missed: How much of the person's specifics the reply leaves out, 0–1.
        invented: How much it says of the person that they never told, 0–1; see :mod:`models.inventions`.
    """

    said: Said
    reply: ReadText
    sentences: tuple[str, ...]
    tactics: Sequence[frozenset[Tactic]]
    vectors: Vectors
    missed: float
    invented: float = 0.0

    def share(self, *tactics: Tactic) -> float:
        """Share of sentences that carry at least one of some tactics."""
        wanted = frozenset(tactics)
        return sum(bool(wanted & one) for one in self.tactics) / max(len(self.tactics), 1)

    def nearness(self) -> Vectors:
        """Cosine of each sentence with what is nearest in the message, center taken off; ``(sentences,)``."""
        if not len(self.vectors):
            return np.zeros(1, np.float32)
        own, theirs = (unit(rows - self.said.center) for rows in (self.vectors, self.said.vectors))
        return (own @ theirs.T).max(axis=1)


def said_by(context: Sequence[ChatMessage], vectors: Vectors, center: Vectors, mood: Mood = UNREAD) -> Said:
    """What the person said in a context; see :class:`Said`."""
    turns = [turn.content for turn in context if turn.role == "user"][-LAST_MESSAGES:]
    lately = read_text("\n".join(turns))
    return Said(read_text(turns[-1]) if len(turns) > 1 else lately, lately, vectors, center, mood)


def answered(
    said: Said,
    sentences: Sequence[str],
    tactics: Sequence[frozenset[Tactic]],
    vectors: Vectors,
    missed: float,
    invented: float = 0.0,
) -> Exchange:
    """A reply to what was said; see :class:`Exchange`."""
    reply = read_text(" ".join(sentences))
    return Exchange(said, reply, tuple(sentences), tactics, vectors, missed, invented)
