"""Whether an installed reader says of ESConv's turns what it said when it had been tuned."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.chat_model import ChatMessage
from models.language_reader import LanguageReader
from models.training.reader_strategies import esconv_dialogues

Turn = tuple[Sequence[ChatMessage], str]


def supporter_turns(folder: Path) -> list[Turn]:
    """What was said before, and the turn, in the order of the packed rows."""
    return [
        (dialogue[:place], turn.content)
        for dialogue in esconv_dialogues(folder)
        for place, turn in enumerate(dialogue)
        if turn.role == "assistant"
    ]


def agreement(reader: LanguageReader, folder: Path, read: Path, turns: int) -> float:
    """Share of some turns of the validation file whose likeliest strategy is the one that it was.

    No label is looked at. Other numbers of the arithmetic move few turns; another language model, another
    part's changes or another length of the context many.

    Args:
        reader: The installed one.
        folder: Where ESConv's two files are.
        read: ``strategies_read.npz``.
        turns: How many, evenly spread.
    """
    with np.load(read) as file:
        rows, outputs = file["valid_rows"], file["valid_outputs"]
    places = np.unique(np.linspace(0, len(rows) - 1, turns).round().astype(np.int64))
    said = supporter_turns(folder)
    same = 0
    for place in places.tolist():
        context, reply = said[int(rows[place])]
        same += int(reader.outputs([reply], context).argmax() == outputs[place].argmax())
    return same / len(places)
