"""Scores of the heads: macro-F1 of tags, and how well Q ranks the replies to one context."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
_STEPS = np.arange(0.05, 0.96, 0.025)


def macro_f1(truth: Flags, found: Flags) -> NDArray[np.float64]:
    """For each tactic the mean of F1 for present and F1 for absent.

    Args:
        truth: Tags, ``(sentences, tactics)``.
        found: Predicted tags, same shape.

    Returns:
        One value for each tactic; their mean is the macro-F1 of the MINT paper's taggers.
    """
    hits, misses = (truth & found).sum(0), (truth & ~found).sum(0)
    alarms, rejections = (~truth & found).sum(0), (~truth & ~found).sum(0)
    present = 2 * hits / np.maximum(2 * hits + alarms + misses, 1)
    absent = 2 * rejections / np.maximum(2 * rejections + alarms + misses, 1)
    return (present + absent) / 2


def best_thresholds(truth: NDArray[np.float32], probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each tactic the threshold with the best :func:`macro_f1`, the lowest of equals."""
    scores = np.stack([macro_f1(truth > 0.5, probabilities >= step) for step in _STEPS])
    return _STEPS[scores.argmax(axis=0)].astype(np.float32)


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Spearman's rank correlation with mean ranks for ties; ``None`` when one side is constant."""
    x, y = _ranks(a), _ranks(b)
    x, y = x - x.mean(), y - y.mean()
    norm = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / norm if norm else None


def mean_of(values: Iterable[float | None]) -> float:
    """Mean of what is not ``None``; ``nan`` when nothing is."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else float("nan")


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    data = np.asarray(values, dtype=np.float64)
    _, inverse, counts = np.unique(data, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]
