"""Stopping a turn: the events are closed however the reading ends."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from app.ui.running import RunningTurns, until_stopped


@dataclass
class Source:
    """Events that note whether they were closed."""

    closed: bool = False

    async def endless(self) -> AsyncIterator[int]:
        try:
            yield 1
            await asyncio.Event().wait()
        finally:
            self.closed = True

    async def three(self) -> AsyncIterator[int]:
        for number in (1, 2, 3):
            yield number

    async def broken(self) -> AsyncIterator[int]:
        yield 1
        raise RuntimeError


async def test_events_pass_through_to_their_end() -> None:
    events = until_stopped(Source().three(), asyncio.Event(), tick_s=60)

    assert [event async for event in events] == [1, 2, 3]


async def test_silence_gives_a_sign_of_life() -> None:
    events = until_stopped(Source().endless(), asyncio.Event(), tick_s=0.001)
    await anext(events)

    assert await anext(events) is None
    await events.aclose()


async def test_a_stop_closes_the_events() -> None:
    source, stop = Source(), asyncio.Event()
    events = until_stopped(source.endless(), stop, tick_s=60)
    await anext(events)
    stop.set()

    assert [event async for event in events] == []
    assert source.closed


async def test_closing_closes_the_events() -> None:
    source = Source()
    events = until_stopped(source.endless(), asyncio.Event(), tick_s=0.001)
    await anext(events)
    await anext(events)

    await events.aclose()

    assert source.closed


async def test_a_cancelled_reader_closes_the_events() -> None:
    source = Source()
    events = until_stopped(source.endless(), asyncio.Event(), tick_s=60)
    await anext(events)
    reading = asyncio.ensure_future(anext(events))
    await asyncio.sleep(0)

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    assert source.closed


async def test_an_error_of_the_events_is_passed_on() -> None:
    events = until_stopped(Source().broken(), asyncio.Event(), tick_s=60)
    await anext(events)

    with pytest.raises(RuntimeError):
        await anext(events)


def test_a_stop_reaches_all_turns_of_the_conversation() -> None:
    running = RunningTurns()
    turns = [running.begin("p", "s"), running.begin("p", "s")]
    for turn in turns:
        turn.stored()

    assert running.stop("p", "s")
    assert all(turn.signal.is_set() for turn in turns)


def test_a_turn_stores_its_message_before_it_stops() -> None:
    running = RunningTurns()
    turn = running.begin("p", "s")
    running.stop("p", "s")
    assert not turn.signal.is_set()

    turn.stored()

    assert turn.signal.is_set()


async def test_a_newer_turn_stops_the_earlier_ones_and_waits_for_their_ends() -> None:
    running = RunningTurns()
    earlier, newer = running.begin("p", "s"), running.begin("p", "s")
    earlier.stored()
    waiting = asyncio.ensure_future(newer.stop_earlier())
    await asyncio.sleep(0)
    assert earlier.signal.is_set()
    assert not waiting.done()

    running.end("p", "s", earlier)

    assert await waiting
    assert not newer.signal.is_set()


async def test_a_turn_that_is_alone_waits_for_nobody() -> None:
    assert not await RunningTurns().begin("p", "s").stop_earlier()


def test_nobody_stops_the_turn_of_someone_else() -> None:
    running = RunningTurns()
    turn = running.begin("p", "s")
    turn.stored()

    assert not running.stop("another", "s")
    assert not turn.signal.is_set()


def test_a_turn_that_is_over_cannot_be_stopped() -> None:
    running = RunningTurns()
    running.end("p", "s", running.begin("p", "s"))

    assert not running.stop("p", "s")
