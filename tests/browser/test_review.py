"""The review page as a reviewer on duty uses it, in a real browser, on both databases."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from app.db.migrate import upgrade
from app.db.records import FlagOutcome, StaffRole
from safety.levels import RiskCategory, RiskLevel
from tests.browser.conftest import PHONE, READY_MS, connect
from tests.browser.slow_answers import SlowAnswers
from tests.browser.staff_server import StaffServer, sign_in, staff_server
from tests.browser.staff_site import CRISIS, fill
from tests.integration.app.db.store import Store, an_assessment
from tests.integration.conftest import BOTH, a_database, postgres_server

__all__ = ["postgres_server"]


@pytest.fixture
def database(request: pytest.FixtureRequest, staff_database: URL) -> Iterator[URL]:
    """Address of a migrated database, SQLite unless a test asks; the browser's loop runs in this thread."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield staff_database
        return
    with ThreadPoolExecutor(1) as other:
        made = a_database(request.getfixturevalue("postgres_server"), "")
        url = other.submit(next, made).result()
        other.submit(upgrade, url).result()
        yield url
        other.submit(next, made, None).result()


@pytest.fixture
def desk(database: URL) -> Iterator[StaffServer]:
    """A server over a fresh, filled database."""
    with staff_server(database, fill) as server:
        yield server


