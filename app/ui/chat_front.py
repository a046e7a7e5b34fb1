"""What stands before Gradio's own application: it frames the page and answers for nothing else.

Gradio brings dozens of addresses: uploads, files, proxies, API pages, run histories, logins. The chat
page needs few of them; all others are not there.
"""

import logging
import re

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.ui.quiet_errors import quieted
from app.ui.shell import Shell, ShellMarkerError
from app.ui.texts import pick_locale

LOCALE_COOKIE = "hearken_locale"

_READS = re.compile(
    r"/|/theme\.css|/favicon\.ico|/assets/[\w-]+(?:\.[\w-]+)+|/gradio_api/(?:queue/data|heartbeat/\w+|startup-events)"
)
_WRITES = re.compile(r"/gradio_api/(?:queue/join|cancel|component_server/?)")
_log = logging.getLogger(__name__)


class ChatFront:
    """An ASGI application around the one that Gradio makes for the chat page."""

    def __init__(self, app: ASGIApp, shell: Shell) -> None:
        self._app = quieted(app)
        self._shell = shell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the page needs; frame its document; everything else is not found."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        if not _is_needed(scope):
            await PlainTextResponse("Not found", 404)(scope, receive, send)
        elif scope["path"] == "/" and scope["method"] == "GET":
            await self._frame(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _frame(self, scope: Scope, receive: Receive, send: Send) -> None:
        locale, languages = _locale(scope), _languages(scope)
        start: Message | None = None
        body = bytearray()

        async def collect(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False) and start is not None:
                await self._finish(start, bytes(body), locale, languages, send)

        # The document must arrive uncompressed to be framed; links into Gradio's other views lead here too.
        plain = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        await self._app({**scope, "headers": plain, "query_string": b""}, receive, collect)

    async def _finish(
        self, start: Message, body: bytes, locale: str, languages: str | None, send: Send
    ) -> None:
        headers = MutableHeaders(raw=list(start["headers"]))
        if start["status"] == 200 and headers.get("content-type", "").startswith("text/html"):
            body = self._framed(body, locale, languages)
            headers["content-length"] = str(len(body))
            headers["content-language"] = locale
        await send({**start, "headers": headers.raw})
        await send({"type": "http.response.body", "body": body})

    def _framed(self, body: bytes, locale: str, languages: str | None) -> bytes:
        try:
            return self._shell.around(body.decode("utf-8"), locale, languages).encode("utf-8")
        except ShellMarkerError:
            _log.error("Gradio's page has changed: the frame of the chat page could not be added")
            return body


def _is_needed(scope: Scope) -> bool:
    allowed = {"GET": _READS, "HEAD": _READS, "POST": _WRITES}.get(scope["method"])
    return allowed is not None and allowed.fullmatch(scope["path"]) is not None


def _locale(scope: Scope) -> str:
    return pick_locale(HTTPConnection(scope).cookies.get(LOCALE_COOKIE), _languages(scope))


def _languages(scope: Scope) -> str | None:
    return HTTPConnection(scope).headers.get("accept-language")
