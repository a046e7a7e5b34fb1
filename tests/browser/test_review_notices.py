"""What the review page answers is in sight, read out and focused; what a reviewer typed is not lost."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from safety.levels import RiskLevel
from tests.browser.conftest import PHONE, READY_MS
from tests.browser.staff_server import StaffServer
from tests.browser.test_review import alarm, database, desk, on_duty, open_first
from tests.integration.app.db.store import Store

__all__ = ["database", "desk", "on_duty"]

NOTE = "Called the duty line."
OnDuty = Callable[..., Page]


async def everything_deleted(store: Store) -> None:
    """All persons delete their data."""
    for person in await store.contents("persons"):
        await store.persons.delete_everything(person["id"])


def decide(page: Page) -> None:
    page.locator("#hk-outcome input").nth(2).check()
    page.click("#hk-save-outcome")


def test_an_answer_is_in_sight_where_the_button_is_and_read_out(on_duty: OnDuty) -> None:
    page = on_duty(viewport=PHONE)
    open_first(page)
    page.click("#hk-reveal")
    expect(page.locator("#hk-log")).to_contain_text("tonight")
    page.fill("#hk-note textarea", NOTE)
    decide(page)
    expect(page.locator("#hk-notice")).to_contain_text("⚠ Your note is not saved yet")
    expect(page.locator("#hk-notice")).to_be_in_viewport(ratio=1)
    expect(page.locator("#hk-read-out")).to_contain_text("Your note is not saved yet")
    assert page.evaluate("document.querySelector('#hk-read-out').role") == "status"
    page.fill("#hk-note textarea", "")
    decide(page)
    expect(page.locator("#hk-read-out")).to_have_text("The flag was closed.")
    expect(page.locator("#hk-notice")).to_be_in_viewport(ratio=1)


def test_the_keyboard_goes_on_where_a_button_was_taken_away(on_duty: OnDuty) -> None:
    page = on_duty()
    open_first(page)
    page.focus("#hk-reveal")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Conversation", exact=True)).to_be_focused()
    page.locator("#hk-outcome input").nth(2).check()
    page.focus("#hk-save-outcome")
    page.keyboard.press("Enter")
    expect(page.locator("#hk-notice")).to_be_focused()
    expect(page.locator("#hk-take")).to_be_hidden()
    expect(page.locator("#hk-assign-to")).to_be_hidden()


def test_a_note_about_a_deleted_conversation_can_be_copied(desk: StaffServer, on_duty: OnDuty) -> None:
    page = on_duty()
    open_first(page)
    page.fill("#hk-note textarea", NOTE)
    desk.do(everything_deleted)
    expect(page.locator("#hk-notice")).to_contain_text("The person has deleted this conversation")
    expect(page.locator("#hk-notice")).to_be_focused()
    expect(page.locator("#hk-kept-note textarea")).to_have_value(NOTE)
    expect(page.locator("#hk-kept-note textarea")).to_be_visible()


def test_notes_that_are_not_saved_outlast_a_reload_and_saving_ends_them(
    desk: StaffServer, on_duty: OnDuty
) -> None:
    page = on_duty()
    desk.do(lambda store: alarm(store, RiskLevel.MODERATE))
    expect(page.locator(".hk-queue button")).to_have_count(2)
    open_first(page)
    page.fill("#hk-note textarea", NOTE)
    other = page.locator(".hk-queue button", has_text="moderate")
    other.click()
    expect(page.locator("#hk-case-facts h2")).to_contain_text("moderate")
    expect(page.locator("#hk-note textarea")).to_have_value("")
    page.fill("#hk-note textarea", "of the other")

    page.reload()
    expect(page.locator(".hk-queue button")).to_have_count(2, timeout=READY_MS)
    open_first(page)
    expect(page.locator("#hk-note textarea")).to_have_value(NOTE)
    page.click("#hk-save-note")
    expect(page.locator("#hk-notes")).to_contain_text(NOTE)
    expect(page.locator("#hk-note textarea")).to_have_value("")
    page.wait_for_function(
        "Object.keys(sessionStorage).filter((key) => key.includes('draft note')).length === 1"
    )
    page.reload()
    expect(page.locator(".hk-queue button")).to_have_count(2, timeout=READY_MS)
    other.click()
    expect(page.locator("#hk-note textarea")).to_have_value("of the other")


def test_entries_of_the_list_are_whole_on_a_phone(desk: StaffServer, on_duty: OnDuty) -> None:
    page = on_duty(viewport=PHONE)
    for _ in range(6):
        desk.do(alarm)
    expect(page.locator(".hk-queue button")).to_have_count(7)
    overlapping = page.evaluate(
        """[...document.querySelectorAll('.hk-queue button')].filter((entry) => {
          const [level, kind, time] = ['level', 'kind', 'clock'].map((name) => {
            const range = document.createRange();
            range.selectNodeContents(entry.querySelector(`.hk-${name}`));
            return range.getBoundingClientRect();
          });
          const apart = (a, b) => a.right + 4 <= b.left || a.bottom <= b.top + 1;
          return !(apart(level, kind) && apart(kind, time));
        }).length"""
    )
    assert overlapping == 0
    assert (
        page.evaluate("(list => list.scrollHeight - list.clientHeight)(document.querySelector('.hk-queue'))")
        <= 0
    )
