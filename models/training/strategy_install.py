"""Makes the head file of a tuned strategy encoder, ready for the application, from what tuning left.

    python -m models.training.strategy_install var/strategies/tuned --data ../shared/data/esconv \
        --output var/heads/strategies-e5-strategies

The share of the classifier on word n-grams and the temperature are chosen on the conversations of the
training file that the trial had not seen. CPU: about two minutes.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.class_head import averaged
from models.encoder import STRATEGIES
from models.head_file import Array
from models.strategy import PAIR_FEATURES, gram_logits
from models.training.class_scores import class_scores
from models.training.gram_classifier import train_grams
from models.training.multi_task_sources import esconv_rows
from models.training.strategies import load_strategies
from models.training.temperature import best_temperature
from models.training.tuned_pair import read_tuned

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4)


def choose_share(outputs: Array, words: Array, labels: NDArray[np.int64]) -> tuple[float, float]:
    """Share of the n-grams with the best accuracy and weighted F1 together, and that head's temperature.

    Args:
        outputs: Of the tuned head on rows it had not seen, ``(rows, strategies)``.
        words: The same of the classifier on n-grams.
        labels: Their strategies, ``(rows,)``.
    """
    names = load_strategies().names

    def score(share: float) -> float:
        found = class_scores(labels, np.exp(averaged(outputs, words, share)), names)
        return found["accuracy"] + found["weighted_f1"]

    share = max(SHARES, key=score)
    return share, best_temperature(averaged(outputs, words, share) if share else outputs, labels)


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose, train the n-grams and write."""
    options = _options(arguments)
    rows = [row for row in esconv_rows(options.data)[1] if row.split == "train"]
    texts = np.array([row.text for row in rows])
    labels = np.array([row.label for row in rows])
    tuned = read_tuned(options.tuned)
    apart, outputs = tuned.rows, tuned.outputs
    seen = np.setdiff1d(np.arange(len(rows)), apart)
    names = load_strategies().names
    grams = train_grams(texts[seen].tolist(), labels[seen], len(names))
    words = gram_logits(grams, texts[apart].tolist())
    share, temperature = choose_share(outputs, words, labels[apart])
    tensors = dict(tuned.tensors)
    if share:
        tensors |= train_grams(texts.tolist(), labels, len(names))
    facts: dict[str, Any] = {
        "encoder": STRATEGIES,
        "head": "strategies",
        "strategies": list(names),
        "features": list(PAIR_FEATURES),
        "pairs": True,
        "words": share,
        "temperature": round(temperature, 4),
        "data": "ESConv, training file",
        "licence": "CC BY-NC 4.0",
        "plan": tuned.metrics["plan"],
        "seed": tuned.metrics["plan"]["seed"],
        "trials": tuned.metrics["trials"],
    }
    tuned.install(options.output, tensors, facts)
    print(f"n-grams {share}, temperature {temperature:.3f}; {options.output / 'head.safetensors'}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that pair_tune wrote")
    parser.add_argument("--data", type=Path, required=True, help="folder with ESConv's two files")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
