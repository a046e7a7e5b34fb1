"""Learns how the probabilities of a reply's sentences say what the whole reply carries."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BEFORE = (0.0, 1.0, 0.0)
"""Weights that are kept where there is nothing to learn from: the likeliest sentence says it all."""
PENALTY = 1.0
"""On the squared distance from them."""
STEPS = 30


def fit_presence(signs: Floats, carried: NDArray[np.bool_]) -> NDArray[np.float32]:
    """A logistic regression for each tactic, by Newton's method.

    Args:
        signs: Of each reply, ``(replies, 2, 10)``; see :func:`models.presence.signs_of`.
        carried: Whether it carries each tactic, ``(replies, 10)``.

    Returns:
        Weights of each tactic, ``(10, 3)``.
    """
    ones = np.ones((len(signs), 1))
    return np.stack(
        [
            _fit(np.concatenate([ones, signs[:, :, place]], axis=1), carried[:, place].astype(np.float64))
            for place in range(carried.shape[1])
        ]
    ).astype(np.float32)


def _fit(columns: Floats, wanted: Floats) -> Floats:
    before = np.array(BEFORE)
    weights = before
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(columns @ weights)))
        slope = columns.T @ (chance - wanted) + PENALTY * (weights - before)
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + PENALTY * np.eye(len(before))
        step = np.asarray(np.linalg.solve(bend, slope), np.float64)
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return weights
