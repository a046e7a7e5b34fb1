"""No request may bring more than the longest message needs."""

from starlette.datastructures import Headers
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MAX_BODY_BYTES = 1_000_000
"""Room for the longest message an operator may allow, as JSON."""


class BodyLimitMiddleware:
    """Refuses a body by its announced length before anything is read, and counts one that announces none.

    Starlette's middleware alone lets a route that never reads its body begin to answer, and its refusal
    then meets the error handlers of the application inside, which did not come to an end.
    """

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY_BYTES) -> None:
        self._limit = limit
        self._counted = RequestBodyLimitMiddleware(app, limit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 or pass the request on."""
        if scope["type"] == "http" and _announced(scope) > self._limit:
            await PlainTextResponse("Content Too Large", 413)(scope, receive, send)
            return
        await self._counted(scope, receive, send)


def _announced(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isdecimal() else 0
