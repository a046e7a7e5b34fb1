"""Who is signed in, for the script of the staff pages: links that the account may follow, and a notice."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from fastapi import APIRouter, Request

from app.auth.roles import Annotator, may
from app.db.records import StaffRole


class Notice(Protocol):
    """A line, and behind it what it is about."""

    @property
    def text(self) -> str:
        """The line."""
        ...

    @property
    def items(self) -> Sequence[str]:
        """What it is about, one by one."""
        ...


def staff_me_router(notice: Callable[[str | None], Notice | None]) -> APIRouter:
    """The route.

    Args:
        notice: From ``Accept-Language`` to what admins have to know now, if anything.
    """
    router = APIRouter()

    @router.get("/api/staff/me")
    async def me(request: Request, staff: Annotator) -> dict[str, Any]:  # pyright: ignore[reportUnusedFunction]
        """Name and role of the account that asks; for an admin, what has to be looked after."""
        found: dict[str, Any] = {"name": staff.username, "role": staff.role.value}
        told = notice(request.headers.get("accept-language")) if may(staff.role, StaffRole.ADMIN) else None
        return found if told is None else found | {"notice": {"text": told.text, "items": list(told.items)}}

    return router
