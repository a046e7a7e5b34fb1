"""Reads which of 27 emotions a person's message voices, from the vector that the encoder gives it anyway."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.class_head import calibrated
from models.encoder import TUNED, Encoder, Vectors
from models.head_file import HEADS_FOLDER, Array, Head, HeadError, read_head
from models.sentences import has_letters, is_chinese, split_sentences
from models.tagger import CHINESE_SHIFT

EMOTIONS = (
    "admiration",
    "amusement",
    "anger",
    "annoyance",
    "approval",
    "caring",
    "confusion",
    "curiosity",
    "desire",
    "disappointment",
    "disapproval",
    "disgust",
    "embarrassment",
    "excitement",
    "fear",
    "gratitude",
    "grief",
    "joy",
    "love",
    "nervousness",
    "optimism",
    "pride",
    "realization",
    "relief",
    "remorse",
    "sadness",
    "surprise",
)
"""The classes of GoEmotions (Demszky et al. 2020), in the order of its label file."""
NEUTRAL = "neutral"
CLASSES = (*EMOTIONS, NEUTRAL)


@dataclass(frozen=True, slots=True)
class EmotionReading:
    """What was read in one message.

    Attributes:
        probabilities: Of each of :data:`CLASSES`; they add up to 1.
        clear: The emotion that is likely enough to be named to a chat model, or ``None``.
    """

    probabilities: Mapping[str, float]
    clear: str | None

    def top(self, most: int = 3, at_least: float = 0.1) -> dict[str, float]:
        """The likeliest classes, most likely first, rounded to three places."""
        order = sorted(self.probabilities, key=lambda name: -self.probabilities[name])
        return {
            name: round(self.probabilities[name], 3)
            for name in order[:most]
            if self.probabilities[name] >= at_least
        }


class EmotionReader:
    """Runs the head on a message's vector; shareable between threads if the encoder is.

    Args:
        encoder: Embeds messages; must be the one the head was trained on. With a cache, the reply scorer,
            which needs the same vector, does not compute it again.
        head: One output for each of :data:`CLASSES`.

    Raises:
        HeadError: The head has other classes.
    """

    def __init__(self, encoder: Encoder, head: Head) -> None:
        if tuple(head.facts.get("emotions", ())) != CLASSES:
            raise HeadError("the head of emotions has other classes")
        self._encoder = encoder
        self._head = head

    @property
    def confident(self) -> float:
        """Probability from which an emotion counts as clear; chosen on texts that were not trained on."""
        return float(self._head.facts["confident"])

    def read(self, text: str) -> EmotionReading | None:
        """What a message voices; ``None`` for one without a letter.

        In Chinese, which the head was not trained on, nothing counts as clear.
        """
        if not has_letters(text):
            return None
        chinese = is_chinese(text)
        vector = self._encoder.encode_sentences([split_sentences(text)])[0][:1]
        chances = self.probabilities(vector, chinese=chinese)[0]
        first = int(chances.argmax())
        sure = CLASSES[first] != NEUTRAL and float(chances[first]) >= self.confident
        return EmotionReading(
            dict(zip(CLASSES, map(float, chances), strict=True)),
            CLASSES[first] if sure and not chinese else None,
        )

    def probabilities(self, vectors: Vectors, *, chinese: bool = False) -> Array:
        """Calibrated probabilities of :data:`CLASSES`, ``(messages, 28)``.

        Args:
            vectors: Of whole messages, ``(messages, dim)``.
            chinese: Whether they are Chinese: the encoder puts languages a little apart.
        """
        shift = self._head.tensors.get(CHINESE_SHIFT) if chinese else None
        moved = vectors if shift is None else vectors + shift
        return calibrated(self._head, self._head.forward(moved.astype(np.float32)))


def load_emotions(encoder: Encoder, folder: Path = HEADS_FOLDER) -> EmotionReader:
    """Load ``heads/emotions-<encoder>/head.safetensors``.

    Raises:
        HeadError: There is none for this encoder.
    """
    path = folder / f"emotions-{encoder.name}" / "head.safetensors"
    return EmotionReader(encoder, read_head(path, encoder.name))


def emotions_on(encoder: Encoder) -> EmotionReader | None:
    """The reader of emotions on an encoder; ``None`` where no head was trained for it."""
    return load_emotions(encoder) if has_emotions(encoder.name) else None


def has_emotions(encoder: str) -> bool:
    """Whether a head was trained for an encoder of this name."""
    return encoder == TUNED
