"""What choosing among the replies to a message by a reader's verdicts is worth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.answers import VERDICTS
from models.class_head import softmax
from models.head_file import Array


def choice_figures(outputs: Array, labels: NDArray[np.int64], messages: NDArray[np.int64]) -> dict[str, Any]:
    """What choosing among the replies to one message by these outputs is worth.

    Args:
        outputs: ``(rows, verdicts)``.
        labels: The verdicts, ``(rows,)``.
        messages: Number of the message of each row; those with one reply are left out.

    Returns:
        ``messages``, and the share of fitting and of missing replies by ``chance``, as ``chosen``, and the
        share of messages for which any reply fits (``best``).
    """
    found = softmax(outputs)
    value = found[:, 2] - found[:, 0]
    groups = [rows for one in np.unique(messages) if len(rows := np.flatnonzero(messages == one)) > 1]
    best = np.array([labels[rows[value[rows].argmax()]] for rows in groups])

    def shares(verdict: int) -> dict[str, float]:
        chance = float(np.mean([(labels[rows] == verdict).mean() for rows in groups]))
        return {"chance": round(chance, 4), "chosen": round(float((best == verdict).mean()), 4)}

    fits = len(VERDICTS) - 1
    any_fits = float(np.mean([(labels[rows] == fits).any() for rows in groups]))
    return {
        "messages": len(groups),
        "fits": shares(fits) | {"best": round(any_fits, 4)},
        "misses": shares(0),
    }
