"""How the server ends when it is told to stop: turns first, then the streams of the pages, in seconds.

Left alone, an open page would hold the server until its time is up, and the turns would be cancelled from
outside as if each person had pressed Stop.
"""

import asyncio
from contextlib import suppress
from typing import Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_GRACE_S = 5.0
"""Seconds in which turns that are going on may still come to their end."""
_TELLING_S = 0.5
"""Seconds for the pages to hear how their turns ended."""
_HEARTBEAT, _EVENTS = "/gradio_api/heartbeat/", "/gradio_api/queue/data"


class Turns(Protocol):
    """See ``app.chat.turn.TurnService``."""

    async def finished(self) -> None:
        """Wait until no turn is going on."""
        ...

    async def interrupt(self) -> None:
        """End the turns that are going on, marked so that they can be tried again."""
        ...


class Leaving:
    """Ends what is going on; ask it once.

    Args:
        turns: The turns.
        grace_s: Seconds in which they may come to their end by themselves.
        telling_s: Seconds for the pages to hear of it.
    """

    def __init__(self, turns: Turns, grace_s: float = _GRACE_S, telling_s: float = _TELLING_S) -> None:
        self._turns = turns
        self._grace_s = grace_s
        self._telling_s = telling_s
        self.begun = asyncio.Event()
        self.over = asyncio.Event()

    async def leave(self) -> None:
        """Wait a little for turns, interrupt those that are left, then end all streams."""
        self.begun.set()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._turns.finished(), self._grace_s)
            await self._turns.interrupt()
            await asyncio.sleep(self._telling_s)
        finally:
            self.over.set()

    def end_of(self, path: str) -> asyncio.Event | None:
        """What ends a stream at an address; ``None`` for an address without one."""
        if _HEARTBEAT in path:
            return self.begun
        return self.over if path.endswith(_EVENTS) else None


class LeavingMiddleware:
    """Ends the streams of pages, as if they had come to their end, when the server leaves."""

    def __init__(self, app: ASGIApp, *, leaving: Leaving) -> None:
        self._app = app
        self._leaving = leaving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a stream only until the server leaves."""
        end = self._leaving.end_of(scope["path"]) if scope["type"] == "http" else None
        if end is None:
            await self._app(scope, receive, send)
        else:
            await _until(end, self._app, scope, receive, send)


async def _until(end: asyncio.Event, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    begun = cut = False

    async def send_unless_cut(message: Message) -> None:
        nonlocal begun
        # What a stream says of its own cancellation is of the inside.
        if not cut:
            begun = True
            await send(message)

    answering = asyncio.ensure_future(app(scope, receive, send_unless_cut))
    ending = asyncio.ensure_future(end.wait())
    try:
        await asyncio.wait({answering, ending}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
            return
        cut = True
        if not begun:
            await send({"type": "http.response.start", "status": 503, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        cut = True
        ending.cancel()
        answering.cancel()
        await asyncio.wait({answering})
        if not answering.cancelled():
            answering.exception()
