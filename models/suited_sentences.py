"""Sentences that suit one message and not only its kind, where a head is sure enough of them.

What is true of every message of a kind sounds like it. So for some thousand messages readers chose sentences
from a longer list (``models/training/echoed/closer.yaml``), and a linear head on the reader of kinds learned
their choices (:mod:`models.training.suited_fit`). Below its threshold a sentence is not offered: a general
one is better than one that is nearly right. Nor is one that is likely for any message of the kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.class_head import sigmoid
from models.head_file import Array, Head, HeadError, read_head

SUITED_FILE = "suited.safetensors"
_MOST = 2
_NEAR = 0.8
"""Share of the best one's chance that another one must have to be offered beside it."""
LIFT = 1.25
"""Times its share of all choices for the kind that a sentence's chance must be: the message speaks for it."""


@dataclass(frozen=True, slots=True)
class Suited:
    """Sentences that suit a message, the best first: of understanding, and questions to end with."""

    understanding: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


NONE_SUITED = Suited()


class SuitedHead:
    """Finds sentences by the inputs of the head of kinds.

    Args:
        head: An output for each of the ``sentences`` of its facts, pairs of kind and text; ``thresholds``
            are the chances from which they are offered, by kind: of understanding and of questions. The
            tensor ``base`` holds how often each was chosen, ``(sentences,)``.

    Raises:
        HeadError: The facts don't go with the weights.
    """

    def __init__(self, head: Head) -> None:
        sentences: Sequence[Sequence[str]] = head.facts.get("sentences", ())
        if len(sentences) != len(head.tensors["b0"]):
            raise HeadError("the head of suited sentences has another number of sentences than outputs")
        self._head = head
        self._texts = [text for _, text in sentences]
        self._places: dict[tuple[str, bool], list[int]] = {}
        for place, (kind, text) in enumerate(sentences):
            self._places.setdefault((kind, text.endswith("?")), []).append(place)
        self._thresholds: dict[str, Sequence[float]] = head.facts["thresholds"]

    def suited(self, kind: str, inputs: Array) -> Suited:
        """What suits a message of this kind.

        Args:
            kind: As it was told; one that the head does not know has none.
            inputs: Of the head of kinds, ``(features,)``.
        """
        if kind not in self._thresholds:
            return NONE_SUITED
        chances = spoken_for(sigmoid(self._head.forward(inputs[None])[0]), self._head.tensors["base"])
        understanding, questions = self._thresholds[kind]
        return Suited(
            self._best(chances, self._places.get((kind, False), []), understanding),
            self._best(chances, self._places.get((kind, True), []), questions),
        )

    def _best(self, chances: Array, places: Sequence[int], least: float) -> tuple[str, ...]:
        ranked = sorted(places, key=lambda place: -chances[place])[:_MOST]
        if not ranked:
            return ()
        near = max(least, _NEAR * float(chances[ranked[0]]))
        return tuple(self._texts[place] for place in ranked if chances[place] >= near)


def spoken_for(chances: Array, base: Array) -> Array:
    """The chances, 0 where a sentence is hardly likelier than for any message.

    Args:
        chances: ``(…, sentences)``.
        base: How often each was chosen, ``(sentences,)``.
    """
    return np.where(chances >= LIFT * base, chances, np.float32(0))


def read_suited(path: Path, encoder: str) -> SuitedHead | None:
    """The head of a file; ``None`` where there is no such file.

    Args:
        path: Of the file.
        encoder: That the head of kinds reads with.

    Raises:
        HeadError: The file is broken, or for another encoder.
    """
    if not path.exists():
        return None
    head = read_head(path, encoder)
    if not {"mean", "scale", "w0", "b0", "base"} <= set(head.tensors) or not np.all(
        np.isfinite(head.tensors["w0"])
    ):
        raise HeadError(f"{path.name} lacks weights")
    return SuitedHead(head)
