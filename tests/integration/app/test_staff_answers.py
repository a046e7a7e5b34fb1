"""What people are shown where the staff side refuses them: pages in their language, never JSON."""

import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from sqlalchemy import URL

from app.api.staff_answers import UNREADABLE
from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.engine import SessionFactory
from app.db.records import StaffRole
from app.ui.staff_texts import load_staff_texts
from tests.browser.staff_site import PASSWORD, build_staff_site, fill
from tests.fakes.clock import FakeClock
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store

TEXTS = load_staff_texts()
PAGE = {"accept": "text/html,application/xhtml+xml"}
SCRIPT = {"accept": "*/*"}

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    shutil.copy(sqlite_template, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


@pytest.fixture
async def store(factory: SessionFactory) -> Store:
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    return store


@pytest.fixture
async def client(factory: SessionFactory) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_staff_site(factory))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def login(store: Store, role: StaffRole) -> dict[str, str]:
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
    return PAGE | {"cookie": f"{COOKIE_NAME}={(await auth.sign_in(role.value, PASSWORD)).token}"}


@pytest.mark.parametrize(
    ("method", "path", "page"),
    [
        ("GET", "/password", "/login?next=/password"),
        ("POST", "/password", "/login?next=/password"),
        ("GET", "/api/staff/referrals.csv", "/login?next=/export"),
        ("GET", "/api/staff/referrals.csv?year=26", "/login?next=/export"),
        ("GET", "/api/staff/rankings.csv", "/login?next=/annotate"),
        ("GET", "/api/staff/insights/risk.csv", "/login?next=/insights"),
        ("POST", "/api/staff/export/ratings.csv", "/login?next=/export"),
        ("POST", "/logout/everywhere", "/login"),
    ],
)
async def test_who_is_signed_out_is_led_to_the_sign_in_and_back(
    client: httpx.AsyncClient, method: str, path: str, page: str
) -> None:
    answer = await client.request(method, path, headers=PAGE)
    assert (answer.status_code, answer.headers.get("location")) == (303, page)


async def test_a_script_that_is_signed_out_is_told_so_as_data(client: httpx.AsyncClient) -> None:
    answer = await client.get("/password", headers=SCRIPT)
    assert (answer.status_code, answer.json()) == (401, {"detail": "Sign in first."})


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("path", ["/review/", "/api/staff/referrals.csv"])
async def test_the_refusal_links_the_pages_that_the_account_has(
    store: Store, client: httpx.AsyncClient, path: str, locale: str
) -> None:
    who = await login(store, StaffRole.ANNOTATOR) | {"accept-language": locale}
    answer = await client.get(path, headers=who)
    texts = TEXTS[locale]
    assert answer.status_code == 403
    assert texts("refused.title") in answer.text
    assert f'<a href="/annotate/">{texts("staff.annotate")}</a>' in answer.text
    assert "/review/" not in answer.text


@pytest.mark.parametrize(
    ("role", "wanted", "led_to"),
    [
        (StaffRole.ANNOTATOR, "/review", "/annotate"),
        (StaffRole.ANNOTATOR, "/password", "/password"),
        (StaffRole.ANNOTATOR, "https://example.org", "/annotate"),
        (StaffRole.ADMIN, "/annotate", "/annotate"),
        (StaffRole.ADMIN, "", "/review"),
    ],
)
async def test_a_sign_in_leads_to_the_page_asked_for_only_if_the_account_may_open_it(
    client: httpx.AsyncClient, role: StaffRole, wanted: str, led_to: str
) -> None:
    form = {"username": role.value, "password": PASSWORD, "next": wanted}
    answer = await client.post("/login", data=form, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, led_to)


@pytest.mark.parametrize(
    ("method", "path", "status", "problem", "back"),
    [
        ("GET", "/api/staff/referrals.csv?year=26", 422, "invalid", "/export"),
        ("GET", "/api/staff/export/nothing.csv", 404, "unknown", "/export"),
        ("GET", "/api/staff/insights/nothing.csv", 404, "unknown", "/insights"),
        ("POST", "/api/staff/export/ratings.csv", 403, "foreign", "/export"),
    ],
)
async def test_what_a_download_is_refused_for_is_said_on_a_page(
    store: Store, client: httpx.AsyncClient, method: str, path: str, status: int, problem: str, back: str
) -> None:
    who = await login(store, StaffRole.ADMIN)
    if problem == "foreign":
        who |= {"sec-fetch-site": "cross-site"}
    answer = await client.request(method, path, headers=who)
    assert answer.status_code == status
    assert TEXTS["en"](f"problem.{problem}") in answer.text
    assert f'<a href="{back}">' in answer.text
    assert "loc" not in answer.text.replace("locale", "")


async def test_a_script_is_told_what_is_wrong_as_data(store: Store, client: httpx.AsyncClient) -> None:
    who = await login(store, StaffRole.ADMIN) | SCRIPT
    answer = await client.get("/api/staff/referrals.csv?year=26", headers=who)
    assert answer.status_code == 422
    assert answer.json() == {"detail": UNREADABLE}


async def test_what_was_sent_is_not_repeated_to_a_script(client: httpx.AsyncClient) -> None:
    file = {"username": ("secret.txt", b"what a file holds")}
    answer = await client.post("/login", files=file, data={"password": "x"}, headers=SCRIPT)
    assert (answer.status_code, answer.json()) == (422, {"detail": UNREADABLE})


async def test_a_year_that_was_left_empty_is_every_year(store: Store, client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/staff/referrals.csv?year=", headers=await login(store, StaffRole.ADMIN))
    assert answer.status_code == 200
    assert "hearken-referrals-all.csv" in answer.headers["content-disposition"]


async def test_a_reason_without_words_is_said_on_a_page(store: Store, client: httpx.AsyncClient) -> None:
    who = await login(store, StaffRole.ADMIN)
    answer = await client.post("/api/staff/verdicts.csv", headers=who, data={"reason": "a" * 24})
    assert answer.status_code == 422
    assert TEXTS["en"]("problem.invalid") in answer.text


async def test_admins_alone_are_told_which_helplines_have_to_be_checked(
    store: Store, client: httpx.AsyncClient
) -> None:
    admin, annotator = [
        (await client.get("/api/staff/me", headers=await login(store, role))).json()
        for role in (StaffRole.ADMIN, StaffRole.ANNOTATOR)
    ]
    assert any("(cn-12338)" in item for item in admin["notice"]["items"])
    assert "cn-12338" not in admin["notice"]["text"]
    assert "notice" not in annotator
