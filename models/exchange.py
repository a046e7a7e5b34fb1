"""A person's message and a reply to it, with what was already computed of both."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.chat_model import ChatMessage
from models.encoder import Vectors, unit
from models.sentences import is_chinese
from models.tactics import Tactic

CHINESE_LETTERS = 3.5
"""English letters that say as much as one Chinese character."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the person said.

    Attributes:
        message: The message that is answered.
        all: Everything the person said so far, for how they write.
        vectors: Of the message and each of its sentences, ``(1 + sentences, dim)``.
        center: Mean of many sentence vectors, ``(dim,)``.
    """

    message: str
    all: str
    vectors: Vectors
    center: Vectors


@dataclass(frozen=True, slots=True)
class Exchange:
    """A reply to what the person said.

    Attributes:
        said: What the person said.
        sentences: The reply's sentences.
        tactics: Their tactics.
        vectors: Their vectors, ``(sentences, dim)``.
        missed: How much of the person's specifics the reply leaves out, 0–1.
    """

    said: Said
    sentences: tuple[str, ...]
    tactics: Sequence[frozenset[Tactic]]
    vectors: Vectors
    missed: float

    @property
    def reply(self) -> str:
        """The whole reply."""
        return " ".join(self.sentences)

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

    def typicality(self) -> float:
        """Mean cosine of the sentences with the center: how much the reply is what replies mostly are."""
        if not len(self.vectors):
            return 0.0
        return float((unit(self.vectors) @ unit(self.said.center[None])[0]).mean())


def said_by(context: Sequence[ChatMessage], vectors: Vectors, center: Vectors) -> Said:
    """What the person said in a context; see :class:`Said`."""
    turns = [turn.content for turn in context if turn.role == "user"]
    return Said(turns[-1] if turns else "", "\n".join(turns), vectors, center)


def letters(text: str) -> float:
    """Length in English letters; a Chinese character counts as several."""
    return len(text) * (CHINESE_LETTERS if is_chinese(text) else 1.0)


def sentences_worth(text: str) -> float:
    """Length in sentences of 50 letters, at least 1: what counts of words are divided by."""
    return max(letters(text) / 50.0, 1.0)
