"""Trains the classifier on a reply's word n-grams that stands beside the network on its vector."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]
from sklearn.linear_model import LogisticRegression

from models.head_file import Array
from models.word_grams import BUCKETS, gram_weights, word_grams

RAREST = 3
"""Texts that a bucket must occur in to count."""
STRENGTH = 3.0
"""Inverse of the regularisation of the logistic regression."""


def gram_idf(texts: Sequence[str]) -> Array:
    """ln((1 + n) / (1 + texts with it)) + 1 of each bucket; 0 for rare ones."""
    counts = np.zeros(BUCKETS, np.int64)
    for text in texts:
        counts[list(word_grams(text))] += 1
    idf = np.log((1 + len(texts)) / (1 + counts)) + 1.0
    return np.where(counts >= RAREST, idf, 0.0).astype(np.float32)


def train_grams(texts: Sequence[str], labels: NDArray[np.int64], classes: int) -> dict[str, Array]:
    """Tensors ``gram_idf``, ``grams`` and ``gram_bias`` for :func:`models.strategy.gram_logits`.

    Args:
        texts: Replies.
        labels: Their classes; every class occurs.
        classes: How many there are, at least three.

    Raises:
        ValueError: A class does not occur.
    """
    if len(set(labels.tolist())) != classes:
        raise ValueError(f"expected all of {classes} classes")
    idf = gram_idf(texts)
    found = [gram_weights(text, idf) for text in texts]
    ends = np.cumsum([0, *(len(places) for places, _ in found)])
    data = np.concatenate([weights for _, weights in found])
    places = np.concatenate([places for places, _ in found])
    matrix = cast(Any, csr_matrix)((data, places, ends), shape=(len(texts), BUCKETS))
    model = cast(Any, LogisticRegression)(C=STRENGTH, max_iter=400).fit(matrix, labels)
    return {
        "gram_idf": idf,
        "grams": model.coef_.T.astype(np.float32),
        "gram_bias": model.intercept_.astype(np.float32),
    }
