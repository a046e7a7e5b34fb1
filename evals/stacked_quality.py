"""One Q from the predictions of several models: a ridge regression, learned on the other folds.

A mean of predictions treats all models alike and everything else as settled. Here the six ratings, the
tactics that a reply is likely to carry and its length count as well, each as it is and less the mean of the
replies to the same context: what the judge likes in a reply is partly what the other replies lack.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.encoder import Vectors
from models.tactics import Tactic, TacticChances
from models.training.mint_data import HUMAN, MintData, by_context

Floats = NDArray[np.float64]

PENALTY = 10.0
"""On the squared weights of standardized columns; 1 to 100 give the same to the third place."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one model says of each reply, in the order of the data.

    Attributes:
        quality: Its Q.
        ratings: Its ratings, ``(replies, ratings)``; without columns where it has none.
    """

    quality: Vectors
    ratings: Vectors


def columns_of(data: MintData, opinions: Sequence[Opinion], chances: Sequence[TacticChances]) -> Floats:
    """The numbers that Q is predicted from, ``(replies, columns)``."""
    said = [column for one in opinions for column in (one.quality[:, None], one.ratings)]
    tactics = [[one.get(tactic, 0.0) for tactic in Tactic] for one in chances]
    length = [[np.log1p(len(reply.text.split())), len(reply.sentences)] for reply in data.replies]
    own = np.concatenate([*said, tactics, length], axis=1).astype(np.float64)
    return np.concatenate([own, own - _means(data, own)], axis=1)


def _means(data: MintData, columns: Floats) -> Floats:
    """The mean of the replies to the same context; the human supporter's is no candidate."""
    means = np.zeros_like(columns)
    for group in by_context(data.replies).values():
        systems = [i for i in group if data.replies[i].system != HUMAN] or group
        means[group] = columns[systems].mean(axis=0)
    return means


def cross_fit(columns: Floats, judged: Vectors, fold: NDArray[np.int64]) -> Vectors:
    """Predictions for each fold by a regression on the rated replies of the others.

    Args:
        columns: See :func:`columns_of`.
        judged: What is to be predicted; ``nan`` where it is not known.
        fold: Of each reply.
    """
    found = np.zeros(len(columns), np.float32)
    for number in np.unique(fold):
        seen = (fold != number) & ~np.isnan(judged)
        found[fold == number] = ridge(columns[seen], judged[seen])(columns[fold == number])
    return found


@dataclass(frozen=True, slots=True)
class Ridge:
    """A linear regression on standardized columns."""

    mean: Floats
    scale: Floats
    weights: Floats
    offset: float

    def __call__(self, columns: Floats) -> Floats:
        """Predictions, one for each row."""
        return (columns - self.mean) / self.scale @ self.weights + self.offset


def ridge(columns: Floats, wanted: Vectors, penalty: float = PENALTY) -> Ridge:
    """Least squares plus ``penalty`` times the squared weights of the standardized columns."""
    mean, scale = columns.mean(axis=0), columns.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    standard = (columns - mean) / scale
    offset = float(wanted.mean(dtype=np.float64))
    square = standard.T @ standard + penalty * np.eye(standard.shape[1])
    weights: Floats = np.asarray(np.linalg.solve(square, standard.T @ (wanted - offset)), np.float64)
    return Ridge(mean, scale, weights, offset)
