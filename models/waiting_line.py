"""A fair line of requests before a bounded number of slots, each told its place."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from models.chat_model import ModelBusyError, QueueListener


@dataclass(eq=False, slots=True)
class _Waiting:
    turn: "asyncio.Future[None]"
    on_queue: QueueListener | None
    told: int | None = None

    def tell(self, place: int) -> None:
        if place != self.told:
            self.told = place
            if self.on_queue is not None:
                self.on_queue(place)


class WaitingLine:
    """Lets ``slots`` requests in at once, first come first served; used from one event loop."""

    def __init__(self, slots: int, max_waiting: int) -> None:
        self._free = slots
        self._max_waiting = max_waiting
        self._waiting: list[_Waiting] = []

    @asynccontextmanager
    async def slot(self, on_queue: QueueListener | None = None) -> AsyncGenerator[None]:
        """Wait for a slot and hold it; see :meth:`enter`."""
        await self.enter(on_queue)
        try:
            yield
        finally:
            self.leave()

    async def enter(self, on_queue: QueueListener | None = None) -> None:
        """Wait for a slot; whoever got one calls :meth:`leave` later.

        Args:
            on_queue: Told how many must go in before this one, at last 0.

        Raises:
            ModelBusyError: Too many are waiting.
        """
        if self._free > 0:
            self._free -= 1
            if on_queue is not None:
                on_queue(0)
        else:
            await self._wait(on_queue)

    def leave(self) -> None:
        """Hand the slot to the first in line."""
        if not self._waiting:
            self._free += 1
            return
        self._waiting.pop(0).turn.set_result(None)
        self._tell_places()

    async def _wait(self, on_queue: QueueListener | None) -> None:
        if len(self._waiting) >= self._max_waiting:
            msg = f"{len(self._waiting)} requests are waiting already"
            raise ModelBusyError(msg)
        ticket = _Waiting(asyncio.get_running_loop().create_future(), on_queue)
        self._waiting.append(ticket)
        ticket.tell(len(self._waiting))
        try:
            await ticket.turn
        except asyncio.CancelledError:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
                self._tell_places()
            else:  # the slot had been given in the same moment
                self.leave()
            raise
        ticket.tell(0)

    def _tell_places(self) -> None:
        for place, ticket in enumerate(self._waiting, start=1):
            ticket.tell(place)
