"""Signing in and out over HTTP: ``/login``, ``/logout``, ``/logout/everywhere``."""

import logging
import math
from typing import Annotated, Protocol

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.address_limit import AddressLimit, address_of
from app.api.senders import from_here
from app.auth.page_list import ADDRESSES, after_sign_in
from app.auth.roles import Annotator
from app.auth.sign_in import SignInError, StaffAuth
from app.auth.staff_cookie import clear_cookie, read_token, set_cookie

_log = logging.getLogger(__name__)


class LoginPage(Protocol):
    """See ``app.ui.login_page.StaffPages``."""

    def login(
        self, accept_language: str | None, next_page: str, problem: str | None = None, minutes: int = 0
    ) -> str:
        """The sign-in form as a document."""
        ...


def staff_login_router(
    auth: StaffAuth, page: LoginPage, attempts: AddressLimit, *, secure: bool
) -> APIRouter:
    """The routes.

    Args:
        auth: Checks passwords and keeps logins.
        page: Renders the form.
        attempts: Limits attempts by address.
        secure: Whether cookies are for https only.
    """
    router = APIRouter()

    def form(request: Request, wanted: str, problem: str | None, status: int) -> HTMLResponse:
        text = page.login(request.headers.get("accept-language"), wanted, problem)
        return HTMLResponse(text, status)

    @router.head("/login")
    @router.get("/login")
    async def show(request: Request, next: str = "") -> HTMLResponse:  # pyright: ignore[reportUnusedFunction]
        """The form."""
        return form(request, wanted_page(next), None, 200)

    @router.post("/login")
    async def sign_in(  # pyright: ignore[reportUnusedFunction]
        request: Request,
        username: Annotated[str, Form()] = "",
        password: Annotated[str, Form()] = "",
        next: Annotated[str, Form()] = "",
    ) -> Response:
        """Check the password; the answer is the same whatever does not fit."""
        wanted = wanted_page(next)
        if (refusal := refused_attempt(request, page, wanted, attempts)) is not None:
            return refusal
        try:
            signed_in = await auth.sign_in(username, password)
        except SignInError:
            return form(request, wanted, "failed", 401)
        answer = RedirectResponse(after_sign_in(signed_in.staff.role, wanted), 303)
        answer.headers.append("set-cookie", set_cookie(signed_in.token, signed_in.expires_at, secure=secure))
        return answer

    @router.post("/logout")
    async def sign_out(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        """End this browser's login."""
        if not is_from_here(request):
            return form(request, "", "foreign", 403)
        await auth.sign_out(read_token(request.cookies))
        return _signed_out(secure)

    @router.post("/logout/everywhere")
    async def sign_out_everywhere(  # pyright: ignore[reportUnusedFunction]
        request: Request, staff: Annotator
    ) -> Response:
        """End the account's logins in all browsers."""
        if not is_from_here(request):
            return form(request, "", "foreign", 403)
        await auth.sign_out_everywhere(staff)
        return _signed_out(secure)

    return router


def refused_attempt(
    request: Request, page: LoginPage, wanted: str, attempts: AddressLimit
) -> HTMLResponse | None:
    """The form again, for an attempt that is not looked at: sent by another site, or one of very many."""
    if request.method == "POST" and not is_from_here(request):
        return HTMLResponse(page.login(request.headers.get("accept-language"), wanted, "foreign"), 403)
    wait_s = attempts.wait(address_of(request))
    if not wait_s:
        return None
    # That it happened, not where from.
    _log.warning("an attempt to sign in was refused: too many from one network")
    text = page.login(
        request.headers.get("accept-language"), wanted, "too_many", minutes=math.ceil(wait_s / 60)
    )
    return HTMLResponse(text, 429, {"retry-after": str(wait_s)})


def is_from_here(request: Request) -> bool:
    """See :func:`app.api.senders.from_here`; the application knows what else it is called."""
    return from_here(request.headers, getattr(request.app.state, "own_hosts", ()))


def must_be_from_here(request: Request) -> None:
    """Refuse a form that another site sent.

    Raises:
        HTTPException: 403.
    """
    if not is_from_here(request):
        raise HTTPException(403, "This form was sent from another site.")


def wanted_page(asked: str) -> str:
    """One of our own pages, or nothing: a sign-in leads nowhere else."""
    return asked if asked in ADDRESSES else ""


def _signed_out(secure: bool) -> Response:
    answer = RedirectResponse("/login", 303)
    answer.headers.append("set-cookie", clear_cookie(secure=secure))
    return answer
