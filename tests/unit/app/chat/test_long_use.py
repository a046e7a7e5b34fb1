"""A long stretch of writing is noticed once, and a break starts a new one."""

import datetime as dt

import pytest

from app.chat.long_use import PAUSE, first_beyond
from app.ui.texts import load_texts
from safety.reply_check import check_reply

START = dt.datetime(2026, 5, 1, 9, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def _every(minutes: int, count: int, start: dt.datetime = START) -> list[dt.datetime]:
    return [start + dt.timedelta(minutes=minutes * number) for number in range(count)]


def test_the_message_that_reaches_the_limit_is_found_and_no_later_one() -> None:
    assert first_beyond(_every(10, 30), HOUR) == [6]


def test_short_use_is_left_alone() -> None:
    assert first_beyond(_every(10, 6), HOUR) == []


def test_a_pause_begins_anew() -> None:
    morning = _every(10, 8)
    evening = _every(10, 8, morning[-1] + PAUSE + dt.timedelta(minutes=1))
    assert first_beyond([*morning, *evening], HOUR) == [6, 14]


def test_zero_is_never() -> None:
    assert first_beyond(_every(10, 30), dt.timedelta(0)) == []


def test_no_messages() -> None:
    assert first_beyond([], HOUR) == []


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_nudge_neither_orders_nor_holds_back(locale: str) -> None:
    text = load_texts()[locale]("notice.nudge")
    assert check_reply(text).ok
    assert not any(word in text for word in ("must", "should", "addict", "必须", "应该", "沉迷"))
