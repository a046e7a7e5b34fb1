"""Stands around Gradio: an id that its page never sends is not found, and no error shows internals.

Gradio raises ``KeyError`` for a component or event that does not exist. Its server then sends a 500,
writes a traceback and cuts the connection; anybody could fill the log that way.
"""

import logging

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.logs import log_without_text

_log = logging.getLogger(__name__)


class QuietErrors:
    """An ASGI application that answers in place of one that fails before it has answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; 404 for a missing key, a plain 500 for any other failure."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answered = failed = False

        async def send_unless_failed(message: Message) -> None:
            nonlocal answered, failed
            if message["type"] == "http.response.start":
                failed = message["status"] == 500 and not answered
                answered = answered or not failed
            if not failed:
                await send(message)

        try:
            await self._app(scope, receive, send_unless_failed)
        except Exception as error:
            if answered:
                raise
            if isinstance(error, KeyError):
                await PlainTextResponse("Not found", 404)(scope, receive, send)
                return
            log_without_text(_log, "the page's server failed", error)
            failed = True
        if failed:
            await PlainTextResponse("Something went wrong on our side.", 500)(scope, receive, send)
