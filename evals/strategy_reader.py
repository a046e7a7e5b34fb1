r"""Does a language model help the tuned encoder to read strategies? Their mean on ESConv's validation file.

    python -m evals.strategy_reader var/reader/strategies/strategies_read.npz --tuned var/strategies/tuned \
        --head var/heads/strategies-e5-strategies/head.safetensors --json evals/results/strategy_reader.json

On the conversations of the training file that both had been kept from, temperatures and the language model's
part of the mean of log probabilities are chosen, by the mean of accuracy, weighted and macro F1; the
validation file chooses nothing. ``--outputs`` keeps what the encoder says of that file (minutes on a CPU).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from evals.provenance import provenance, write_results
from models.class_head import log_softmax, softmax
from models.encoder import STRATEGIES, TUNED, load_encoder
from models.head_file import Array, read_head
from models.strategy import load_strategy_reader
from models.strategy_mean import StrategyMean
from models.training.class_scores import class_scores
from models.training.emotion_strategy_data import reply_places
from models.training.multi_task_rows import StrategyRow
from models.training.multi_task_sources import esconv_rows
from models.training.strategies import load_strategies
from models.training.strategy_mean import FIGURES, apart_outputs, choose, read_outputs


def valid_outputs(rows: Sequence[StrategyRow], head: Path) -> Array:
    """Outputs for the validation file, read as the application reads replies, before its temperature."""
    reader = load_strategy_reader(load_encoder(TUNED), head)
    asked = [
        (row, place) for row, place in zip(rows, reply_places(rows), strict=True) if row.split == "valid"
    ]
    return np.concatenate([reader.outputs([row.text], row.context, place) for row, place in asked])


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
    outputs, read = read_outputs(rows, apart[0], reader)
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
    truth: NDArray[np.int64], encoder: Array, reader: Array, chosen: StrategyMean, names: Sequence[str]
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
        valid = valid_outputs(rows, options.head)
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
