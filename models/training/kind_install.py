r"""Puts the two readers of kinds of messages in their place, with what was chosen for them.

    python -m models.training.kind_install var/kinds/tuned var/reader/kinds --data var/kinds/tuning.npz

The first folder is what ``pair_tune`` wrote (an encoder and head), the second what ``reader_tune`` did for
the task ``kinds`` (the language model). Temperatures, the share that the second has, and the threshold of
each feeling are chosen on the messages that neither had learned from: a feeling is named from the lowest
chance at which enough such names are right. CPU: seconds.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from models.class_head import sigmoid, softmax
from models.encoder import KINDS_ENCODER
from models.head_file import Array
from models.kinds_file import KindsFacts, read_kinds_facts
from models.kinds_text import MOST_TOKENS
from models.message_kind import ANY_HEAVY, FOLDER, HEAVY, KINDS, UNSURE, mixed, told_kind
from models.reader_file import FILE
from models.training.class_scores import class_scores
from models.training.reader_install_file import write_reader
from models.training.reader_parts import part_file
from models.training.temperature import best_temperature, confident_from
from models.training.tuned_pair import read_tuned
from models.training.tuning_data import load
from models.weights import EMBEDDED_NAME


@dataclass(frozen=True, slots=True)
class Readings:
    """What one reader said of messages that it had not learned from.

    Attributes:
        kinds: Chances, ``(messages, kinds)``.
        feelings: Chances, ``(messages, feelings)``.
        temperature: At which the kinds' chances fit best.
    """

    kinds: Array
    feelings: Array
    temperature: float


PRECISION = 0.75
"""Share of named feelings that must be right; unsure writers named none, so the true share is higher."""
SHARES = tuple(round(0.05 * step, 2) for step in range(20))


def best_share(chances: Array, opinions: Array, labels: NDArray[np.int64]) -> float:
    """Share of the language model's opinion with the least log loss.

    Args:
        chances: The encoder's, ``(messages, kinds)``.
        opinions: The language model's, same shape.
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
    rows = tuned.rows
    labels, marks = arrays["label"][rows], arrays["marks"][rows]
    encoder = _read(tuned.outputs, labels)
    with np.load(options.reader / part_file("apart")) as file:
        if not np.array_equal(file["rows"], rows):
            sys.exit("kind_install: the reader was measured on other messages than the encoder")
        model = _read(file["outputs"], labels)
    felt = (encoder.feelings + model.feelings) * np.float32(0.5)
    least = thresholds(felt, marks)
    share = best_share(encoder.kinds, model.kinds, labels)
    both = mixed(encoder.kinds, model.kinds, share)
    facts: dict[str, Any] = {
        "encoder": KINDS_ENCODER,
        "names": list(KINDS),
        "marks": [str(name) for name in arrays["mark_names"]],
        "thresholds": least,
        "temperature": round(encoder.temperature, 4),
        "opinion_share": share,
        "data": str(arrays["data"]),
        "licence": str(arrays["licence"]),
        "kept_apart": {
            "encoder": _figures(encoder.kinds, labels),
            "language_model": _figures(model.kinds, labels),
            "both": _figures(both, labels),
            "feelings": feeling_figures(felt, marks, least),
        },
        "rows": tuned.metrics["rows"],
        "plan": tuned.metrics["plan"],
        "trials": tuned.metrics["trials"],
    }
    tuned.install(options.output, tuned.tensors, facts)
    _install_reader(options, model.temperature, facts)
    print(json.dumps({name: _brief(found) for name, found in facts["kept_apart"].items()}, indent=1))


def _read(outputs: Array, labels: NDArray[np.int64]) -> Readings:
    kinds = outputs[:, : len(KINDS)]
    temperature = best_temperature(kinds, labels)
    return Readings(softmax(kinds / np.float32(temperature)), sigmoid(outputs[:, len(KINDS) :]), temperature)


def _figures(chances: Array, labels: NDArray[np.int64]) -> dict[str, Any]:
    return told_figures(chances, labels) | class_scores(labels, chances, KINDS)


def _install_reader(options: argparse.Namespace, temperature: float, facts: Mapping[str, Any]) -> None:
    """Write the language model's changes beside the head."""
    metrics: dict[str, Any] = json.loads((options.reader / "metrics_apart.json").read_text("utf-8"))
    reader = KindsFacts(
        base=EMBEDDED_NAME,
        rank=int(metrics["plan"]["rank"]),
        context_tokens=MOST_TOKENS,
        data=facts["data"],
        licence=facts["licence"],
        kept_apart={key: metrics[key] for key in ("rows", "accuracy", "macro_f1", "plan")},
        marks=tuple(facts["marks"]),
        temperature=round(temperature, 4),
    )
    file = options.output / FILE
    write_reader(options.reader / "reader_all.safetensors", file, reader)
    read_kinds_facts(file)


def _brief(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if isinstance(value, float)}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that pair_tune wrote")
    parser.add_argument("reader", type=Path, help="folder that reader_tune wrote")
    parser.add_argument("--data", type=Path, required=True, help="what kind_pack wrote")
    parser.add_argument("--output", type=Path, default=FOLDER)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
