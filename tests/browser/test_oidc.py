"""Staff sign in by an OpenID Connect provider that is a site of its own, by clicking, in a real browser."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from app.db.records import StaffRole
from app.settings import Settings
from tests.browser.conftest import PHONE
from tests.browser.server_thread import ServerThread
from tests.browser.staff_server import StaffServer, staff_server
from tests.browser.staff_site import UNLIMITED, fill
from tests.fakes.oidc_provider import CLIENT_ID, CLIENT_SECRET, Provider
from tests.fakes.oidc_site import provider_site
from tests.integration.app.db.store import Store

NewContext = Callable[..., BrowserContext]
PEOPLE = {
    who: {"sub": who, "email": f"{who}@example.org", "email_verified": True, "groups": groups}
    for who, groups in {
        "anna": ["raters"],
        "mo": ["raters", "leads"],
        "guest": ["visitors"],
        "stranger": ["raters"],
    }.items()
}
REFUSED = "Signing in by the provider did not work"


async def add_people(store: Store) -> None:
    """Accounts of all but the stranger; roles come with the groups."""
    for who in ("anna", "mo", "guest"):
        await store.staff.create(f"{who}@example.org", None, StaffRole.ANNOTATOR)


@dataclass(frozen=True)
class Place:
    """A running Hearken, and the address of the provider that its staff sign in by."""

    hearken: StaffServer
    provider: str


@pytest.fixture
def place(staff_database: URL, tmp_path: Path) -> Iterator[Place]:
    provider = Provider()

    @asynccontextmanager
    async def application() -> AsyncGenerator[FastAPI]:
        yield provider_site(provider, PEOPLE)

    site = ServerThread(application)
    # Another name than Hearken's address has: for the browser, another site.
    provider.issuer = f"http://localhost:{site.port}"
    settings = Settings.model_validate(
        {
            "limits": UNLIMITED,
            "storage": {"folder": tmp_path},
            "oidc": {
                "discovery_url": f"{provider.issuer}/.well-known/openid-configuration",
                "client_id": CLIENT_ID,
                "client_secret": CLIENT_SECRET,
                "label": "Example ID",
                "annotator_groups": "raters",
                "admin_groups": "leads",
            },
        }
    )
    site.start()
    with staff_server(staff_database, fill, add_people, settings=settings) as hearken:
        yield Place(hearken, provider.issuer)
    site.stop()


def go(place: Place, new_context: NewContext, who: str, path: str = "/login", **options: object) -> Page:
    """All the way to the provider and back, by clicking."""
    page = new_context(reduced_motion="reduce", **options).new_page()
    page.goto(f"{place.hearken.url}{path}")
    page.locator(".hk-provider a").click()
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
    assert page.url.startswith(f"{place.provider}/authorize?")
    page.get_by_role("button", name=who, exact=True).click()
    return page


def test_each_role_lands_on_its_page(place: Place, new_context: NewContext) -> None:
    rater = go(place, new_context, "anna")
    rater.wait_for_url(f"{place.hearken.url}/annotate/")
    expect(rater.locator("#hk-progress")).to_contain_text("2 are waiting for you")
    lead = go(place, new_context, "mo", viewport=PHONE)
    lead.wait_for_url(f"{place.hearken.url}/review/")
    expect(lead.locator(".hk-queue button")).to_have_count(1)


def test_the_page_that_was_asked_for_comes_after_the_sign_in(place: Place, new_context: NewContext) -> None:
    page = go(place, new_context, "mo", "/export")
    page.wait_for_url(f"{place.hearken.url}/export/")
    expect(page.locator("#hk-export")).to_be_visible()


@pytest.mark.parametrize("who", ["stranger", "guest", "Turn back"])
def test_who_has_no_account_or_no_role_or_turns_back_is_refused(
    place: Place, new_context: NewContext, who: str
) -> None:
    page = go(place, new_context, who)
    expect(page.get_by_role("alert")).to_contain_text(REFUSED)
    expect(page.get_by_label("User name")).to_be_visible()
    page.goto(f"{place.hearken.url}/annotate/")
    assert page.url == f"{place.hearken.url}/login?next=/annotate"


def test_who_only_rates_is_not_let_into_the_review(place: Place, new_context: NewContext) -> None:
    page = go(place, new_context, "anna", "/review")
    # A page that the role can't open is not what the sign-in leads to.
    page.wait_for_url(f"{place.hearken.url}/annotate/")
    page.goto(f"{place.hearken.url}/review")
    expect(page.locator("h1")).to_have_text("Not for your account")
    expect(page.locator("a[href='/annotate/']")).to_be_visible()


def test_signing_out_ends_the_login_and_the_next_one_asks_again(
    place: Place, new_context: NewContext
) -> None:
    page = go(place, new_context, "mo")
    page.wait_for_url(f"{place.hearken.url}/review/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/login")
    page.goto(f"{place.hearken.url}/review")
    assert page.url == f"{place.hearken.url}/login?next=/review"
    page.locator(".hk-provider a").click()
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()


def test_a_chinese_browser_reads_chinese_all_the_way(place: Place, new_context: NewContext) -> None:
    page = go(place, new_context, "guest", locale="zh-CN")
    expect(page.get_by_role("alert")).to_contain_text("登录")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
