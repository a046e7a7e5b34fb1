"""Accounts in a real browser: what is pressed is done to the account that is on the screen."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlalchemy import URL

from tests.browser.conftest import READY_MS, until
from tests.browser.slow_answers import SlowAnswers
from tests.browser.staff_server import StaffServer, sign_in, staff_server
from tests.browser.staff_site import fill
from tests.integration.app.db.store import Store


async def colleague(store: Store) -> None:
    """A third account, beside one of each role."""
    (first, *_) = await store.staff.list_all()
    await store.staff.create("ben", None, first.role)


@pytest.fixture
def server(staff_database: URL) -> Iterator[StaffServer]:
    with staff_server(staff_database, fill, colleague) as server:
        yield server


@pytest.fixture
def page(server: StaffServer, new_context: Callable[..., BrowserContext]) -> Page:
    """The accounts as an admin sees them, the annotator's opened."""
    page = sign_in(new_context(reduced_motion="reduce").new_page(), server.url, "admin", "/staff")
    entry(page, "annotator").click(timeout=READY_MS)
    expect(page.locator("#hk-account-name")).to_contain_text("annotator")
    return page


def entry(page: Page, name: str) -> Locator:
    return page.locator("#hk-accounts label", has_text=re.compile(rf"^\s*{name} ·"))


def disabled(server: StaffServer) -> list[str]:
    return [one.username for one in server.do(lambda store: store.staff.list_all()) if one.disabled_at]


def test_a_press_while_another_account_is_on_its_way_is_done_to_the_one_on_the_screen(
    page: Page, server: StaffServer
) -> None:
    slow = SlowAnswers(page, events=True)
    entry(page, "ben").click()
    page.get_by_role("button", name="Disable annotator").click()
    slow.let_through(2)
    until(page, lambda: disabled(server) != [])
    assert disabled(server) == ["annotator"]


def test_of_two_accounts_chosen_quickly_by_keyboard_the_last_is_shown(page: Page) -> None:
    slow = SlowAnswers(page, events=True)
    for name in ("ben", "admin"):
        entry(page, name).locator("input").press("Space")
    slow.let_through(1)
    expect(page.locator("#hk-account-name")).to_contain_text("admin")
