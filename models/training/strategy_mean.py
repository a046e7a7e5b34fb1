"""How the mean of two readers of strategies is chosen: on conversations that neither had seen."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.class_head import averaged, log_softmax, softmax
from models.head_file import Array
from models.strategy import gram_logits
from models.strategy_mean import StrategyMean
from models.training.class_scores import class_scores
from models.training.gram_classifier import train_grams
from models.training.multi_task_rows import StrategyRow
from models.training.strategies import load_strategies
from models.training.temperature import best_temperature

Ints = NDArray[np.int64]

WEIGHTS = tuple(round(0.05 * step, 2) for step in range(21))
FIGURES = ("accuracy", "weighted_f1", "macro_f1")


def choose(encoder: Array, reader: Array, truth: Ints) -> StrategyMean:
    """Temperatures and weight that are best on rows that neither had seen; the smallest weight of equals."""
    first, second = best_temperature(encoder, truth), best_temperature(reader, truth)

    def score(weight: float) -> float:
        found = class_scores(
            truth, softmax(averaged(encoder / first, reader / second, weight)), load_strategies().names
        )
        return sum(found[name] for name in FIGURES)

    weight = max(WEIGHTS, key=score)
    mean = best_temperature(averaged(encoder / first, reader / second, weight), truth)
    return StrategyMean(first, second, weight, mean)


def apart_outputs(rows: Sequence[StrategyRow], tuned: Path, words: float) -> tuple[Ints, Array]:
    """Numbers of the rows kept apart, and the encoder's outputs for them with its n-grams' part."""
    with np.load(tuned / "outputs.npz") as file:
        apart: Ints = file["rows"]
        outputs: Array = file["outputs"]
    if not words:
        return apart, outputs
    kept = set(apart.tolist())
    seen = [number for number, row in enumerate(rows) if row.split == "train" and number not in kept]
    labels = np.array([rows[number].label for number in seen])
    grams = train_grams([rows[number].text for number in seen], labels, len(load_strategies().names))
    return apart, averaged(outputs, gram_logits(grams, [rows[int(i)].text for i in apart]), words)


def read_outputs(rows: Sequence[StrategyRow], apart: Ints, reader: Path) -> tuple[Array, Array]:
    """The language model's log probabilities for the rows kept apart, and for the validation file.

    Args:
        rows: All of ESConv's rows.
        apart: Numbers of those that the encoder was kept from.
        reader: ``strategies_read.npz``.

    Raises:
        ValueError: The language model was kept from other rows.
    """
    expected = np.flatnonzero([row.split == "valid" for row in rows])
    with np.load(reader) as file:
        if not (np.array_equal(file["rows"], apart) and np.array_equal(file["valid_rows"], expected)):
            raise ValueError(f"{reader.name} is of other rows than the encoder's outputs")
        return log_softmax(file["outputs"]), log_softmax(file["valid_outputs"])
