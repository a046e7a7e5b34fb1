"""Finds the tactics of each sentence of a reply with a trained head on sentence vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.encoder import Encoder, Vectors, tuned_part, untuned_part
from models.head_file import HEADS_FOLDER, Head, read_head
from models.presence import by_thresholds, presence
from models.sentences import is_chinese, says_something
from models.tactics import Tactic, TacticChances

CHINESE_SHIFT = "chinese_shift"
"""Tensor that is added to the vectors of a Chinese text: the encoder puts languages a little apart,
and the head was trained on English tags."""
PRESENCE = "presence"
"""Tensor of the weights by which a whole reply is read, where they were learned (:mod:`models.presence`)."""


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply with its vectors and tactics.

    Attributes:
        sentences: Its sentences.
        whole: Vector of the whole reply.
        vectors: Vectors of its sentences, ``(sentences, dim)``.
        probabilities: Probability of each tactic, ``(sentences, 10)`` in the order of
            :class:`Tactic`; zeros for a part of marks only.
        tactics: Tactics whose probability reaches their threshold, a set for each sentence.
        chances: How likely the reply carries each tactic; see :mod:`models.presence`.
    """

    sentences: tuple[str, ...]
    whole: Vectors
    vectors: Vectors
    probabilities: Vectors
    tactics: tuple[frozenset[Tactic], ...]
    chances: TacticChances


@dataclass(frozen=True, slots=True)
class TaggedReply:
    """What a tagger says of a reply.

    Attributes:
        tactics: Of each sentence.
        chances: How likely the reply carries each; see :mod:`models.presence`.
    """

    tactics: tuple[frozenset[Tactic], ...]
    chances: TacticChances

    def joined(self, other: "TaggedReply") -> "TaggedReply":
        """What either tagger finds."""
        tactics = tuple(own | more for own, more in zip(self.tactics, other.tactics, strict=True))
        chances = {t: max(chance, other.chances.get(t, 0.0)) for t, chance in self.chances.items()}
        return TaggedReply(tactics, chances)


class TacticTagger:
    """Reads replies: one pass of the encoder, then the head.

    Args:
        encoder: Embeds sentences; must be the one the head was trained on.
        head: One output (logit) for each tactic, and the tensor ``thresholds``.
        chinese: A second tagger, whose tactics count as well in a Chinese reply: the first was tuned on
            English, and each finds what the other misses.
    """

    def __init__(self, encoder: Encoder, head: Head, chinese: "TacticTagger | None" = None) -> None:
        self._encoder = encoder
        self._head = head
        self._chinese = chinese

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the head's file says about itself."""
        return self._head.facts

    @property
    def center(self) -> Vectors:
        """Mean of the sentence vectors that the head was trained on, ``(dim,)``."""
        return self._head.tensors["mean"]

    def read(self, replies: Sequence[Sequence[str]]) -> list[ReadReply]:
        """Embed and tag replies.

        Args:
            replies: The sentences of each reply.
        """
        encoded = self._encoder.encode_sentences(replies)
        return [read_reply(self._head, reply, rows) for reply, rows in zip(replies, encoded, strict=True)]

    def read_all(self, replies: Sequence[Sequence[str]]) -> list[TaggedReply]:
        """What counts of each reply: in Chinese, what either tagger finds.

        Args:
            replies: The sentences of each reply.
        """
        found = [TaggedReply(one.tactics, one.chances) for one in self.read(replies)]
        if self._chinese is None:
            return found
        places = [i for i, reply in enumerate(replies) if is_chinese("".join(reply))]
        for i, more in zip(places, self._chinese.read([replies[i] for i in places]), strict=True):
            found[i] = found[i].joined(TaggedReply(more.tactics, more.chances))
        return found

    def tag(self, replies: Sequence[Sequence[str]]) -> list[list[frozenset[Tactic]]]:
        """The tactics of each sentence of each reply."""
        return [list(reply.tactics) for reply in self.read_all(replies)]

    def probabilities(self, replies: Sequence[Sequence[str]]) -> list[Vectors]:
        """Probabilities of the ten tactics, an array ``(sentences, 10)`` for each reply."""
        return [reply.probabilities for reply in self.read(replies)]


def read_reply(head: Head, sentences: Sequence[str], rows: Vectors) -> ReadReply:
    """Tag one reply from its vectors.

    Args:
        head: Tactic head with thresholds.
        sentences: The reply's sentences.
        rows: Its vectors, of the whole and of each sentence.
    """
    if CHINESE_SHIFT in head.tensors and is_chinese("".join(sentences)):
        rows = rows + head.tensors[CHINESE_SHIFT]
    probabilities = tactic_probabilities(head, sentences, rows[1:])
    hits = probabilities >= head.tensors["thresholds"]
    return ReadReply(
        sentences=tuple(sentences),
        whole=rows[0],
        vectors=rows[1:],
        probabilities=probabilities,
        tactics=tuple(frozenset(t for t, hit in zip(Tactic, row, strict=True) if hit) for row in hits),
        chances=presence(probabilities, _presence_weights(head)),
    )


def _presence_weights(head: Head) -> Vectors:
    learned = head.tensors.get(PRESENCE)
    return by_thresholds(head.tensors["thresholds"]) if learned is None else learned


def tactic_probabilities(head: Head, sentences: Sequence[str], vectors: Vectors) -> Vectors:
    """Run the head on one reply's sentences."""
    if not sentences:
        return np.zeros((0, len(Tactic)), np.float32)
    counted = np.array([says_something(sentence) for sentence in sentences], dtype=np.float32)
    return (counted[:, None] / (1.0 + np.exp(-head.forward(vectors)))).astype(np.float32)


def load_tagger(encoder: Encoder, folder: Path = HEADS_FOLDER) -> TacticTagger:
    """Load the head that was trained for this encoder from ``heads/tactics-<encoder>/``.

    Of an encoder that gives untuned and tuned vectors, the tuned ones are tagged.
    """
    part = tuned_part(encoder)
    also = None if part is encoder else load_tagger(untuned_part(encoder), folder)
    path = folder / f"tactics-{part.name}" / "head.safetensors"
    return TacticTagger(part, read_head(path, part.name), also)
