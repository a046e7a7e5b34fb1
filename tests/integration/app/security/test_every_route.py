"""Every address of the whole application, found by walking: who is let in, and what stays closed."""

import pytest

from app.auth.page_list import PAGES
from app.auth.roles import may
from app.db.records import StaffRole
from tests.integration.app.security.conftest import As, WholeApp
from tests.integration.app.security.walk import Address, addresses, pages

pytestmark = pytest.mark.asyncio(loop_scope="module")

PUBLIC = {
    "/": "the chat page; conversations belong to the signed cookie",
    "/healthz": "says only that the process lives",
    "/readyz": "names parts and no settings; the proxy keeps it to itself",
    "/metrics": "loopback or a token; counts only",
    "/safety": "the published crisis protocol",
    "/static/{path}": "scripts and style sheets",
    "/login": "the way in",
    "/logout": "ends the login of the cookie that is sent, if any",
    "/assets/{path:path}": "Gradio's scripts",
    "/theme.css": "Gradio's style sheet",
    "/favicon.ico": "an icon",
    "/gradio_api/queue/join": "takes a turn of the person that the cookie names",
    "/gradio_api/queue/data": "reads the answers of the random session hash that is named",
    "/gradio_api/heartbeat/{session_hash}": "tells when a page was closed",
    "/gradio_api/startup-events": "Gradio's own beginning",
    "/gradio_api/cancel": "stops an event by its random id",
    "/gradio_api/component_server": "calls functions that components offer; the chat page's offer none",
    "/gradio_api/component_server/": "the same",
}
"""What answers without any cookie, and why that is right. A new public address must be added here."""
OF_A_PERSON = {"/api/me", "/api/me/export", "/api/me/conversations.html"}
STAFF = {
    "/api/staff/me": StaffRole.ANNOTATOR,
    "/logout/everywhere": StaffRole.ANNOTATOR,
    "/password": StaffRole.ANNOTATOR,
}
"""Addresses of staff outside their pages that annotators may use; all others are for admins only."""
REFUSED = {None: {401}, StaffRole.ANNOTATOR: {403}}


def needed_role(address: Address) -> StaffRole | None:
    """What an account needs for an address of staff; ``None`` when it is none."""
    for page in PAGES:
        if address.pattern.startswith(f"{page.address}/"):
            return page.role
    if address.pattern in STAFF:
        return STAFF[address.pattern]
    return StaffRole.ADMIN if address.pattern.startswith("/api/staff/") else None


async def status(whole: WholeApp, address: Address, cookies: dict[str, str]) -> int:
    headers = {"x-requested-with": "page"}
    async with whole.browser(cookies) as browser:
        return (await browser.request(address.method, address.path, json={}, headers=headers)).status_code


def staff_addresses(whole: WholeApp) -> list[tuple[Address, StaffRole]]:
    found = [(address, needed_role(address)) for address in sorted(addresses(whole.app))]
    return [(address, role) for address, role in found if role is not None]


@pytest.mark.parametrize("role", [None, StaffRole.ANNOTATOR])
async def test_every_address_of_staff_refuses_whoever_lacks_the_role(
    whole: WholeApp, cookies_of: As, role: StaffRole | None
) -> None:
    cookies = await cookies_of(role)
    closed = [address for address, needed in staff_addresses(whole) if not may(role, needed)]
    assert len(closed) > 60
    answers = {address: await status(whole, address, cookies) for address in closed}
    assert {found for found in answers.items() if found[1] not in REFUSED[role]} == set()


async def test_a_browser_without_a_login_is_led_to_the_sign_in_from_every_page(whole: WholeApp) -> None:
    async with whole.browser() as browser:
        for page in PAGES:
            answer = await browser.get(f"{page.address}/", headers={"accept": "text/html"})
            assert (answer.status_code, answer.headers["location"]) == (303, f"/login?next={page.address}")


async def test_every_gradio_page_but_the_chat_is_in_the_table_of_staff_pages(whole: WholeApp) -> None:
    assert set(pages(whole.app)) == {"", *(page.address for page in PAGES)}


