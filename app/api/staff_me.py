"""Who is signed in, for the script of the staff pages: it shows the links that the account may follow."""

from fastapi import APIRouter

from app.auth.roles import Annotator


def staff_me_router() -> APIRouter:
    """The route."""
    router = APIRouter()

    @router.get("/api/staff/me")
    async def me(staff: Annotator) -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        """Name and role of the account that asks."""
        return {"name": staff.username, "role": staff.role.value}

    return router
