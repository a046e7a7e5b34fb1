"""Routes and pages let staff through by role, and say nothing to anybody else."""

import httpx
import pytest
from fastapi import FastAPI

from app.auth.roles import Admin, Annotator, NotSignedInError, WrongRoleError
from app.auth.staff_cookie import COOKIE_NAME
from app.db.records import StaffRole
from tests.integration.app.auth.conftest import PASSWORD, Desk


def app_with(desk: Desk) -> FastAPI:
    app = FastAPI()
    app.state.staff_gate = desk.gate

    @app.get("/admins")
    async def admins(staff: Admin) -> str:
        return staff.username

    @app.get("/annotators")
    async def annotators(staff: Annotator) -> str:
        return staff.username

    return app


async def token(desk: Desk, role: StaffRole) -> str:
    await desk.account(role.value, role)
    return (await desk.auth.sign_in(role.value, PASSWORD)).token


async def status(desk: Desk, path: str, token: str | None) -> int:
    cookies = {} if token is None else {COOKIE_NAME: token}
    transport = httpx.ASGITransport(app_with(desk))
    async with httpx.AsyncClient(transport=transport, base_url="http://test", cookies=cookies) as client:
        return (await client.get(path)).status_code


@pytest.mark.parametrize(
    ("role", "path", "expected"),
    [
        (StaffRole.ADMIN, "/admins", 200),
        (StaffRole.ADMIN, "/annotators", 200),
        (StaffRole.ANNOTATOR, "/annotators", 200),
        (StaffRole.ANNOTATOR, "/admins", 403),
    ],
)
async def test_a_role_opens_its_routes_only(desk: Desk, role: StaffRole, path: str, expected: int) -> None:
    assert await status(desk, path, await token(desk, role)) == expected


@pytest.mark.parametrize("path", ["/admins", "/annotators"])
async def test_without_a_login_no_route_opens(desk: Desk, path: str) -> None:
    assert await status(desk, path, None) == 401


async def test_an_ended_login_opens_nothing(desk: Desk) -> None:
    ended = await token(desk, StaffRole.ADMIN)
    await desk.auth.sign_out(ended)
    assert await status(desk, "/admins", ended) == 401


async def test_the_gate_refuses_a_handler_without_login(desk: Desk) -> None:
    with pytest.raises(NotSignedInError):
        await desk.gate.require({}, StaffRole.ANNOTATOR, "annotate")


async def test_a_refused_role_is_in_the_audit_log(desk: Desk) -> None:
    cookies = {COOKIE_NAME: await token(desk, StaffRole.ANNOTATOR)}
    with pytest.raises(WrongRoleError):
        await desk.gate.require(cookies, StaffRole.ADMIN, "review")
    refused = [entry for entry in await desk.store.audit.recent() if entry.action == "access.refused"]
    assert [(entry.object_id, entry.detail) for entry in refused] == [("review", {"role": "annotator"})]
