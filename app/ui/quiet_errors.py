"""Stands around Gradio: what its page never sends is refused in a word, and no error shows internals.

Gradio raises ``KeyError`` for a component or event that does not exist, repeats in its answer what it could
not read (and fails to write some of it), and refuses an unknown stream only once it has begun to answer.
Each would be a 500, a traceback and a cut connection; anybody could fill the log that way.
"""

import json
import logging

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.logs import log_without_text

_log = logging.getLogger(__name__)
_EVENT, _BROKEN = b"data: ", b"unexpected_error"


def quieted(app: ASGIApp) -> "QuietErrors":
    """Stand around an application that Gradio has made and that has answered nothing yet."""
    if isinstance(app, FastAPI):
        app.add_exception_handler(RequestValidationError, _unreadable)
    return QuietErrors(app)


class QuietErrors:
    """An ASGI application that answers in place of one that fails before it has answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; 404 for a missing key, a plain 500 for any other failure.

        An answer that fails on its way is broken off, which costs one line of the log; one that is refused
        on its way comes to its end, as nothing has failed.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answered = failed = sized = False

        async def send_unless_failed(message: Message) -> None:
            nonlocal answered, failed, sized
            if message["type"] == "http.response.start":
                failed = message["status"] == 500 and not answered
                answered = answered or not failed
                sized = "content-length" in Headers(raw=list(message.get("headers", ())))
            if not failed:
                await send(_without_the_inside(message))

        try:
            await self._app(scope, receive, send_unless_failed)
        except Exception as error:
            if answered and _refuses(error):
                if not sized:
                    await send({"type": "http.response.body", "body": b""})
                return
            if isinstance(error, KeyError) and not answered:
                await PlainTextResponse("Not found", 404)(scope, receive, send)
                return
            log_without_text(_log, "the page's server failed", error)
            failed = not answered
        if failed:
            await PlainTextResponse("Something went wrong on our side.", 500)(scope, receive, send)


def _without_the_inside(message: Message) -> Message:
    """The message, without the words of an exception that Gradio puts into a stream that breaks off."""
    body: bytes = message.get("body", b"")
    if not body.startswith(_EVENT) or _BROKEN not in body:
        return message
    try:
        event = json.loads(body.removeprefix(_EVENT))
    except ValueError:
        return message
    if event.get("msg") != "unexpected_error":
        return message
    told = json.dumps({**event, "message": "lost"}, separators=(",", ":"))
    return {**message, "body": _EVENT + told.encode() + b"\n\n"}


def _refuses(error: BaseException | None) -> bool:
    """Whether an error is, or was caused by, a refusal that only came too late to be a status."""
    while error is not None:
        if isinstance(error, HTTPException):
            return error.status_code < 500
        error = error.__cause__
    return False


async def _unreadable(_request: Request, _error: Exception) -> Response:
    """In place of an answer that repeats the body, which may hold what can't be written as JSON."""
    return PlainTextResponse("The request can't be read.", 400)
