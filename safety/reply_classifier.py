"""A small network over sentence embeddings that finds faults of a reply for which no rule has words.

It only adds to the rules of :mod:`safety.reply_check`. The encoder is passed in and reads each sentence in
its reply, as the reply scorer does, so with a shared cache nothing is computed twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from safety.head_file import Array, SentenceEncoder, hidden_layer_scores, read_head, softmax
from safety.levels import RiskLevel

HEAD_FILE = Path(__file__).parent / "heads" / "replies" / "head.safetensors"
OK = "ok"
_FROM_LEVEL: Mapping[str, RiskLevel] = {"dismissal": RiskLevel.MODERATE}
"""Kinds that are only a fault when somebody is at risk, as in ``rules/replies.yaml``."""


@dataclass(frozen=True, slots=True)
class ReplyHead:
    """Weights as written by ``python -m evals.train_reply_head``.

    Attributes:
        tensors: Mean and scale of the inputs, two layers.
        kinds: Name of each output; one is ``ok``.
        threshold: Chance of any fault from which a sentence is refused.
        threshold_at_risk: The same from moderate on, where a fault costs more.
    """

    tensors: Mapping[str, Array]
    kinds: tuple[str, ...]
    threshold: float
    threshold_at_risk: float

    def chances(self, vectors: Array) -> Array:
        """Probability of each kind; shape ``(n, kinds)``."""
        return softmax(hidden_layer_scores(self.tensors, vectors))


class ReplyClassifier:
    """Embeds the sentences of replies and asks the head; shareable between threads if the encoder is."""

    def __init__(self, encoder: SentenceEncoder, head: ReplyHead) -> None:
        self._encoder = encoder
        self._head = head

    def reasons(
        self, replies: Sequence[Sequence[str]], level: RiskLevel = RiskLevel.NONE
    ) -> list[tuple[str, ...]]:
        """Kinds of fault in each reply.

        Args:
            replies: Sentences of each reply.
            level: Risk level of the turn.
        """
        if not any(replies):
            return [() for _ in replies]
        vectors = np.concatenate([rows[1:] for rows in self._encoder.encode_sentences(replies)])
        kinds = iter([self._kind(row, level) for row in self._head.chances(vectors)])
        found = [[next(kinds) for _ in reply] for reply in replies]
        return [tuple(dict.fromkeys(kind for kind in reply if kind is not None)) for reply in found]

    def _kind(self, chances: Array, level: RiskLevel) -> str | None:
        """The likeliest fault, if a fault is likely enough at this level."""
        faults = {
            kind: float(chance)
            for kind, chance in zip(self._head.kinds, chances, strict=True)
            if kind != OK and level >= _FROM_LEVEL.get(kind, RiskLevel.NONE)
        }
        likeliest = max(faults, key=lambda kind: faults[kind])
        at_risk = level >= RiskLevel.MODERATE
        needed = self._head.threshold_at_risk if at_risk else self._head.threshold
        return likeliest if sum(faults.values()) >= needed else None


def load_reply_classifier(encoder: SentenceEncoder, path: Path = HEAD_FILE) -> ReplyClassifier:
    """Read the committed head for ``encoder``.

    Raises:
        HeadMismatchError: The head belongs to another encoder.
        OSError: The file cannot be read.
    """
    tensors, facts = read_head(path, encoder)
    head = ReplyHead(tensors, tuple(facts["kinds"]), facts["threshold"], facts["threshold_at_risk"])
    return ReplyClassifier(encoder, head)
