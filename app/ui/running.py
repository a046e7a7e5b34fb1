"""Turns that are being answered now, and the way to stop one."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")


class RunningTurns:
    """Knows the stop signal of each conversation that is being answered."""

    def __init__(self) -> None:
        self._signals: dict[tuple[str, str], set[asyncio.Event]] = {}

    def begin(self, person_id: str, session_id: str) -> asyncio.Event:
        """The signal of a turn that starts; give it to :meth:`end` afterwards."""
        signal = asyncio.Event()
        self._signals.setdefault((person_id, session_id), set()).add(signal)
        return signal

    def end(self, person_id: str, session_id: str, signal: asyncio.Event) -> None:
        """Forget a turn that is over."""
        signals = self._signals.get((person_id, session_id), set())
        signals.discard(signal)
        if not signals:
            self._signals.pop((person_id, session_id), None)

    def goes_on(self, person_id: str, session_id: str) -> bool:
        """Whether a reply is being made in a conversation of this person, for whichever tab."""
        return (person_id, session_id) in self._signals

    def stop(self, person_id: str, session_id: str) -> bool:
        """Stop what is going on in a conversation of this person; false if nothing was."""
        signals = self._signals.get((person_id, session_id), set())
        for signal in signals:
            signal.set()
        return bool(signals)


async def until_stopped(
    events: AsyncIterator[_T], stop: asyncio.Event, tick_s: float
) -> AsyncGenerator[_T | None]:
    """The events of ``events``, and ``None`` whenever ``tick_s`` seconds passed without one.

    It ends when the events end or when ``stop`` is set. However it ends, by being closed or
    cancelled too, ``events`` is closed then: the step that is under way is cancelled first.
    """
    stopping = asyncio.ensure_future(stop.wait())
    step: asyncio.Future[_T] | None = None
    try:
        while not stop.is_set():
            if step is None:
                step = asyncio.ensure_future(anext(events))
            await asyncio.wait({step, stopping}, timeout=tick_s, return_when=asyncio.FIRST_COMPLETED)
            if not step.done():
                if not stop.is_set():
                    yield None
                continue
            done, step = step, None
            try:
                event = done.result()
            except StopAsyncIteration:
                return
            yield event
    finally:
        stopping.cancel()
        if step is not None:
            step.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await step
        await _close(events)


async def _close(events: AsyncIterator[_T]) -> None:
    close = getattr(events, "aclose", None)
    if close is not None:
        await close()
