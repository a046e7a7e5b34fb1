"""Scores of a classifier with one answer a row, and how far its probabilities can be believed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]

BINS = 15
"""Bins of equal width of the calibration error, as in Guo et al. 2017, "On Calibration of Modern Neural
Networks"."""


def class_f1(truth: Numbers, found: Numbers, classes: int) -> NDArray[np.float64]:
    """F1 of each class; 0 for one that neither occurs nor is found.

    Args:
        truth: Right classes, ``(rows,)``.
        found: Predicted ones, same shape.
        classes: Number of classes.
    """
    hits = np.bincount(truth[truth == found], minlength=classes)
    both = np.bincount(truth, minlength=classes) + np.bincount(found, minlength=classes)
    return 2 * hits / np.maximum(both, 1)


def calibration_error(right: NDArray[np.bool_], sure: Floats, bins: int = BINS) -> float:
    """Expected calibration error: mean distance of accuracy and confidence, bins weighed by their rows.

    Args:
        right: Whether each first choice was right.
        sure: Its probability.
        bins: How many of equal width.
    """
    place = np.minimum((sure * bins).astype(np.int64), bins - 1)
    distance = 0.0
    for number in range(bins):
        own = place == number
        if own.any():
            distance += float(own.mean()) * abs(float(right[own].mean()) - float(sure[own].mean()))
    return distance


def class_scores(truth: Numbers, probabilities: Floats, names: Sequence[str]) -> dict[str, Any]:
    """Accuracy, F1 weighted by the classes' rows, macro-F1 of the classes that occur, ECE, and each class.

    Args:
        truth: Right classes, ``(rows,)``.
        probabilities: Of each class, ``(rows, classes)``.
        names: Of the classes.

    Returns:
        Shares from 0 to 1, rounded to four places, and ``rows``.
    """
    found = probabilities.argmax(axis=1)
    f1 = class_f1(truth, found, len(names))
    counts = np.bincount(truth, minlength=len(names))
    right = truth == found
    return {
        "rows": len(truth),
        "accuracy": round(float(right.mean()), 4),
        "weighted_f1": round(float(np.average(f1, weights=counts)), 4),
        "macro_f1": round(float(f1[counts > 0].mean()), 4),
        "ece": round(calibration_error(right, probabilities.max(axis=1)), 4),
        "classes": {
            name: {
                "rows": int(count),
                "recall": round(float(right[truth == number].mean()), 4) if count else None,
                "f1": round(float(value), 4),
            }
            for number, (name, count, value) in enumerate(zip(names, counts, f1, strict=True))
        },
    }
