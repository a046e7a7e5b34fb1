"""Refusals by the staff side's routes as pages for people: a browser that goes to one is shown no JSON.

What asks for no page (a script, ``curl``) gets one sentence as JSON.
"""

from typing import Protocol

from fastapi import FastAPI, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from app.auth.page_list import page_behind
from app.auth.roles import StaffOnlyError
from app.db.records import StaffRole

UNREADABLE = "Something in this request is missing or not in the form that is asked for."
_PROBLEMS = {403: "foreign", 404: "unknown", 422: "invalid"}
"""Texts below ``problem.`` by status."""


class AnswerPages(Protocol):
    """See ``app.ui.login_page.StaffPages``."""

    def refused(self, accept_language: str | None, role: StaffRole) -> str:
        """What an account sees that may not do this."""
        ...

    def problem(self, accept_language: str | None, problem: str, back: str) -> str:
        """What went wrong with a form or a download."""
        ...


def add_staff_answers(app: FastAPI, pages: AnswerPages) -> None:
    """Let the application answer people with pages.

    Args:
        app: Its routes for staff ask by :mod:`app.auth.roles`.
        pages: Renders them.
    """

    @app.exception_handler(StaffOnlyError)
    async def staff_only(  # pyright: ignore[reportUnusedFunction]
        request: Request, error: StaffOnlyError
    ) -> Response:
        """To the sign-in and back, or the pages that the account has."""
        if not _wants_page(request):
            return await http_exception_handler(request, error)
        if error.role is None:
            page = page_behind(request.url.path)
            return RedirectResponse(f"/login?next={page}" if page else "/login", 303)
        text = pages.refused(request.headers.get("accept-language"), error.role)
        return HTMLResponse(text, error.status_code)

    @app.exception_handler(RequestValidationError)
    async def invalid(  # pyright: ignore[reportUnusedFunction]
        request: Request, _error: RequestValidationError
    ) -> Response:
        """What a form can't be sent with; what was sent, and how it is read here, is not repeated."""
        return _problem(pages, request, 422) or JSONResponse({"detail": UNREADABLE}, 422)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:  # pyright: ignore[reportUnusedFunction]
        """What else a download is refused for."""
        found = _problem(pages, request, error.status_code)
        return found or await http_exception_handler(request, error)


def _problem(pages: AnswerPages, request: Request, status: int) -> HTMLResponse | None:
    back, problem = page_behind(request.url.path), _PROBLEMS.get(status)
    if not back or problem is None or not _wants_page(request):
        return None
    return HTMLResponse(pages.problem(request.headers.get("accept-language"), problem, back), status)


def _wants_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