async def test_every_address_outside_the_staff_pages_is_public_for_a_reason_or_closed(
    whole: WholeApp,
) -> None:
    others = [address for address in addresses(whole.app) if needed_role(address) is None]
    unexplained = [one for one in others if one.pattern not in PUBLIC and one.pattern not in OF_A_PERSON]
    answers = {address: await status(whole, address, {}) for address in unexplained}
    assert {found for found in answers.items() if found[1] not in (404, 405)} == set()


async def test_a_persons_own_data_refuses_a_browser_without_the_cookie(whole: WholeApp) -> None:
    for address in addresses(whole.app):
        if address.pattern in OF_A_PERSON:
            assert await status(whole, address, {}) == 401


LEAKS = (
    "config",
    "openapi.json",
    "gradio_api/openapi.json",
    "gradio_api/info",
    "gradio_api/queue/status",
    "gradio_api/token",
    "gradio_api/upload_progress",
    "gradio_api/deep_link",
    "gradio_api/file=/etc/passwd",
    "monitoring",
)


@pytest.mark.parametrize("rest", LEAKS)
async def test_what_gradio_serves_besides_the_page_is_closed_to_the_right_role_too(
    whole: WholeApp, cookies_of: As, rest: str
) -> None:
    async with whole.browser(await cookies_of(StaffRole.ADMIN)) as browser:
        answers = {page.address: await browser.get(f"{page.address}/{rest}") for page in PAGES}
    closed = {page.address for page in PAGES if not (page.files and "file=" in rest)}
    assert {answers[address].status_code for address in closed} == {404}


@pytest.mark.parametrize("rest", ["upload", "call/begin", "run/begin", "api/begin", "vibe-edit", "reset"])
async def test_only_the_queue_takes_events(whole: WholeApp, cookies_of: As, rest: str) -> None:
    async with whole.browser(await cookies_of(StaffRole.ADMIN)) as browser:
        for page in PAGES:
            answer = await browser.post(f"{page.address}/gradio_api/{rest}", json={"data": []})
            assert answer.status_code == 404


async def test_the_page_that_an_annotator_gets_holds_nothing_that_anybody_wrote(
    whole: WholeApp, cookies_of: As
) -> None:
    async with whole.browser(await cookies_of(StaffRole.ANNOTATOR)) as browser:
        document = (await browser.get("/annotate/")).text
    stored = [row["text"] for row in await whole.store.contents("messages")]
    assert stored
    assert [text for text in stored if text in document] == []


@pytest.mark.parametrize("path", ["/", "/login", "/safety", "/healthz", "/readyz", "/static/staff.css"])
async def test_a_public_page_answers_a_question_for_its_head_as_it_answers_for_itself(
    whole: WholeApp, path: str
) -> None:
    async with whole.browser() as browser:
        head, whole_answer = await browser.head(path), await browser.get(path)
    assert head.status_code == whole_answer.status_code
    assert head.headers["content-type"] == whole_answer.headers["content-type"]


SENT_BY_OTHERS = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "http://evil.example"},
    {"origin": "http://localhost:9999"},
)


@pytest.mark.parametrize("sender", SENT_BY_OTHERS)
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
async def test_no_address_takes_what_another_site_or_port_sends_with_the_cookies(
    whole: WholeApp, cookies_of: As, sender: dict[str, str], accept: str
) -> None:
    headers = {"accept": accept, "x-requested-with": "page", "content-type": "text/plain", **sender}
    writes = [
        one for one in addresses(whole.app) if one.method not in ("GET", "HEAD", "OPTIONS", "WEBSOCKET")
    ]
    assert {"/gradio_api/queue/join", "/review/gradio_api/component_server"} < {one.pattern for one in writes}
    async with whole.browser(await cookies_of(StaffRole.ADMIN)) as browser:
        await browser.get("/", headers={"accept": "text/html"})
        answers = {
            one: (await browser.request(one.method, one.path, content="{}", headers=headers)).status_code
            for one in writes
        }
    # A download's own page may also say that its form can't be read.
    refused = (403, 422) if accept == "text/html" else (403,)
    assert {found for found in answers.items() if found[1] not in refused} == set()


@pytest.mark.parametrize("path", ["/Review/", "//review/", "/review%2f", "/./review/", "/static/../review/"])
async def test_another_way_to_write_the_address_opens_nothing(whole: WholeApp, path: str) -> None:
    async with whole.browser() as browser:
        answer = await browser.get(path)
    assert "hk-flags" not in answer.text
