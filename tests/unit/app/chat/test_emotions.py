import threading
from collections.abc import Mapping

import pytest

from app.chat.emotions import MessageEmotions
from app.metrics import Metrics
from models.emotion import EmotionReading

SAD = EmotionReading({"sadness": 0.9, "fear": 0.06, "neutral": 0.04}, "sadness")


class Kept:
    """Remembers what was stored, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.rows: dict[str, dict[str, float]] = {}
        self._error = error

    async def set_emotions(self, message_id: str, emotions: Mapping[str, float]) -> bool:
        if self._error is not None:
            raise self._error
        self.rows[message_id] = dict(emotions)
        return True


class Reads:
    """Reads the same in every message, fails, or waits."""

    def __init__(self, found: EmotionReading | Exception | None, wait: threading.Event | None = None) -> None:
        self._found = found
        self._wait = wait

    def read(self, text: str) -> EmotionReading | None:
        del text
        if self._wait is not None:
            self._wait.wait()
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def failures(metrics: Metrics) -> float:
    return (
        metrics.registry.get_sample_value("hearken_safety_layer_failures_total", {"layer": "emotions"}) or 0.0
    )


async def test_what_is_likely_is_stored_and_what_is_clear_returned() -> None:
    kept = Kept()
    emotions = MessageEmotions(lambda: Reads(SAD), kept, Metrics())
    assert emotions.status() == "not asked yet"
    assert await emotions.of("m", "I cried all day.") == "sadness"
    assert kept.rows == {"m": {"sadness": 0.9}}
    assert emotions.status() == "ready"


async def test_nothing_is_read_where_it_is_switched_off() -> None:
    kept = Kept()
    emotions = MessageEmotions(None, kept, Metrics())
    assert await emotions.of("m", "I cried all day.") is None
    assert kept.rows == {}
    assert emotions.status() == "off"


async def test_a_message_without_words_stores_nothing() -> None:
    kept = Kept()
    assert await MessageEmotions(lambda: Reads(None), kept, Metrics()).of("m", "...") is None
    assert kept.rows == {}


@pytest.mark.parametrize(
    ("reader", "kept"),
    [(Reads(RuntimeError("I cried")), Kept()), (Reads(SAD), Kept(OSError("no disk")))],
    ids=["reading", "storing"],
)
async def test_a_failure_is_counted_and_raises_nothing(
    reader: Reads, kept: Kept, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    assert await MessageEmotions(lambda: reader, kept, metrics).of("m", "I cried") is None
    assert failures(metrics) == 1
    assert "I cried" not in caplog.text


async def test_a_head_that_can_not_be_loaded_is_tried_once() -> None:
    tried: list[int] = []

    def load() -> Reads:
        tried.append(1)
        raise OSError

    metrics = Metrics()
    emotions = MessageEmotions(load, Kept(), metrics)
    assert await emotions.of("m", "a") is None
    assert await emotions.of("n", "b") is None
    assert emotions.status() == "failed"
    assert len(tried) == failures(metrics) == 1


async def test_a_turn_goes_on_while_the_encoder_is_busy() -> None:
    free = threading.Event()
    kept = Kept()
    try:
        emotions = MessageEmotions(lambda: Reads(SAD, free), kept, Metrics(), patience_s=0.01)
        assert await emotions.of("m", "I cried all day.") is None
    finally:
        free.set()
    assert kept.rows == {}
