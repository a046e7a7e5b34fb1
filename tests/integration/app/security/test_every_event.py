"""Every event of every staff page checks the role itself, whatever the outer door did."""

import gradio as gr
import pytest
from starlette.requests import Request

from app.auth.page_list import PAGES
from app.auth.roles import may
from app.auth.staff_cookie import COOKIE_NAME
from app.db.records import StaffRole
from tests.integration.app.security.conftest import As, WholeApp
from tests.integration.app.security.walk import arguments, called, events, pages

pytestmark = pytest.mark.asyncio(loop_scope="module")


def asking(cookies: dict[str, str]) -> gr.Request:
    """A request as Gradio hands it to a handler."""
    pairs = "; ".join(f"{name}={value}" for name, value in cookies.items())
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"cookie", pairs.encode())]}
    return gr.Request(Request(scope))


_BESIDES = frozenset({"audit_log", "daily_figures", "job_runs"})
"""Tables that refusals and the daily jobs write."""

REFUSAL = {
    None: "'Your login has ended. Open the page again to sign in.'",
    StaffRole.ANNOTATOR: "'Your account may not do this.'",
}


async def test_every_event_is_found(whole: WholeApp) -> None:
    found = {address: len(events(page)) for address, page in pages(whole.app).items()}
    assert all(found[page.address] >= 1 for page in PAGES)


@pytest.mark.parametrize("role", [None, StaffRole.ANNOTATOR])
async def test_every_event_refuses_whoever_lacks_the_role(
    whole: WholeApp, cookies_of: As, role: StaffRole | None
) -> None:
    request = asking(await cookies_of(role))
    before = await whole.store.rows(without=_BESIDES)
    let_in: list[str] = []
    said: set[str] = set()
    for page in PAGES:
        if may(role, page.role):
            continue
        for name, function in events(pages(whole.app)[page.address]).items():
            try:
                await called(function, arguments(function, request))
            except gr.Error as error:
                said.add(str(error))
            else:
                let_in.append(f"{page.address} {name}")
    assert let_in == []
    assert said == {REFUSAL[role]}
    assert await whole.store.rows(without=_BESIDES) == before


async def test_every_event_is_hidden_from_gradios_own_listing(whole: WholeApp) -> None:
    shown = [
        f"{address} {number}"
        for address, page in pages(whole.app).items()
        for number, event in page.fns.items()
        if event.api_visibility != "private"
    ]
    assert shown == []


async def test_every_handler_is_told_who_is_asking(whole: WholeApp) -> None:
    for page in PAGES:
        for name, function in events(pages(whole.app)[page.address]).items():
            assert any(isinstance(one, gr.Request) for one in arguments(function, asking({}))), name
    assert COOKIE_NAME == "hearken_staff"
