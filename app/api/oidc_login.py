"""Signing in by an OpenID Connect provider: ``/login/oidc/start`` and ``/login/oidc/callback``.

Authlib makes and checks state, nonce and PKCE, and reads the provider's keys. What it must remember
between the two requests is in a signed cookie that lives for minutes and is sent to these addresses only.
"""

import hashlib
import logging
from contextlib import suppress
from typing import Any, Protocol

from authlib.integrations.starlette_client import OAuth
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from app.address_limit import AddressLimit
from app.api.staff_login import refused_attempt, wanted_page
from app.auth.oidc import ProviderSignIn
from app.auth.page_list import after_sign_in
from app.auth.sign_in import SignInError
from app.auth.staff_cookie import set_cookie
from app.settings import Settings

ADDRESS = "/login/oidc"
_COOKIE = "hearken_oidc"
_MINUTES = 10
_TIMEOUT_S = 10.0
_log = logging.getLogger(__name__)


class ProviderPages(Protocol):
    """See ``app.ui.login_page.StaffPages``."""

    def login(
        self, accept_language: str | None, next_page: str, problem: str | None = None, minutes: int = 0
    ) -> str:
        """The sign-in form with what went wrong."""
        ...

    def signed_in(self, accept_language: str | None, page: str) -> str:
        """The step to the page that was asked for."""
        ...


def oidc_app(
    settings: Settings,
    key: str,
    admit: ProviderSignIn,
    pages: ProviderPages,
    attempts: AddressLimit,
    transport: Any = None,
) -> Starlette:
    """The application to mount at :data:`ADDRESS`.

    Args:
        settings: With a provider in them.
        key: Signs cookies; another one is derived for this use.
        admit: Finds the account.
        pages: Renders what people see.
        attempts: Limits attempts by address, together with those by password.
        transport: The way to the provider in place of the network; of the HTTP library that Authlib uses.
    """
    client = _client(settings, transport)
    secure = settings.secure_cookies

    async def start(request: Request) -> Response:
        """Send the browser to the provider."""
        request.session["next"] = wanted_page(request.query_params.get("next", ""))
        try:
            return await client.authorize_redirect(request, _callback(settings, request))
        except Exception as error:
            return await failed(request, "provider", error)

    async def callback(request: Request) -> Response:
        """Check what the provider sent the browser back with, and open a session."""
        wanted = wanted_page(str(request.session.get("next", "")))
        if (refusal := refused_attempt(request, pages, wanted, attempts)) is not None:
            return refusal
        try:
            token = await client.authorize_access_token(request)
            claims = token.get("userinfo")
        except Exception as error:
            return await failed(request, "answer", error)
        if not claims:
            return await failed(request, "no_token", None)
        try:
            signed_in = await admit.sign_in(claims)
        except SignInError:
            return refused(request)
        request.session.clear()
        page = after_sign_in(signed_in.staff.role, wanted)
        # Not a redirect: still on its way from another site, the browser would keep the strict cookie back.
        answer = HTMLResponse(
            pages.signed_in(request.headers.get("accept-language"), page),
            headers={"refresh": f"0;url={page}"},
        )
        answer.headers.append("set-cookie", set_cookie(signed_in.token, signed_in.expires_at, secure=secure))
        return answer

    async def failed(request: Request, why: str, error: Exception | None) -> Response:
        # The kind of error only: its text can hold codes and tokens.
        _log.warning("the provider's answer was refused: %s", type(error).__name__)
        with suppress(SignInError):
            await admit.refuse(why)
        return refused(request)

    def refused(request: Request) -> Response:
        request.session.clear()
        text = pages.login(request.headers.get("accept-language"), "", "provider_failed")
        return HTMLResponse(text, 401)

    session = Middleware(
        SessionMiddleware,
        secret_key=hashlib.sha256(f"oidc:{key}".encode()).hexdigest(),
        session_cookie=_COOKIE,
        max_age=60 * _MINUTES,
        path=ADDRESS,
        same_site="lax",
        https_only=secure,
    )
    return Starlette(routes=[Route("/start", start), Route("/callback", callback)], middleware=[session])


def _client(settings: Settings, transport: Any) -> Any:
    chosen = settings.oidc
    how: dict[str, Any] = {
        "scope": "openid email profile",
        "code_challenge_method": "S256",
        "timeout": _TIMEOUT_S,
    }
    if transport is not None:
        how["transport"] = transport
    registry: Any = OAuth()
    return registry.register(
        "staff",
        server_metadata_url=str(chosen.discovery_url),
        client_id=chosen.client_id,
        client_secret=None if chosen.client_secret is None else chosen.client_secret.get_secret_value(),
        client_kwargs=how,
    )


def _callback(settings: Settings, request: Request) -> str:
    """Where the provider sends the browser back to: never what a request claims, if we know better."""
    base = str(settings.server.public_url or request.base_url.replace(path="/"))
    return f"{base.rstrip('/')}{ADDRESS}/callback"
