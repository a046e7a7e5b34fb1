"""Staff change their own password at ``/password``, by naming the present one."""

from typing import Annotated, Protocol

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.api.staff_login import is_from_here
from app.auth.page_list import HOME
from app.auth.passwords import WeakPasswordError
from app.auth.roles import Annotator
from app.auth.sign_in import SignInError, StaffAuth
from app.auth.staff_cookie import set_cookie


class PasswordPage(Protocol):
    """See ``app.ui.password_page.PasswordPages``."""

    def password(self, accept_language: str | None, home: str, problem: str | None = None) -> str:
        """The form as a document."""
        ...


def own_password_router(auth: StaffAuth, page: PasswordPage, *, secure: bool) -> APIRouter:
    """The routes.

    Args:
        auth: Checks and changes passwords.
        page: Renders the form.
        secure: Whether cookies are for https only.
    """
    router = APIRouter()

    def form(request: Request, staff: Annotator, problem: str | None, status: int) -> HTMLResponse:
        text = page.password(request.headers.get("accept-language"), HOME[staff.role], problem)
        return HTMLResponse(text, status)

    @router.head("/password")
    @router.get("/password")
    async def show(request: Request, staff: Annotator) -> HTMLResponse:  # pyright: ignore[reportUnusedFunction]
        """The form."""
        return form(request, staff, None, 200)

    @router.post("/password")
    async def change(  # pyright: ignore[reportUnusedFunction]
        request: Request,
        staff: Annotator,
        present: Annotated[str, Form()] = "",
        new: Annotated[str, Form()] = "",
        again: Annotated[str, Form()] = "",
    ) -> Response:
        """Change it; all other logins of the account end, this one goes on with a new token."""
        if not is_from_here(request):
            return form(request, staff, "foreign", 403)
        if new != again:
            return form(request, staff, "differ", 422)
        try:
            signed_in = await auth.change_password(staff, present, new)
        except SignInError:
            return form(request, staff, "wrong", 401)
        except WeakPasswordError as error:
            return form(request, staff, "same" if error.code == "same" else "weak", 422)
        answer = RedirectResponse(HOME[staff.role], 303)
        answer.headers.append("set-cookie", set_cookie(signed_in.token, signed_in.expires_at, secure=secure))
        return answer

    return router
