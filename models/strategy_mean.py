"""The mean of what an encoder's head and a language model say of a reply's strategy."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from models.chat_model import ChatMessage
from models.class_head import averaged, softmax
from models.empathy import last_user_text
from models.head_file import Array
from models.strategy import StrategyReader


@dataclass(frozen=True, slots=True)
class StrategyMean:
    """How two readers' outputs are brought together.

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


class Reads(Protocol):
    """What is needed of :class:`models.language_reader.LanguageReader`."""

    def outputs(self, replies: Sequence[str], context: Sequence[ChatMessage]) -> Array:
        """Outputs for each reply, ``(replies, strategies)``."""
        ...


class MeanReader:
    """Names strategies by the mean; the language model is loaded at its first use.

    Args:
        encoder: The head that reads a reply behind its message.
        load: Makes the language model, which reads all turns; takes seconds.
        mean: How the two are brought together.
    """

    def __init__(self, encoder: StrategyReader, load: Callable[[], Reads], mean: StrategyMean) -> None:
        self._encoder = encoder
        self._load = load
        self._mean = mean
        self._reads: Reads | None = None
        self._lock = threading.Lock()
        self.names = encoder.names

    def probabilities(self, replies: Sequence[str], context: Sequence[ChatMessage], earlier: int) -> Array:
        """Calibrated probabilities, ``(replies, strategies)``.

        Args:
            replies: Candidate replies.
            context: The turns that they follow, oldest first.
            earlier: Replies before these in the conversation.
        """
        if not replies:
            return np.zeros((0, len(self.names)), np.float32)
        outputs = self._encoder.outputs(replies, last_user_text(context), earlier)
        return self._mean.mixed(outputs, self._loaded().outputs(replies, context))

    def read(self, replies: Sequence[str], context: Sequence[ChatMessage], earlier: int) -> list[str]:
        """The likeliest strategy of each reply; arguments as of :meth:`probabilities`."""
        return [self.names[row] for row in self.probabilities(replies, context, earlier).argmax(axis=1)]

    def _loaded(self) -> Reads:
        with self._lock:
            if self._reads is None:
                self._reads = self._load()
            return self._reads
