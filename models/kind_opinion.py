"""The language model's opinion of what kind of message it is and which feelings it voices.

A low-rank change of the embedded network (``models/heads/kinds-e5/reader.safetensors``), learned from the
same messages as the encoder that reads kinds; both together are right more often than either
(:mod:`models.message_kind`).
"""

from collections.abc import Sequence

import numpy as np

from models.class_head import sigmoid, softmax
from models.head_file import Array
from models.kinds_file import KindsFacts
from models.kinds_text import message_ids
from models.low_rank_reader import LowRankReader
from models.message_kind import KINDS, Opinion
from models.reader_text import TurnTokens


class OpinionReader:
    """Reads a person's newest message behind the one before it.

    Args:
        reader: The changed network.
        turns: Writes turns for it.
        facts: What the reader's file says.
    """

    def __init__(self, reader: LowRankReader, turns: TurnTokens, facts: KindsFacts) -> None:
        self._reader, self._turns, self._facts = reader, turns, facts

    def read(self, said: Sequence[str]) -> Opinion:
        """Chances of each kind and feeling.

        Args:
            said: The person's messages, oldest first, at least one.
        """
        ids = message_ids(self._turns, said, self._facts.context_tokens)
        outputs: Array = self._reader.outputs((), [ids]).numpy()
        kinds = softmax(outputs[:, : len(KINDS)] / np.float32(self._facts.temperature))
        return Opinion(kinds[0], sigmoid(outputs[0, len(KINDS) :]))
