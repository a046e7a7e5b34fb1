"""The signed cookie by which a browser finds its own conversations again.

It holds a random id made by the server and nothing else. The person's row in the database is
made only when they write something, so that a mere visit leaves no trace.
"""

import uuid
from collections.abc import Mapping
from http.cookies import SimpleCookie

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE_NAME = "hearken_person"
_YEAR_S = 365 * 24 * 3600


class PersonCookie:
    """Makes and reads the cookie's value."""

    def __init__(self, secret: str, *, secure: bool) -> None:
        self._signer = URLSafeSerializer(secret, salt="person")
        self._secure = secure

    def read(self, cookies: Mapping[str, str]) -> str | None:
        """The person's id, or ``None`` when the cookie is missing, forged or damaged."""
        value = cookies.get(COOKIE_NAME)
        if value is None:
            return None
        try:
            return str(uuid.UUID(self._signer.loads(value)))
        except (BadSignature, ValueError, TypeError, AttributeError):
            return None

    def header(self, person_id: str) -> str:
        """The value of a ``Set-Cookie`` header."""
        cookie = SimpleCookie()
        cookie[COOKIE_NAME] = str(self._signer.dumps(person_id))
        morsel = cookie[COOKIE_NAME]
        morsel["path"] = "/"
        morsel["max-age"] = _YEAR_S
        morsel["httponly"] = True
        morsel["samesite"] = "Lax"
        if self._secure:
            morsel["secure"] = True
        return morsel.OutputString()


class PersonCookieMiddleware:
    """Gives a browser that opens a page its cookie, if it has none yet."""

    def __init__(self, app: ASGIApp, cookie: PersonCookie) -> None:
        self._app = app
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add ``Set-Cookie`` to the page's response when needed."""
        if scope["type"] != "http" or scope["method"] != "GET" or not self._wants_page(scope):
            await self._app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", self._cookie.header(str(uuid.uuid4())))
            await send(message)

        await self._app(scope, receive, send_with_cookie)

    def _wants_page(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        if "text/html" not in headers.get("accept", ""):
            return False
        # Starlette's reader takes any cookie; SimpleCookie's refuses all of them for one foreign name.
        return self._cookie.read(HTTPConnection(scope).cookies) is None
