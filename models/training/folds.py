"""Splits by conversation: replies to one context must never stand on both sides."""

from collections.abc import Sequence

import numpy as np


def conversation_folds(conversations: Sequence[str], folds: int, seed: int) -> dict[str, int]:
    """Assign each conversation to one of ``folds`` parts of equal size, at random.

    Args:
        conversations: Their ids, in any order.
        folds: Number of parts, at least 2.
        seed: Of the assignment.

    Raises:
        ValueError: If there are fewer conversations than parts.
    """
    ids = sorted(set(conversations))
    if not 2 <= folds <= len(ids):
        raise ValueError(f"{len(ids)} conversations can't be split into {folds} parts")
    order = np.random.default_rng(seed).permutation(len(ids))
    return {ids[int(place)]: number % folds for number, place in enumerate(order)}
