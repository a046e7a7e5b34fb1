"""Puts an encoder and head that tell fitting replies in their place, with the temperature that was chosen.

    python -m models.training.answer_install var/answers/tuned --data var/answers/tuning.npz

The temperature is chosen on the messages that the trial had not seen. CPU: seconds.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.answers import FOLDER, VERDICTS
from models.class_head import softmax
from models.encoder import ANSWERS
from models.head_file import Array
from models.training.temperature import best_temperature
from models.training.tuned_pair import read_tuned
from models.training.tuning_data import load


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose the temperature, measure and write."""
    options = _options(arguments)
    arrays = load(options.data).arrays
    tuned = read_tuned(options.tuned)
    rows, outputs = tuned.rows, tuned.outputs
    labels = arrays["label"][rows]
    facts: dict[str, Any] = {
        "encoder": ANSWERS,
        "names": list(VERDICTS),
        "temperature": round(best_temperature(outputs, labels), 4),
        "data": str(arrays["data"]),
        "licence": str(arrays["licence"]),
        "kept_apart": choice_figures(outputs, labels, arrays["conversation"][rows]),
        "rows": tuned.metrics["rows"],
        "plan": tuned.metrics["plan"],
        "trials": tuned.metrics["trials"],
    }
    tuned.install(options.output, tuned.tensors, facts)
    print(json.dumps(facts["kept_apart"], indent=1))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that pair_tune wrote")
    parser.add_argument("--data", type=Path, required=True, help="what answer_pack wrote")
    parser.add_argument("--output", type=Path, default=FOLDER)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
