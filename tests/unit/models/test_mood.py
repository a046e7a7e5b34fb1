import numpy as np
import pytest

from models.chat_model import ChatMessage
from models.emotion import CLASSES, NEUTRAL, EmotionReading
from models.exchange import answered, said_by
from models.mood import GLAD, GRAVE, UNREAD, Mood, mood_of
from models.tone import feeling, tone_signs

NONE = np.zeros((1, 4), np.float32)


def reading(**chances: float) -> EmotionReading:
    rest = (1.0 - sum(chances.values())) / (len(CLASSES) - len(chances))
    return EmotionReading({name: chances.get(name, rest) for name in CLASSES}, None)


def felt(message: str, mood: Mood = UNREAD) -> tuple[float, float]:
    return feeling(said_by([ChatMessage("user", message)], NONE, NONE[0], mood))


def test_both_sides_are_emotions_and_share_none() -> None:
    assert set(CLASSES) - {NEUTRAL} > GRAVE | GLAD
    assert not GRAVE & GLAD


def test_a_side_adds_up_its_emotions() -> None:
    mood = mood_of(reading(grief=0.4, sadness=0.3, joy=0.1))
    assert mood.grave > 0.7
    assert 0.1 <= mood.glad < 0.3
    assert mood_of(None) == UNREAD


def test_a_message_without_a_word_of_feeling_is_as_grave_or_glad_as_it_was_read() -> None:
    assert felt("His slippers are by the door") == (0.0, 0.0)
    assert felt("His slippers are by the door", Mood(0.8, 0.1)) == (0.8, 0.0)
    assert felt("They put my painting in the window", Mood(0.1, 0.7)) == (0.0, 0.7)


def test_what_was_read_unclearly_says_nothing() -> None:
    assert felt("They put my painting in the window", Mood(0.4, 0.45)) == (0.0, 0.0)


def test_words_of_grief_outweigh_gladness_that_was_read() -> None:
    grave, glad = felt("My father died and he would have loved this", Mood(0.0, 0.9))
    assert grave > 0
    assert glad == 0


@pytest.mark.parametrize(
    ("mood", "sign"), [(Mood(0.9, 0.0), "cheer_to_grief"), (Mood(0.0, 0.9), "no_cheer_to_joy")]
)
def test_the_check_of_tone_reads_the_mood(mood: Mood, sign: str) -> None:
    message = [ChatMessage("user", "They took the bed out of the front room")]
    reply = "So much space now! Hooray!" if sign == "cheer_to_grief" else "I see."

    def value(read: Mood) -> float:
        said = said_by(message, NONE, NONE[0], read)
        return tone_signs(answered(said, (reply,), (frozenset(),), NONE, 0.0))[sign]

    assert value(mood) > value(UNREAD)
