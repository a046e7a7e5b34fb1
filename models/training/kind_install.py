r"""Puts an encoder and head that read kinds of messages in their place, with what was chosen for them.

    python -m models.training.kind_install var/kinds/tuned --data var/kinds/tuning.npz \
        --opinions var/kinds/opinions.npz

Temperature, the share that the chat model's own opinion has, and the threshold of each feeling are chosen
on the messages that neither had learned from: a feeling is named from the lowest chance at which enough
such names are right. CPU: seconds.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from models.class_head import softmax
from models.encoder import KINDS_ENCODER
from models.head_file import Array
from models.message_kind import ANY_HEAVY, FOLDER, HEAVY, KINDS, UNSURE, mixed, told_kind
from models.training.class_scores import class_scores
from models.training.temperature import best_temperature, confident_from
from models.training.tuned_pair import read_tuned
from models.training.tuning_data import load

PRECISION = 0.75
"""Share of named feelings that must be right; unsure writers named none, so the true share is higher."""
SHARES = tuple(round(0.05 * step, 2) for step in range(20))


def best_share(chances: Array, opinions: Array, labels: NDArray[np.int64]) -> float:
    """Share of the chat model's opinion with the least log loss.

    Args:
        chances: The encoder's, ``(messages, kinds)``.
        opinions: The chat model's, same shape.
        labels: Kinds, ``(messages,)``.
    """

    def loss(share: float) -> float:
        found = mixed(chances, opinions, share)[np.arange(len(labels)), labels]
        return -float(np.log(np.maximum(found, 1e-9)).mean())

    return min(SHARES, key=loss)


def told_figures(chances: Array, labels: NDArray[np.int64]) -> dict[str, float]:
    """How often the right kind is told, less than it (heavy or unsure), and another.

    Args:
        chances: Of each kind, ``(messages, kinds)``.
        labels: Kinds, ``(messages,)``.
    """
    told = [told_kind(row) for row in chances]
    true: list[str] = [KINDS[int(cast(np.int64, label))] for label in labels]
    right = [said == kind for said, kind in zip(told, true, strict=True)]
    less = [
        said == UNSURE or (said == ANY_HEAVY and kind in HEAVY) for said, kind in zip(told, true, strict=True)
    ]
    crossed = [
        (kind in HEAVY and said in ("good", "small")) or (kind == "good" and said in (*HEAVY, ANY_HEAVY))
        for said, kind in zip(told, true, strict=True)
    ]
    shares = {"right": right, "less": less, "pain_for_joy_or_joy_for_pain": crossed}
    return {name: round(float(np.mean(found)), 4) for name, found in shares.items()}


def thresholds(chances: Array, marks: Array) -> list[float]:
    """From which chance each feeling is named; 1 where it never is sure enough.

    Args:
        chances: Of each feeling, ``(messages, feelings)``.
        marks: Whether it is voiced, same shape.
    """
    return [
        round(confident_from(own, true > 0, PRECISION), 4)
        for own, true in zip(chances.T, marks.T, strict=True)
    ]


def feeling_figures(chances: Array, marks: Array, least: Sequence[float]) -> dict[str, float]:
    """Precision and recall of all named feelings, and the share of messages with one."""
    named = chances >= np.array(least)
    hits = float((named & (marks > 0)).sum())
    return {
        "precision": round(hits / max(1, int(named.sum())), 4),
        "recall": round(hits / max(1, int(marks.sum())), 4),
        "messages_with_one": round(float(named.any(axis=1).mean()), 4),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose, measure and write."""
    options = _options(arguments)
    arrays = load(options.data).arrays
    tuned = read_tuned(options.tuned)
    rows, outputs = tuned.rows, tuned.outputs
    labels, marks = arrays["label"][rows], arrays["marks"][rows]
    kinds = outputs[:, : len(KINDS)]
    chances: Array = (1 / (1 + np.exp(-outputs[:, len(KINDS) :]))).astype(np.float32)
    least = thresholds(chances, marks)
    temperature = best_temperature(kinds, labels)
    read = softmax(kinds / temperature)
    with np.load(options.opinions) as file:
        if not np.array_equal(file["rows"], rows):
            sys.exit("kind_install: the opinions are of other messages than those kept from the trial")
        opinions: Array = file["chances"]
    share = best_share(read, opinions, labels)
    both = mixed(read, opinions, share)
    facts: dict[str, Any] = {
        "encoder": KINDS_ENCODER,
        "names": list(KINDS),
        "marks": [str(name) for name in arrays["mark_names"]],
        "thresholds": least,
        "temperature": round(temperature, 4),
        "opinion_share": share,
        "data": str(arrays["data"]),
        "licence": str(arrays["licence"]),
        "kept_apart": {
            "encoder": told_figures(read, labels) | class_scores(labels, read, KINDS),
            "chat_model": told_figures(opinions, labels) | class_scores(labels, opinions, KINDS),
            "both": told_figures(both, labels) | class_scores(labels, both, KINDS),
            "feelings": feeling_figures(chances, marks, least),
        },
        "rows": tuned.metrics["rows"],
        "plan": tuned.metrics["plan"],
        "trials": tuned.metrics["trials"],
    }
    tuned.install(options.output, tuned.tensors, facts)
    print(json.dumps({name: _brief(found) for name, found in facts["kept_apart"].items()}, indent=1))


def _brief(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if isinstance(value, float)}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that pair_tune wrote")
    parser.add_argument("--data", type=Path, required=True, help="what kind_pack wrote")
    parser.add_argument("--opinions", type=Path, required=True, help="what kind_opinions wrote")
    parser.add_argument("--output", type=Path, default=FOLDER)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