@pytest.fixture
def on_duty(desk: StaffServer, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Opens the review page as an admin, in a browser of its own."""

    def make(name: str = "admin", **options: object) -> Page:
        page = new_context(reduced_motion="reduce", **options).new_page()
        sign_in(page, desk.url, name)
        expect(page.locator(".hk-queue button")).not_to_have_count(0, timeout=READY_MS)
        return page

    return make


async def alarm(store: Store, level: RiskLevel = RiskLevel.IMMINENT) -> None:
    """Somebody else comes into danger."""
    session = await store.session()
    message = await store.messages.add_user(session.id, "I have the pills here")
    await store.risk.add(message.id, session.id, an_assessment(level))
    await store.flags.raise_flag(session.id, message.id, level, RiskCategory.SELF_HARM)


async def colleague(store: Store) -> None:
    """A second admin takes the first flag."""
    other = await store.staff.create("beata", None, StaffRole.ADMIN)
    flag = (await store.flags.list_open())[0]
    await store.flags.assign(flag.id, other.id, flag.version)


async def closed_by_colleague(store: Store) -> None:
    """A second admin closes the first flag."""
    other = await store.staff.create("beata", None, StaffRole.ADMIN)
    flag = (await store.flags.list_open())[0]
    await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, other.id, flag.version)


def open_first(page: Page) -> None:
    page.click(".hk-queue button >> nth=0")
    expect(page.locator("#hk-case-facts h2")).to_be_visible()


@pytest.mark.parametrize("database", BOTH, indirect=True)
def test_a_new_alarm_appears_by_itself_on_an_open_page_and_disturbs_nothing(
    desk: StaffServer, on_duty: Callable[..., Page]
) -> None:
    page = on_duty()
    open_first(page)
    page.fill("#hk-note textarea", "half a sentence")
    page.focus("#hk-note textarea")
    page.evaluate("document.querySelector('#hk-note textarea').dataset.same = 'yes'")
    scrolled = page.evaluate("window.scrollTo(0, 200), window.scrollY")

    desk.do(alarm)

    expect(page.locator(".hk-queue button")).to_have_count(2)
    expect(page).to_have_title("(2) Review")
    expect(page.get_by_role("status").filter(has_text="New: 1")).to_have_text(
        "New: 1. The most urgent is imminent, self-harm."
    )
    expect(page.locator("#hk-note textarea")).to_be_focused()
    expect(page.locator("#hk-note textarea")).to_have_value("half a sentence")
    expect(page.locator("#hk-note textarea")).to_have_attribute("data-same", "yes")
    assert page.evaluate("window.scrollY") == scrolled
    expect(page.locator(".hk-queue [aria-current]")).to_contain_text("suicide")


def test_a_press_that_a_new_alarm_falls_into_is_not_lost(
    desk: StaffServer, on_duty: Callable[..., Page]
) -> None:
    page = on_duty()
    desk.do(lambda store: alarm(store, RiskLevel.MODERATE))
    expect(page.locator(".hk-queue button")).to_have_count(2)
    wanted = page.locator(".hk-queue button", has_text="moderate")
    wanted.hover()
    page.mouse.down()
    with page.expect_response(lambda answer: "/api/staff/flags" in answer.url and answer.status == 200):
        desk.do(alarm)
    page.mouse.up()
    expect(page.locator("#hk-case-facts h2")).to_contain_text("moderate")
    expect(page.locator(".hk-queue button")).to_have_count(3)


def test_the_text_is_shown_only_by_a_press_of_its_own(on_duty: Callable[..., Page]) -> None:
    page = on_duty()
    open_first(page)
    expect(page.locator("#hk-case-facts")).to_contain_text("rules (en.plan)")
    expect(page.locator("body")).not_to_contain_text(CRISIS)
    page.click("#hk-reveal")
    expect(page.locator("#hk-log")).to_contain_text("<b>tonight</b>")
    expect(page.locator("#hk-log mark")).to_have_count(1)
    expect(page.locator("#hk-risk svg")).to_be_visible()


def test_an_entry_says_level_kind_time_left_and_who_has_it(on_duty: Callable[..., Page]) -> None:
    page = on_duty()
    entry = page.locator(".hk-queue button").first
    expect(entry).to_contain_text(re.compile(r"imminent\s*suicide\s*1[0-5] min left"))
    expect(entry).to_contain_text("unassigned")
    open_first(page)
    page.click("#hk-take")
    expect(entry).to_contain_text("with admin")
    page.get_by_role("radio", name="Unassigned").check()
    expect(page.locator(".hk-queue button")).to_have_count(0)
    page.get_by_role("radio", name="Mine").check()
    expect(page.locator(".hk-queue button")).to_have_count(1)


def test_a_flag_that_a_colleague_closes_while_it_is_read_is_told(
    desk: StaffServer, on_duty: Callable[..., Page]
) -> None:
    page = on_duty()
    open_first(page)
    page.fill("#hk-note textarea", "mine")
    desk.do(closed_by_colleague)
    expect(page.locator("#hk-changed")).to_contain_text("has closed this flag")
    expect(page.locator("#hk-note textarea")).to_have_value("mine")


def test_a_change_by_a_colleague_is_told_and_overwrites_nothing(
    desk: StaffServer, on_duty: Callable[..., Page]
) -> None:
    page = on_duty()
    open_first(page)
    page.fill("#hk-note textarea", "mine")
    desk.do(colleague)
    expect(page.locator("#hk-changed")).to_be_visible()
    page.click("#hk-take")
    expect(page.locator("#hk-notice")).to_contain_text("Somebody else has changed this meanwhile.")
    expect(page.locator("#hk-case-facts")).to_contain_text("beata")
    expect(page.locator("#hk-note textarea")).to_have_value("mine")
    expect(page.locator("#hk-changed")).to_be_hidden()


def test_a_flag_is_noted_closed_and_opened_again_by_keyboard_only(on_duty: Callable[..., Page]) -> None:
    page = on_duty()
    page.focus(".hk-queue button >> nth=0")
    page.keyboard.press("Enter")
    expect(page.locator("#hk-case-facts h2")).to_be_focused()
    page.focus("#hk-note textarea")
    page.keyboard.type("Called the duty line.")
    page.keyboard.press("Tab")
    expect(page.locator("#hk-save-note")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#hk-notes")).to_contain_text("Called the duty line.")
    page.focus("#hk-outcome input >> nth=2")
    page.keyboard.press("Space")
    for _ in range(len(FlagOutcome)):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "hk-save-outcome":
            break
    expect(page.locator("#hk-save-outcome")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#hk-notice")).to_contain_text("The flag was closed.")
    expect(page).to_have_title("Review")
    page.get_by_role("radio", name="Closed").check()
    expect(page.locator(".hk-queue button")).to_contain_text("Passed on")
    page.focus("#hk-reopen")
    page.keyboard.press("Enter")
    expect(page.locator("#hk-notice")).to_contain_text("The flag is open again")
    page.get_by_role("radio", name="All open").check()
    expect(page.locator(".hk-queue button")).to_have_count(1)


def test_the_page_fits_a_phone(on_duty: Callable[..., Page]) -> None:
    page = on_duty(viewport=PHONE, locale="zh-CN")
    open_first(page)
    page.click("#hk-reveal")
    expect(page.locator("#hk-log")).to_contain_text("tonight")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator("#hk-reveal")).to_be_hidden()
    expect(page.locator("#hk-queue")).to_contain_text("紧急")


def test_a_lost_connection_is_said(on_duty: Callable[..., Page]) -> None:
    page = on_duty()
    expect(page.locator(".hk-state")).to_have_text("This list is kept up to date.")
    connect(page, offline=True)
    expect(page.locator(".hk-state")).to_contain_text("No connection", timeout=30_000)


@pytest.fixture
def two_flags(desk: StaffServer, on_duty: Callable[..., Page]) -> Page:
    """The page with an imminent and a moderate flag, the imminent one opened."""
    page = on_duty()
    desk.do(lambda store: alarm(store, RiskLevel.MODERATE))
    expect(page.locator(".hk-queue button")).to_have_count(2)
    page.locator(".hk-queue button", has_text="imminent").click()
    expect(page.locator("#hk-case-facts h2")).to_contain_text("imminent")
    return page


def test_of_two_flags_chosen_quickly_on_a_slow_line_the_last_is_shown(
    two_flags: Page, desk: StaffServer
) -> None:
    page = two_flags
    desk.do(alarm)
    expect(page.locator(".hk-queue button")).to_have_count(3)
    last = page.locator(".hk-queue button", has_text=re.compile("imminent.*self-harm"))
    slow = SlowAnswers(page, events=True)
    page.locator(".hk-queue button", has_text="moderate").click()
    last.click()
    slow.let_through(1)
    chosen = last.get_attribute("data-id") or ""
    expect(page.locator("#hk-case-facts [data-flag]")).to_have_attribute("data-flag", chosen)
    expect(last).to_have_attribute("aria-current", "true")


def test_what_is_pressed_while_another_flag_is_on_its_way_is_done_to_neither(two_flags: Page) -> None:
    page = two_flags
    slow = SlowAnswers(page, events=True)
    page.locator(".hk-queue button", has_text="moderate").click()
    page.click("#hk-reveal")
    slow.let_through(1)
    expect(page.locator("#hk-case-facts h2")).to_contain_text("moderate")
    page.click("#hk-take")
    expect(page.locator(".hk-queue button", has_text="moderate")).to_contain_text("with admin")
    expect(page.locator("#hk-reveal")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text(CRISIS)
