"""Keeps everything below a staff page's address from those who may not open it.

The pages' handlers check the role again; this is the outer door, which also covers the files,
queues and upload addresses that Gradio serves below the same address.
"""

import re
from collections.abc import Callable, Iterable

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.auth.page_list import StaffPage
from app.auth.roles import NotSignedInError, StaffGate, WrongRoleError
from app.db.records import StaffRole

RefusedPage = Callable[[str | None, StaffRole], str]
"""From ``Accept-Language`` and role to the document that says that an account may not open a page."""

# What a page's own script asks for. All else that Gradio serves is closed: lists of events (openapi.json,
# info, config), uploads, monitoring, its token, saved links, its own log-in, editing by a model.
_READS = re.compile(
    r"/|/theme\.css|/favicon\.ico|/(?:assets|static)/[\w./-]+|"
    r"/gradio_api/(?:queue/data|heartbeat/\w+|startup-events)"
)
_WRITES = re.compile(r"/gradio_api/(?:queue/join|cancel|component_server/?)")
_FILES = re.compile(r"/gradio_api/file=.+")


class StaffPagesMiddleware:
    """Asks the gate before a request reaches a staff page.

    Args:
        app: The application.
        gate: Knows who is asking.
        pages: The pages, see ``app.auth.page_list``.
        refused: Renders the refusal for people.
    """

    def __init__(
        self, app: ASGIApp, gate: StaffGate, pages: Iterable[StaffPage], refused: RefusedPage
    ) -> None:
        self._app = app
        self._gate = gate
        self._pages = tuple(pages)
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through or answer it here."""
        page = self._page(scope) if scope["type"] in ("http", "websocket") else None
        if page is None:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        wants_page = scope.get("method") == "GET" and "text/html" in headers.get("accept", "")
        try:
            await self._gate.require(HTTPConnection(scope).cookies, page.role, page.address)
        except NotSignedInError:
            answer: Response = (
                RedirectResponse(f"/login?next={page.address}", 303)
                if wants_page
                else JSONResponse({"detail": "Sign in first."}, 401)
            )
        except WrongRoleError as error:
            answer = (
                HTMLResponse(self._refused(headers.get("accept-language"), error.role), 403)
                if wants_page
                else JSONResponse({"detail": "Your account may not do this."}, 403)
            )
        else:
            if _is_needed(scope, page):
                await self._app(scope, receive, send)
                return
            # The page lives below its address; without the slash the chat page's catch-all would answer.
            bare = scope["path"] == page.address
            answer = (
                RedirectResponse(f"{page.address}/", 307) if bare else PlainTextResponse("Not found", 404)
            )
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await answer(scope, receive, send)

    def _page(self, scope: Scope) -> StaffPage | None:
        path: str = scope["path"]
        return next((page for page in self._pages if _is_below(path, page.address)), None)


def _is_below(path: str, address: str) -> bool:
    return path == address or path.startswith(f"{address}/")


def _is_needed(scope: Scope, page: StaffPage) -> bool:
    """Whether a page's script asks for this, or a browser for a download of the page."""
    if scope["type"] != "http":
        return False
    rest = scope["path"].removeprefix(page.address)
    allowed = {"GET": _READS, "HEAD": _READS, "POST": _WRITES}.get(scope["method"])
    if allowed is not None and allowed.fullmatch(rest):
        return True
    return page.files and allowed is _READS and _FILES.fullmatch(rest) is not None
