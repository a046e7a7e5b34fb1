"""Refuses requests that a page of another site, or of another port of this machine, makes a browser send.

A browser sends a person's cookies with whatever any page makes it send to this address, and pages on
another port of the same machine are the same site to it: ``SameSite`` does not keep those back.
"""

from collections.abc import Iterable, Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.settings import ServerSettings

_HERE = frozenset({"same-origin", "none"})
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_USUAL_PORTS = {"http": ":80", "https": ":443"}

# Forms that a person sends, whose own routes refuse such a request with a page in words.
_FORMS = frozenset({"/login", "/logout", "/logout/everywhere", "/password"})
_DOWNLOADS = ("/api/staff/export/", "/api/staff/verdicts.")


def own_hosts(server: ServerSettings) -> frozenset[str]:
    """What a page of ours calls its host when a proxy calls it otherwise: that of the public address."""
    url = server.public_url
    if url is None or url.host is None:
        return frozenset()
    return frozenset({_host(f"{url.scheme}://{url.host}:{url.port}")})


def from_here(headers: Mapping[str, str], own: Iterable[str] = ()) -> bool:
    """Whether a request was sent by a page of this site.

    Browsers say so in ``Sec-Fetch-Site``; over plain http, and older ones, send only ``Origin``. What sends
    neither is no browser and has no cookies of a person to misuse.

    Args:
        headers: Of the request, by lower-case name.
        own: Hosts of ours besides the one that the request names, see :func:`own_hosts`.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in _HERE
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme = origin.partition("://")[0]
    return _host(origin) in {_host(f"{scheme}://{headers.get('host', '')}"), *own}


class SendersMiddleware:
    """Answers 403 to a request that may change something and was sent by another site.

    Args:
        app: The application.
        own: See :func:`own_hosts`.
    """

    def __init__(self, app: ASGIApp, *, own: frozenset[str]) -> None:
        self._app = app
        self._own = own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or refuse it."""
        if scope["type"] != "http" or self._may(scope):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("This was sent from another site.", 403)(scope, receive, send)

    def _may(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        return scope["method"] in _READS or from_here(headers, self._own) or _refused_kindly(scope, headers)


def _refused_kindly(scope: Scope, headers: Headers) -> bool:
    path: str = scope["path"]
    wants_page = "text/html" in headers.get("accept", "")
    return wants_page and (path in _FORMS or path.startswith(_DOWNLOADS))


def _host(origin: str) -> str:
    """``name`` or ``name:port`` of ``scheme://name:port``, without the port that the scheme has anyway."""
    scheme, _, host = origin.partition("://")
    return host.casefold().removesuffix(_USUAL_PORTS.get(scheme, "")) if host else ""
