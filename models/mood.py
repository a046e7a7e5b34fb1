"""How grave or glad a message is, from the emotions that were read in it."""

from dataclasses import dataclass

from models.emotion import EmotionReading

GRAVE = frozenset(
    (
        *("anger", "annoyance", "disappointment", "disgust", "embarrassment"),
        *("fear", "grief", "nervousness", "remorse", "sadness"),
    )
)
GLAD = frozenset(
    ("admiration", "amusement", "excitement", "gratitude", "joy", "love", "optimism", "pride", "relief")
)


@dataclass(frozen=True, slots=True)
class Mood:
    """Probability that a message voices one of :data:`GRAVE` and one of :data:`GLAD` emotions, each 0–1.

    Which emotion it is may be unclear while its side is clear; that is why this is read in Chinese as well.
    """

    grave: float = 0.0
    glad: float = 0.0


UNREAD = Mood()
"""Nothing was read: no head, switched off, or a message without a letter."""


def mood_of(reading: EmotionReading | None) -> Mood:
    """The two sides of a reading."""
    if reading is None:
        return UNREAD
    chances = reading.probabilities
    return Mood(sum(chances[name] for name in GRAVE), sum(chances[name] for name in GLAD))
