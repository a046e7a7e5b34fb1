"""Temperature scaling: one number that makes a classifier's probabilities fit how often it is right."""

import numpy as np
from numpy.typing import NDArray

from models.class_head import softmax

Floats = NDArray[np.float32]
_STEPS = np.geomspace(0.25, 8.0, 401).astype(np.float32)


def best_temperature(logits: Floats, truth: NDArray[np.int64]) -> float:
    """The temperature from 0.25 to 8 with the least mean negative log probability of the right class.

    Guo et al. 2017, "On Calibration of Modern Neural Networks", section 4.2. The order of the classes
    stays as it is.

    Args:
        logits: Of rows that were not trained on, ``(rows, classes)``.
        truth: Their right classes.

    Raises:
        ValueError: There are no rows.
    """
    if not len(truth):
        raise ValueError("a temperature needs rows")
    rows = np.arange(len(truth))
    losses = [-np.log(np.maximum(softmax(logits / step)[rows, truth], 1e-12)).mean() for step in _STEPS]
    return float(_STEPS[int(np.argmin(losses))])


def confident_from(probabilities: Floats, right: NDArray[np.bool_], precision: float) -> float:
    """The lowest probability above which first choices are right often enough.

    Args:
        probabilities: Of the first choices.
        right: Whether they were right.
        precision: Share that must be right.

    Returns:
        A probability; 1 when no part of the rows is right often enough.
    """
    order = np.argsort(-probabilities, kind="stable")
    share = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    fitting = np.flatnonzero(share >= precision)
    return float(probabilities[order[fitting[-1]]]) if len(fitting) else 1.0
