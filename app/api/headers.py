"""Headers that every answer carries: nothing is framed, sniffed, referred to or kept by the browser."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Gradio's pages contain inline scripts and styles and compile templates; everything else stays on this host.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)


class SecurityHeadersMiddleware:
    """Adds the headers to every HTTP response; pages and data are never stored in a cache."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with a ``send`` that adds the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _add(self, headers: MutableHeaders) -> None:
        headers["x-content-type-options"] = "nosniff"
        # Other sites are told nothing. Without any, browsers would not name the sender of our own forms
        # either, and over plain http that name is all that tells them from another site's.
        headers["referrer-policy"] = "same-origin"
        headers["content-security-policy"] = _POLICY
        headers["permissions-policy"] = "camera=(), microphone=(), geolocation=()"
        if self._https:
            headers["strict-transport-security"] = "max-age=31536000"
        kind = headers.get("content-type", "")
        if kind.startswith(("text/html", "application/json")):
            headers["cache-control"] = "no-store"
