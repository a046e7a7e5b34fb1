r"""Does a language model help the tuned encoder to read strategies? Their mean on ESConv's validation file.

    python -m evals.strategy_reader var/reader/strategies/strategies_read.npz --tuned var/strategies/tuned \
        --head var/heads/strategies-e5-strategies/head.safetensors --json evals/results/strategy_reader.json

On the conversations of the training file that both had been kept from, temperatures and the language model's
part of the mean of log probabilities are chosen, by the mean of accuracy, weighted and macro F1; the
validation file chooses nothing. ``--outputs`` keeps what the encoder says of that file (minutes on a CPU).
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from evals.provenance import provenance, write_results
from models.class_head import log_softmax, softmax
from models.encoder import STRATEGIES, TUNED, load_encoder
from models.head_file import Array, read_head
from models.strategy import averaged, gram_logits, load_strategy_reader
from models.training.class_scores import class_scores
from models.training.emotion_strategy_data import reply_places
from models.training.gram_classifier import train_grams
from models.training.multi_task_rows import StrategyRow
from models.training.multi_task_sources import esconv_rows
from models.training.strategies import load_strategies
from models.training.temperature import best_temperature

WEIGHTS = tuple(round(0.05 * step, 2) for step in range(21))
FIGURES = ("accuracy", "weighted_f1", "macro_f1")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the conversations kept apart tell.

    Attributes:
        encoder: Temperature of the encoder's outputs.
        reader: Temperature of the language model's.
        weight: Its part of the mean of log probabilities.
        mean: Temperature of that mean.
    """

    encoder: float
    reader: float
    weight: float
    mean: float

    def mixed(self, encoder: Array, reader: Array) -> Array:
        """Probabilities of the mean, ``(rows, strategies)``, from both outputs."""
        found = averaged(encoder / self.encoder, reader / self.reader, self.weight)
        return softmax(found / np.float32(self.mean))


def choose(encoder: Array, reader: Array, truth: NDArray[np.int64]) -> Chosen:
    """Temperatures and weight that are best on rows that neither had seen; the smallest weight of equals."""
    first, second = best_temperature(encoder, truth), best_temperature(reader, truth)

    def score(weight: float) -> float:
        found = class_scores(
            truth, softmax(averaged(encoder / first, reader / second, weight)), load_strategies().names
        )
        return sum(found[name] for name in FIGURES)

    weight = max(WEIGHTS, key=score)
    mean = best_temperature(averaged(encoder / first, reader / second, weight), truth)
    return Chosen(first, second, weight, mean)


def apart_outputs(rows: Sequence[StrategyRow], tuned: Path, words: float) -> tuple[NDArray[np.int64], Array]:
    """Numbers of the rows kept apart, and the encoder's outputs for them with its n-grams' part."""
    with np.load(tuned / "outputs.npz") as file:
        apart: NDArray[np.int64] = file["rows"]
        outputs: Array = file["outputs"]
    if not words:
        return apart, outputs
    kept = set(apart.tolist())
    seen = [number for number, row in enumerate(rows) if row.split == "train" and number not in kept]
    labels = np.array([rows[number].label for number in seen])
    grams = train_grams([rows[number].text for number in seen], labels, len(load_strategies().names))
    return apart, averaged(outputs, gram_logits(grams, [rows[int(i)].text for i in apart]), words)


def valid_outputs(rows: Sequence[StrategyRow], head: Path, temperature: float) -> Array:
    """Outputs for the validation file, read as the application reads replies, before its temperature."""
    reader = load_strategy_reader(load_encoder(TUNED), head)
    asked = [
        (row, place) for row, place in zip(rows, reply_places(rows), strict=True) if row.split == "valid"
    ]
    found = [reader.probabilities([row.text], row.context, place) for row, place in asked]
    return np.float32(temperature) * np.log(np.maximum(np.concatenate(found), 1e-9))


def compare(
    rows: Sequence[StrategyRow], apart: tuple[NDArray[np.int64], Array], valid: Array, reader: Path
) -> dict[str, Any]:
    """What was chosen, and how the encoder, the language model and their mean do.

    Args:
        rows: All of ESConv's rows.
        apart: Those kept apart and the encoder's outputs for them.
        valid: The encoder's outputs for the validation file.
        reader: ``strategies_read.npz``.

    Raises:
        ValueError: The language model was kept from other rows.
    """
    labels = np.array([row.label for row in rows])
    expected = np.flatnonzero([row.split == "valid" for row in rows])
    with np.load(reader) as file:
        if not (np.array_equal(file["rows"], apart[0]) and np.array_equal(file["valid_rows"], expected)):
            raise ValueError(f"{reader.name} is of other rows than the encoder's outputs")
        outputs, read = log_softmax(file["outputs"]), log_softmax(file["valid_outputs"])
    encoded = log_softmax(apart[1])
    chosen = choose(encoded, outputs, labels[apart[0]])
    names = load_strategies().names
    return {
        "weight": chosen.weight,
        "temperatures": {"encoder": chosen.encoder, "reader": chosen.reader, "mean": chosen.mean},
        "kept_apart": _three(labels[apart[0]], encoded, outputs, chosen, names),
        "validation": _three(labels[expected], log_softmax(valid), read, chosen, names),
    }


def _three(
    truth: NDArray[np.int64], encoder: Array, reader: Array, chosen: Chosen, names: Sequence[str]
) -> dict[str, Any]:
    return {
        "encoder": class_scores(truth, softmax(encoder / np.float32(chosen.encoder)), names),
        "reader": class_scores(truth, softmax(reader / np.float32(chosen.reader)), names),
        "mean": class_scores(truth, chosen.mixed(encoder, reader), names),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose, measure and write."""
    options = _options(arguments)
    torch.set_num_threads(1)
    _, rows = esconv_rows(options.data)
    facts = read_head(options.head, TUNED, STRATEGIES).facts
    kept: Path | None = options.outputs
    if kept is not None and kept.exists():
        with np.load(kept) as file:
            valid: Array = file["outputs"]
    else:
        valid = valid_outputs(rows, options.head, facts["temperature"])
        if kept is not None:
            np.savez_compressed(kept, allow_pickle=False, outputs=valid)
    results = compare(rows, apart_outputs(rows, options.tuned, facts["words"]), valid, options.reader)
    for place in ("kept_apart", "validation"):
        for name, scores in results[place].items():
            print(f"{place:10} {name:8}", *(f"{figure} {scores[figure]:.4f}" for figure in FIGURES))
    print(f"the language model's part: {results['weight']}")
    if options.json is not None:
        about = provenance(seed=facts["seed"], data="ESConv, training file (kept apart) and validation file")
        write_results(options.json, results, about)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.strategy_reader", description="Mean of two readers."
    )
    parser.add_argument("reader", type=Path, help="strategies_read.npz")
    parser.add_argument("--tuned", type=Path, required=True, help="folder that pair_tune wrote")
    parser.add_argument("--head", type=Path, required=True, help="head file that strategy_install wrote")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/esconv"))
    parser.add_argument("--outputs", type=Path, help="keeps the encoder's; read when it is there")
    parser.add_argument("--json", type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
