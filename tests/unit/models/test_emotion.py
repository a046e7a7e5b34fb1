import json
from pathlib import Path

import numpy as np
import pytest

from evals.emotions import SENTENCES
from models.class_head import calibrated, log_softmax, softmax
from models.emotion import CLASSES, EmotionReader, EmotionReading
from models.encoder import CachedEncoder
from models.head_file import Head, HeadError
from models.sentences import split_sentences
from models.tagger import CHINESE_SHIFT
from tests.fakes.encoder import FakeEncoder
from tests.fakes.heads import emotion_head

MESSAGE = "I miss him. The house is so quiet."


def reader(**logits: float) -> EmotionReader:
    return EmotionReader(FakeEncoder(), emotion_head(**logits))


def test_probabilities_of_all_classes_add_up_to_one() -> None:
    reading = reader(grief=2.0).read(MESSAGE)
    assert reading is not None
    assert tuple(reading.probabilities) == CLASSES
    assert sum(reading.probabilities.values()) == pytest.approx(1.0, abs=1e-5)
    assert reading.probabilities["grief"] == pytest.approx(np.exp(2) / (np.exp(2) + 27), abs=1e-5)


def test_a_likely_emotion_is_clear() -> None:
    reading = reader(grief=9.0).read(MESSAGE)
    assert reading is not None
    assert reading.clear == "grief"


@pytest.mark.parametrize("logits", [{"grief": 2.0}, {"neutral": 9.0}], ids=["unsure", "neutral"])
def test_neither_a_guess_nor_neutral_is_clear(logits: dict[str, float]) -> None:
    reading = reader(**logits).read(MESSAGE)
    assert reading is not None
    assert reading.clear is None


def test_nothing_is_clear_in_chinese() -> None:
    reading = reader(grief=9.0).read("我很想他。")
    assert reading is not None
    assert reading.clear is None
    assert reading.probabilities["grief"] > 0.9


def test_chinese_vectors_are_moved_and_english_ones_are_not() -> None:
    head = emotion_head(grief=0.0)
    moved = Head(
        {**head.tensors, "w0": np.eye(8, len(CLASSES), dtype=np.float32), CHINESE_SHIFT: np.eye(8)[2] * 9},
        head.facts,
    )
    found = EmotionReader(FakeEncoder(), moved)
    zero = np.zeros((1, 8), np.float32)
    assert found.probabilities(zero, chinese=True).argmax() == 2
    assert np.ptp(found.probabilities(zero)) == pytest.approx(0.0)


def test_marks_alone_voice_nothing() -> None:
    assert reader(grief=9.0).read("... !!") is None


def test_the_scorer_finds_the_vector_in_the_cache() -> None:
    inner = FakeEncoder()
    encoder = CachedEncoder(inner)
    EmotionReader(encoder, emotion_head(grief=1.0)).read(MESSAGE)
    encoder.encode_sentences([split_sentences(MESSAGE)])  # as models.empathy does
    assert len(inner.asked) == 1


def test_a_head_with_other_classes_is_refused() -> None:
    head = emotion_head(grief=1.0)
    with pytest.raises(HeadError, match="classes"):
        EmotionReader(FakeEncoder(), Head(head.tensors, {**head.facts, "emotions": ["joy"]}))


def test_the_top_leaves_out_what_is_unlikely() -> None:
    reading = EmotionReading({"joy": 0.15, "grief": 0.6, "fear": 0.11, "love": 0.1, "anger": 0.04}, None)
    assert reading.top() == {"grief": 0.6, "joy": 0.15, "fear": 0.11}
    assert list(reading.top()) == ["grief", "joy", "fear"]


def test_a_temperature_above_one_makes_less_sure() -> None:
    logits = np.array([[2.0, 0.0]], np.float32)
    assert calibrated(Head({}, {"temperature": 2.0}), logits)[0, 0] == pytest.approx(1 / (1 + np.exp(-1)))
    assert calibrated(Head({}, {}), logits)[0, 0] == pytest.approx(1 / (1 + np.exp(-2)))


def test_large_outputs_do_not_overflow() -> None:
    logits = np.array([[1000.0, 0.0]], np.float32)
    assert softmax(logits)[0].tolist() == [1.0, 0.0]
    assert log_softmax(logits)[0].tolist() == [0.0, -1000.0]


def test_the_written_sentences_have_every_class_in_both_languages() -> None:
    rows = [json.loads(line) for line in Path(SENTENCES).read_text("utf-8").splitlines()]
    assert len(rows) == len({row["zh"] for row in rows}) == len({row["en"] for row in rows}) == 60
    assert {row["emotion"] for row in rows} == set(CLASSES)
