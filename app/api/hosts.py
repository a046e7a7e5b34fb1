"""Refuses requests for a name that is not ours: another site's name that was pointed at this address."""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.settings import ServerSettings
from app.settings_oidc import LOOPBACK

_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not bound to
# Asked by name or address from within the private network, without cookies; they say nothing of a person.
_ANY_NAME = frozenset({"/healthz", "/readyz", "/metrics"})


def known_hosts(server: ServerSettings) -> frozenset[str] | None:
    """Names under which the application answers; ``None`` is all, when nobody said what they are.

    That is so when it listens on all interfaces without a public address: then people use
    whatever name or number the machine has in its network.
    """
    if server.public_url is None and server.host in _EVERYWHERE:
        return None
    names = {*LOOPBACK, server.host.casefold()}
    if server.public_url is not None and server.public_url.host:
        names.add(server.public_url.host.casefold())
    return frozenset(names)


class KnownHostsMiddleware:
    """Answers 400 to a request whose ``Host`` is none of ours."""

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or refuse it."""
        if scope["type"] not in ("http", "websocket") or self._is_known(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse("This name does not belong here.", 400)(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        if self._hosts is None or scope["path"] in _ANY_NAME:
            return True
        return _without_port(Headers(scope=scope).get("host", "")) in self._hosts


def _without_port(host: str) -> str:
    """``name`` of ``name:port``; an IPv6 address keeps its brackets."""
    end = host.find("]") + 1
    return (host[:end] if end else host.partition(":")[0]).casefold()
