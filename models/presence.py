"""How likely a whole reply carries each tactic, from the probabilities of its sentences.

``chance = σ(w0 + w1 · logit(likeliest sentence) + w2 · logit(at least one sentence))``, with ``at least one =
1 − Π (1 − p)`` as if sentences were independent. They are not, so the weights of each tactic are learned
(:mod:`models.training.presence`). A yes or no for each sentence throws away how sure the tagger was.
"""

import numpy as np
from numpy.typing import NDArray

from models.encoder import Vectors
from models.tactics import Tactic, TacticChances

Floats = NDArray[np.float64]

SUREST = 1e-3
"""Probabilities are cut so far from 0 and 1."""


def presence(probabilities: Vectors, weights: Vectors) -> TacticChances:
    """The chance of each tactic; none for a reply without sentences.

    Args:
        probabilities: Of each sentence and tactic, ``(sentences, 10)``.
        weights: ``w0, w1, w2`` of each tactic, ``(10, 3)``.
    """
    if not len(probabilities):
        return {}
    ones = np.ones((1, len(Tactic)))
    sums = (weights.astype(np.float64).T * np.concatenate([ones, signs_of(probabilities)])).sum(axis=0)
    return {tactic: float(1 / (1 + np.exp(-value))) for tactic, value in zip(Tactic, sums, strict=True)}


def signs_of(probabilities: Vectors) -> Floats:
    """Logits of the likeliest sentence and of at least one, ``(2, 10)``."""
    rows = probabilities.astype(np.float64)
    return logit(np.stack([rows.max(axis=0), 1 - np.prod(1 - rows, axis=0)]))


def by_thresholds(thresholds: Vectors) -> Vectors:
    """Weights where none were learned: the likeliest sentence, one half at the tactic's threshold."""
    count = len(thresholds)
    return np.stack([-logit(thresholds), np.ones(count), np.zeros(count)], axis=1).astype(np.float32)


def logit(probabilities: NDArray[np.floating]) -> Floats:
    """Log odds, cut at :data:`SUREST`."""
    cut = np.clip(probabilities.astype(np.float64), SUREST, 1 - SUREST)
    return np.log(cut / (1 - cut))
