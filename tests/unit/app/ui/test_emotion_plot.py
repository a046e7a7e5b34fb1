"""Emotions over a conversation: a drawing with a name, and the same as a table."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from app.db.records import Message, MessageRole, MessageStatus
from app.ui.emotion_plot import emotion_plot
from app.ui.staff_texts import load_staff_texts
from models.emotion import CLASSES
from safety.levels import RiskLevel

TEXTS = load_staff_texts()


def message(seq: int, emotions: Mapping[str, float] | None) -> Message:
    return Message(
        id=str(seq),
        session_id="1",
        seq=seq,
        role=MessageRole.USER,
        text="words of a person",
        status=MessageStatus.ANSWERED,
        error=None,
        source=None,
        model=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
        reply_to=None,
        superseded_at=None,
        emotions=emotions,
    )


COURSE = [message(1, {"fear": 0.21, "grief": 0.7}), message(2, None), message(3, {"grief": 0.4})]


def test_plot_and_table_tell_the_same() -> None:
    markup = emotion_plot(COURSE, {}, TEXTS["en"])
    assert "aria-label='Emotions read in 2 messages; most of all: grief, fear.'" in markup
    assert markup.count("<circle") == 3
    assert "<th scope='row'><a href='#hk-message-1'>#1</a></th><td>grief 70%, fear 21%</td>" in markup
    assert "<th scope='row'><a href='#hk-message-3'>#3</a></th><td>grief 40%</td>" in markup


@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
def test_a_message_in_danger_is_a_gap_and_says_why(level: RiskLevel) -> None:
    markup = emotion_plot(COURSE, {"1": level, "3": RiskLevel.LOW}, TEXTS["en"])
    assert "aria-label='Emotions read in 1 messages; most of all: grief.'" in markup
    assert "fear" not in markup
    assert "#1</a></th><td>no reading: the message is at moderate or imminent</td>" in markup
    assert markup.count("class='hk-gap'") == 1
    assert "No reading (dashed) at #1: moderate or imminent" in markup


def test_the_drawing_never_grows_beyond_eight_emotions() -> None:
    markup = emotion_plot(
        [message(1, {name: 0.02 + i / 100 for i, name in enumerate(CLASSES[:12])})], {}, TEXTS["en"]
    )
    assert markup.count("<circle") == 8
    assert "admiration 2%" in markup


def test_a_conversation_without_readings_says_so() -> None:
    assert "No emotions were read" in emotion_plot([message(1, None)], {}, TEXTS["en"])


def test_a_reading_in_which_nothing_is_likely_is_told_as_such() -> None:
    assert "<td>nothing clear</td>" in emotion_plot([message(1, {})], {}, TEXTS["en"])


def test_it_holds_nothing_that_was_said() -> None:
    assert "words of a person" not in emotion_plot(COURSE, {}, TEXTS["en"])


@pytest.mark.parametrize("name", CLASSES)
def test_every_emotion_has_a_name_in_both_languages(name: str) -> None:
    assert TEXTS["en"](f"emotion.{name}") == name
    assert any("\u4e00" <= letter <= "\u9fff" for letter in TEXTS["zh"](f"emotion.{name}"))
