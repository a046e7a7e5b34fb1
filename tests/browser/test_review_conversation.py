"""The open conversation of a flag: gone when the person deletes it, numbered in one way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.slow_answers import SlowAnswers
from tests.browser.staff_server import StaffServer
from tests.browser.test_review import alarm, closed_by_colleague, database, desk, on_duty, open_first
from tests.browser.test_review_notices import everything_deleted
from tests.integration.app.db.store import Store, an_assessment

__all__ = ["database", "desk", "on_duty"]

OnDuty = Callable[..., Page]
WORDS = "tonight"


async def conversation_deleted(store: Store) -> None:
    """The person deletes the flagged conversation."""
    flag = (await store.flags.list_open())[0]
    session = await store.sessions.get(flag.session_id)
    assert session is not None
    await store.sessions.delete(session.id, session.person_id)


async def nine_more_turns(store: Store) -> None:
    """The flagged conversation goes on."""
    flag = (await store.flags.list_open())[0]
    session = await store.sessions.get(flag.session_id)
    assert session is not None
    for number in range(9):
        message, _ = await store.turn(session, f"turn {number}", {"advice": 1})
        await store.risk.add(message.id, session.id, an_assessment())


def read(page: Page) -> None:
    open_first(page)
    page.click("#hk-reveal")
    expect(page.locator("#hk-log")).to_contain_text(WORDS)


@pytest.mark.parametrize("deleted", [everything_deleted, conversation_deleted])
def test_what_a_person_deletes_leaves_the_open_screen_by_itself_and_is_told(
    desk: StaffServer, on_duty: OnDuty, deleted: Callable[[Store], object]
) -> None:
    page = on_duty()
    read(page)
    page.focus("#hk-note textarea")
    desk.do(deleted)  # pyright: ignore[reportArgumentType]
    expect(page.locator("#hk-notice")).to_contain_text("The person has deleted this conversation")
    expect(page.locator("#hk-notice")).to_be_focused()
    expect(page.locator("body")).not_to_contain_text(WORDS)
    expect(page.locator("body")).not_to_contain_text("A colleague has closed this flag")


def test_deleted_words_are_hidden_before_the_page_has_its_answer(desk: StaffServer, on_duty: OnDuty) -> None:
    page = on_duty()
    read(page)
    slow = SlowAnswers(page, events=True)
    desk.do(conversation_deleted)
    expect(page.locator("#hk-log")).to_be_hidden()
    slow.let_through(1)
    expect(page.locator("#hk-notice")).to_contain_text("The person has deleted this conversation")


def test_a_flag_that_a_colleague_closed_keeps_its_conversation_on_the_screen(
    desk: StaffServer, on_duty: OnDuty
) -> None:
    page = on_duty()
    read(page)
    desk.do(closed_by_colleague)
    expect(page.locator("#hk-changed")).to_have_text(
        "A colleague has closed this flag. Look among the closed ones; what you typed stays."
    )
    expect(page.locator("#hk-log")).to_contain_text(WORDS)


def test_whoever_reopens_a_flag_is_not_told_of_it_as_new_and_chooses_anew(
    desk: StaffServer, on_duty: OnDuty
) -> None:
    page = on_duty()
    open_first(page)
    page.locator("#hk-outcome input").nth(0).check()
    page.click("#hk-save-outcome")
    expect(page).to_have_title("Review")
    page.click("#hk-reopen")
    expect(page).to_have_title("(1) Review")
    expect(page.locator("#hk-case-facts")).to_contain_text("Reopened by")
    expect(page.locator("#hk-outcome input:checked")).to_have_count(0)
    expect(page.locator(".hk-said")).to_have_text("")
    desk.do(alarm)
    expect(page.locator(".hk-said")).to_have_text("New: 1. The most urgent is imminent, self-harm.")


def test_numbers_lead_to_the_message_and_the_tactics_scroll_in_their_own_box(
    desk: StaffServer, on_duty: OnDuty
) -> None:
    page = on_duty(viewport={"width": 1280, "height": 800})
    desk.do(nine_more_turns)
    read(page)
    table = page.locator("#hk-strip .hk-strip")
    expect(table.locator("thead a").last).to_have_text("#20")
    beyond = page.evaluate(
        """document.querySelector('#hk-strip .hk-strip-scroll').getBoundingClientRect().right
        - document.querySelector('#hk-case-part').getBoundingClientRect().right"""
    )
    assert beyond <= 1
    page.evaluate("document.querySelector('#hk-strip .hk-strip-scroll').scrollLeft = 10000")
    last = table.locator("thead a").last
    assert last.evaluate("(node) => node.getBoundingClientRect().right <= innerWidth")
    last.click()
    expect(page.locator("#hk-message-20")).to_be_in_viewport()
    expect(page.locator("#hk-message-20")).to_contain_text("#20")
