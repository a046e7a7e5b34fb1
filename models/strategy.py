"""Which of ESConv's eight support strategies a reply follows."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from models.chat_model import ChatMessage
from models.class_head import averaged, calibrated
from models.empathy import last_user_text, text_numbers
from models.encoder import STRATEGIES, Encoder, EncoderError, Vectors, tuned_encoder
from models.head_file import Array, Head, HeadError, read_head
from models.sentences import split_sentences
from models.word_grams import gram_weights

ADAPTER = "adapter.safetensors"
"""Changed weights of an encoder that only this head reads, in the folder of its file."""
PAIR_FEATURES = ("text", "context", "place")
"""What a head sees whose encoder reads a reply behind its message."""
MESSAGE_WORDS = 150
"""Words from the end of a person's message that such an encoder reads with the reply."""
LATE = 20
"""Replies before a reply from which its place counts as no later."""


def place_numbers(earlier: int) -> list[float]:
    """Place of a reply in its conversation: share of ``LATE`` earlier replies, whether it is the first."""
    return [min(earlier, LATE) / LATE, float(earlier == 0)]


def strategy_inputs(
    features: Sequence[str], vector: Vectors, context: Vectors, earlier: int, text: str
) -> Vectors:
    """Inputs of the head for one reply.

    Args:
        features: Parts in their order: ``text``, ``context``, ``place``, ``numbers``.
        vector: Of the reply, ``(dim,)``.
        context: Of the message that it answers, ``(dim,)``.
        earlier: Replies before it.
        text: The reply.
    """
    parts: dict[str, Vectors] = {
        "text": vector,
        "context": context,
        "place": np.array(place_numbers(earlier), np.float32),
        "numbers": np.array(text_numbers(split_sentences(text)), np.float32),
    }
    return np.concatenate([parts[name] for name in features], dtype=np.float32)


def paired(message: str, reply: str) -> tuple[str, str]:
    """The two sentences of one text as which an encoder tuned for strategies reads a reply.

    Of a message only the last ``MESSAGE_WORDS`` words are read, so that the reply is never cut off.
    """
    return (" ".join(message.split()[-MESSAGE_WORDS:]) or ".", " ".join(reply.split()) or ".")


def gram_logits(tensors: Mapping[str, Array], texts: Sequence[str]) -> Array:
    """Outputs of the classifier on word n-grams, ``(texts, strategies)``."""
    rows: list[Array] = []
    for text in texts:
        places, weights = gram_weights(text, tensors["gram_idf"])
        rows.append(weights @ tensors["grams"][places] + tensors["gram_bias"])
    return np.stack(rows)


class StrategyReader:
    """Reads replies with a head that ``python -m models.training.emotion_strategy`` made.

    Args:
        encoder: Embeds texts; must be the one the head was trained on.
        head: Its network, and the classifier on word n-grams where the recipe chose to have one.

    Raises:
        HeadError: The file holds another kind of head.
    """

    def __init__(self, encoder: Encoder, head: Head) -> None:
        if head.facts.get("head") != "strategies":
            raise HeadError(f"expected a head of strategies, not {head.facts.get('head')!r}")
        self._encoder = encoder
        self._head = head
        self.names: tuple[str, ...] = tuple(head.facts["strategies"])

    def probabilities(self, replies: Sequence[str], message: str, earlier: int) -> Array:
        """Calibrated probabilities, ``(replies, 8)``.

        Args:
            replies: Candidate replies to one message.
            message: What the person wrote.
            earlier: Replies before this one in the conversation.
        """
        return calibrated(self._head, self.outputs(replies, message, earlier))

    def outputs(self, replies: Sequence[str], message: str, earlier: int) -> Array:
        """What :meth:`probabilities` is made of, before its temperature."""
        if not replies:
            return np.zeros((0, len(self.names)), np.float32)
        facts = self._head.facts
        read = self._pairs if facts.get("pairs") else self._apart
        inputs = np.stack(
            [
                strategy_inputs(facts["features"], vector, context, earlier, text)
                for (vector, context), text in zip(read(replies, message), replies, strict=True)
            ]
        )
        logits = self._head.forward(inputs)
        if facts["words"]:
            words = gram_logits(self._head.tensors, replies)
            logits = averaged(logits, words, facts["words"])
        return logits

    def _apart(self, replies: Sequence[str], message: str) -> list[tuple[Vectors, Vectors]]:
        texts = [split_sentences(text) for text in (message, *replies)]
        context, *vectors = (rows[0] for rows in self._encoder.encode_sentences(texts))
        return [(vector, context) for vector in vectors]

    def _pairs(self, replies: Sequence[str], message: str) -> list[tuple[Vectors, Vectors]]:
        found = self._encoder.encode_sentences([paired(message, reply) for reply in replies])
        return [(rows[2], rows[1]) for rows in found]

    def read(self, replies: Sequence[str], context: Sequence[ChatMessage], earlier: int) -> list[str]:
        """The likeliest strategy of each reply to what the person said last in ``context``."""
        found = self.probabilities(replies, last_user_text(context), earlier)
        return [self.names[row] for row in found.argmax(axis=1)]


def load_strategy_reader(encoder: Encoder, path: Path) -> StrategyReader:
    """Read a head file; a head with an encoder of its own has it beside it, as ``ADAPTER``.

    Args:
        encoder: The shared encoder, for heads that were trained on it.
        path: The head file.

    Raises:
        HeadError: It can't be read, belongs to another encoder, or holds another kind of head.
    """
    head = read_head(path, encoder.name, STRATEGIES)
    if head.facts["encoder"] == encoder.name:
        return StrategyReader(encoder, head)
    return StrategyReader(own_encoder(path, STRATEGIES), head)


def own_encoder(path: Path, name: str) -> Encoder:
    """The encoder that was tuned with a head, read at the first use.

    Args:
        path: The head file; the encoder's changes lie beside it, as ``ADAPTER``.
        name: Of the encoder.

    Raises:
        HeadError: They are missing.
    """
    try:
        return tuned_encoder(name, path.parent / ADAPTER)
    except EncoderError as error:
        raise HeadError(str(error)) from error
