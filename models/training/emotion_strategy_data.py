"""Texts of GoEmotions and ESConv with their classes, split as the recipe for both heads needs them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.encoder import Encoder, Vectors
from models.strategy import strategy_inputs
from models.training.embedding_store import whole_vectors
from models.training.multi_task_rows import EMOTIONS, STRATEGIES, EmotionRow, StrategyRow
from models.training.multi_task_sources import emotion_rows, esconv_rows

NEUTRAL = EMOTIONS
CLASSES = EMOTIONS + 1
"""27 emotions and *neutral*, the last one."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Inputs and classes of one side.

    Attributes:
        inputs: ``(rows, features)``.
        targets: Share of each class, ``(rows, classes)``; a row with two emotions has two halves.
        groups: Text or conversation of each row; a group is never split.
        texts: As written.
    """

    inputs: Vectors
    targets: Vectors
    groups: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def truth(self) -> NDArray[np.int64]:
        """The first class of each row."""
        return self.targets.argmax(axis=1)

    @property
    def single(self) -> NDArray[np.bool_]:
        """Rows with exactly one class."""
        return self.targets.max(axis=1) > 1 - 1e-6

    def rows(self, chosen: NDArray[np.bool_]) -> "Examples":
        """Some of the rows."""
        places = np.flatnonzero(chosen)
        return Examples(
            self.inputs[places],
            self.targets[places],
            tuple(self.groups[place] for place in places),
            tuple(self.texts[place] for place in places),
        )


def emotion_examples(folder: Path, encoder: Encoder, cache: Path) -> dict[str, Examples]:
    """GoEmotions by split: ``train`` and ``valid`` (5 % of the training file), ``test`` (the dev file).

    Raises:
        ValueError: A file is missing or a row is wrong.
    """
    rows = emotion_rows(folder)
    vectors = whole_vectors(encoder, [row.text for row in rows], cache)
    whole = Examples(
        vectors,
        np.stack([_emotion_target(row) for row in rows]),
        tuple(row.group for row in rows),
        tuple(row.text for row in rows),
    )
    split = np.array([row.split for row in rows])
    return {name: whole.rows(split == name) for name in ("train", "valid", "test")}


def with_one_emotion(examples: Examples) -> Examples:
    """The texts that carry exactly one emotion, none of them *neutral*."""
    return examples.rows(examples.single & (examples.truth != NEUTRAL))


@dataclass(frozen=True, slots=True)
class StrategyTurns:
    """Supporter turns of ESConv, of which each trial takes the inputs that it names."""

    rows: tuple[StrategyRow, ...]
    places: tuple[int, ...]
    vectors: Vectors
    contexts: Vectors

    def examples(self, features: Sequence[str]) -> dict[str, Examples]:
        """The turns by split (``train``, ``valid``), as published."""
        inputs = [
            strategy_inputs(features, vector, context, place, row.text)
            for row, place, vector, context in zip(
                self.rows, self.places, self.vectors, self.contexts, strict=True
            )
        ]
        targets = np.eye(STRATEGIES, dtype=np.float32)[[row.label for row in self.rows]]
        whole = Examples(
            np.stack(inputs),
            targets,
            tuple(row.group for row in self.rows),
            tuple(row.text for row in self.rows),
        )
        split = np.array([row.split for row in self.rows])
        return {name: whole.rows(split == name) for name in ("train", "valid")}


def strategy_turns(folder: Path, encoder: Encoder, cache: Path) -> StrategyTurns:
    """Labelled supporter turns of ESConv (CC BY-NC 4.0) with the message before them.

    Raises:
        ValueError: A file is missing or a row is wrong.
    """
    rows = tuple(esconv_rows(folder)[1])
    return StrategyTurns(
        rows,
        reply_places(rows),
        whole_vectors(encoder, [row.text for row in rows], cache),
        whole_vectors(encoder, [row.context for row in rows], cache),
    )


def reply_places(rows: Sequence[StrategyRow]) -> tuple[int, ...]:
    """For each turn how many of its conversation's supporter turns stand before it."""
    return tuple(place for _, turns in groupby(rows, lambda row: row.group) for place, _ in enumerate(turns))


def _emotion_target(row: EmotionRow) -> Vectors:
    target = np.zeros(CLASSES, np.float32)
    target[list(row.labels) or [NEUTRAL]] = 1.0 / max(len(row.labels), 1)
    return target
