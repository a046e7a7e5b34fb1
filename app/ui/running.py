"""Turns that are being answered now, and the way to stop one."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")


_GIVES_WAY_S = 20.0
"""Seconds after which a newer message no longer waits for the turn before it."""


class RunningTurn:
    """One turn, from its request to its end.

    A turn that is stopped before its message is stored stores it first: what a person wrote, and a
    danger in it, is never dropped because they wrote on.
    """

    def __init__(self, earlier: "Sequence[RunningTurn]") -> None:
        self.signal = asyncio.Event()
        self.given_way = False
        self._earlier = tuple(earlier)
        self._asked = False
        self._stored = False
        self._over = asyncio.Event()

    def stop(self) -> None:
        """End the turn now, or as soon as its message is stored."""
        self._asked = True
        if self._stored:
            self.signal.set()

    def give_way(self) -> None:
        """The same, for a newer message."""
        self.given_way = True
        self.stop()

    def stored(self) -> None:
        """The message is stored: from now on the turn can be stopped."""
        self._stored = True
        if self._asked:
            self.signal.set()

    def end(self) -> None:
        """The turn is over."""
        self._over.set()

    async def stop_earlier(self) -> bool:
        """Stop the turns that began before, and wait for their ends; false if there were none."""
        for turn in self._earlier:
            turn.give_way()
        for turn in self._earlier:
            with suppress(TimeoutError):
                await asyncio.wait_for(turn.wait(), _GIVES_WAY_S)
        return bool(self._earlier)

    async def wait(self) -> None:
        """Wait for the end."""
        await self._over.wait()


class RunningTurns:
    """Knows the turns of each conversation that is being answered, in the order of their requests."""

    def __init__(self) -> None:
        self._turns: dict[tuple[str, str], list[RunningTurn]] = {}

    def begin(self, person_id: str, session_id: str) -> RunningTurn:
        """A turn that starts; give it to :meth:`end` afterwards."""
        turns = self._turns.setdefault((person_id, session_id), [])
        turns.append(RunningTurn(turns))
        return turns[-1]

    def end(self, person_id: str, session_id: str, turn: RunningTurn) -> None:
        """Forget a turn that is over."""
        turn.end()
        turns = [one for one in self._turns.get((person_id, session_id), []) if one is not turn]
        if turns:
            self._turns[person_id, session_id] = turns
        else:
            self._turns.pop((person_id, session_id), None)

    def goes_on(self, person_id: str, session_id: str, *, besides: RunningTurn | None = None) -> bool:
        """Whether a reply is being made in a conversation of this person, for whichever tab."""
        return any(turn is not besides for turn in self._turns.get((person_id, session_id), ()))

    def stop(self, person_id: str, session_id: str) -> bool:
        """Stop what is going on in a conversation of this person; false if nothing was."""
        turns = self._turns.get((person_id, session_id), [])
        for turn in turns:
            turn.stop()
        return bool(turns)


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
