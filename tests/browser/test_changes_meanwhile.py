"""What happens when something changes while a reply is being made."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import (
    OpenPage,
    Site,
    called,
    conversation_of,
    let_on,
    ready,
    replied,
    send,
    settled,
    until,
)
from tests.browser.slow_answers import OldAnswers, SlowAnswers


@pytest.fixture
def two_tabs(open_page: OpenPage, new_context: Callable[..., BrowserContext]) -> tuple[Page, Page]:
    """Two tabs of one person, both with the conversation that "hello" began."""
    context = new_context()
    first = open_page(context)
    send(first, "hello")
    replied(first)
    return first, open_page(context)


def test_a_reply_does_not_come_into_another_conversation(page: Page) -> None:
    send(page, "take it slowly")
    expect(page.locator("#hk-stop")).to_be_visible()
    expect(page.locator("#hk-conversations [aria-current=true]")).to_be_visible()

    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".hk-item")).to_have_count(0)
    send(page, "a new beginning")

    replied(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["a new beginning"])


@pytest.fixture
def two_conversations(page: Page) -> Page:
    """A page that shows its second conversation."""
    send(page, "the older one")
    replied(page)
    page.get_by_role("button", name="New conversation").click()
    send(page, "the newer one")
    replied(page)
    return page


def test_a_message_right_after_a_new_conversation_begins_it(page: Page) -> None:
    send(page, "the older one")
    replied(page)
    slow = SlowAnswers(page)

    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".hk-item")).to_have_count(0)
    send(page, "the newer one")
    replied(page)
    slow.let_through(1)

    expect(page.locator("#hk-conversations [data-open]")).to_have_count(2)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["the newer one"])
    expect(page.locator("#hk-conversations [data-open]").first).to_have_attribute("aria-current", "true")


def test_a_message_right_after_an_earlier_conversation_was_opened_goes_into_it(
    two_conversations: Page,
) -> None:
    page = two_conversations
    slow = SlowAnswers(page)

    page.locator("#hk-conversations [data-open]").last.click()
    send(page, "more of the old")
    expect(page.locator("#hk-working")).to_be_visible()
    slow.let_through(1)

    replied(page, 2)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["the older one", "more of the old"])
    expect(page.locator("#hk-message")).to_have_value("")


def test_a_message_stays_in_the_box_when_the_conversation_could_not_be_opened(
    two_conversations: Page,
) -> None:
    page = two_conversations
    slow = SlowAnswers(page)

    page.locator("#hk-conversations [data-open]").last.click()
    send(page, "for the old one")
    slow.let_through(1, abort=True)

    expect(page.locator(".hk-toast")).to_be_visible()
    expect(page.locator("#hk-message")).to_have_value("for the old one")
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["the newer one"])


def test_of_two_conversations_opened_in_a_row_the_last_is_shown(two_conversations: Page) -> None:
    page = two_conversations
    slow = SlowAnswers(page)

    page.locator("#hk-conversations [data-open]").last.click()
    page.locator("#hk-conversations [data-open]").first.click()
    slow.let_through(2, newest_first=True)

    expect(page.locator("#hk-conversations [data-open]").first).to_have_attribute("aria-current", "true")
    settled(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["the newer one"])


def test_a_conversation_left_while_it_was_answered_can_be_gone_on_with(page: Page) -> None:
    send(page, "take it slowly")
    expect(page.locator("#hk-conversations [aria-current=true]")).to_be_visible()
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".hk-item")).to_have_count(0)

    page.locator("#hk-conversations [data-open]").first.click()
    page.get_by_role("button", name="Try again").click()

    replied(page)


def test_a_message_to_a_deleted_conversation_is_given_back(two_tabs: tuple[Page, Page]) -> None:
    page, other = two_tabs
    other.get_by_role("button", name="Privacy and settings").click()
    other.get_by_role("button", name="Delete this conversation").click()
    other.get_by_role("dialog", name="Delete this conversation?").get_by_role("button", name="Delete").click()
    expect(other.locator(".hk-item")).to_have_count(0)

    send(page, "are you there")

    expect(page.locator("#hk-problem")).to_contain_text("no longer there")
    expect(page.locator("#hk-message")).to_have_value("are you there")
    page.press("#hk-message", "Enter")
    replied(page)


def test_what_another_tab_waits_for_is_told_and_offers_no_second_try(
    two_tabs: tuple[Page, Page], site: Site
) -> None:
    first, second = two_tabs
    send(first, "take it slowly")
    until(first, lambda: conversation_of(first) in site.turns.going_on)

    second.reload()
    ready(second)

    expect(second.locator(".hk-mine").last).to_contain_text("Still being answered")
    expect(second.get_by_role("button", name="Try again")).to_have_count(0)
    first.click("#hk-stop")
    expect(second.get_by_role("button", name="Try again")).to_be_visible()


def test_a_tab_shows_the_reply_that_another_tab_waited_for(
    open_page: OpenPage, new_context: Callable[..., BrowserContext], site: Site
) -> None:
    context = new_context()
    first = open_page(context)
    send(first, "step by step")
    until(first, lambda: conversation_of(first) in site.turns.going_on)
    second = open_page(context)
    expect(second.locator(".hk-mine")).to_contain_text("Still being answered")

    let_on(first, site)
    replied(first)

    expect(second.locator(".hk-reply .hk-thumbs")).to_have_count(1)
    expect(second.locator(".hk-elsewhere")).to_have_count(0)


def _name(page: Page, name: str) -> None:
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", name)
    page.press("#hk-conversations input", "Enter")
    expect(page.locator(".hk-list-title")).to_have_text(name)


def test_a_name_comes_to_the_other_tab_at_once_and_the_last_one_stays(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    _name(first, "The new job")
    expect(second.locator(".hk-list-title")).to_have_text("The new job")
    expect(second.locator("#hk-conversations [aria-current=true]")).to_be_visible()

    _name(second, "The old job")
    expect(first.locator(".hk-list-title")).to_have_text("The old job")


def test_a_name_comes_to_a_tab_that_is_in_use(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    second.get_by_role("button", name="New conversation").click()
    second.fill("#hk-message", "not sent yet")
    _name(first, "The new job")

    expect(second.locator(".hk-list-title")).to_have_text("The new job")
    expect(second.locator("#hk-conversations [aria-current=true]")).to_have_count(0)
    expect(second.locator("#hk-message")).to_have_value("not sent yet")


def test_a_name_that_is_being_written_is_not_taken_away_by_another_tab(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    second.click("#hk-conversations [data-name]")
    second.fill("#hk-conversations input", "My own")
    with called(second, "open"):
        _name(first, "The new job")

    expect(second.locator("#hk-conversations input")).to_have_value("My own")
    second.press("#hk-conversations input", "Escape")
    expect(second.locator(".hk-list-title")).to_have_text("The new job")
    expect(second.locator("#hk-conversations [aria-current=true]")).to_be_visible()


def test_a_deleted_conversation_leaves_the_list_of_the_other_tab(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    first.get_by_role("button", name="Privacy and settings").click()
    first.get_by_role("button", name="Delete this conversation").click()
    first.get_by_role("button", name="Delete", exact=True).click()

    expect(second.locator("#hk-conversations")).to_contain_text("Nothing here yet")


def test_a_turn_of_another_tab_is_there_when_this_one_goes_on(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    send(second, "from the second tab")
    replied(second, 2)

    send(first, "from the first tab")

    replied(first, 3)
    expect(first.locator(".hk-mine .hk-bubble")).to_have_text(
        ["hello", "from the second tab", "from the first tab"]
    )


def test_a_turn_of_another_tab_comes_to_this_one_by_itself(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    first.fill("#hk-message", "not sent yet")

    send(second, "from the second tab")
    replied(second, 2)

    expect(first.locator(".hk-mine .hk-bubble")).to_have_text(["hello", "from the second tab"])
    expect(first.locator(".hk-reply .hk-thumbs")).to_have_count(2)
    expect(first.locator("#hk-message")).to_have_value("not sent yet")


def test_help_that_another_tab_brought_comes_to_this_one(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs

    send(second, "crisis")
    replied(second, 2)

    expect(first.locator("#hk-card")).to_be_visible()
    expect(first.locator("#hk-card a[href='tel:911'] >> visible=true").first).to_be_in_viewport()


def test_a_turn_of_another_tab_waits_for_who_is_at_a_message_here(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    first.get_by_role("button", name="Helpful", exact=True).focus()

    send(second, "from the second tab")
    replied(second, 2)
    expect(first.locator(".hk-mine .hk-bubble")).to_have_text(["hello"])
    first.focus("#hk-message")

    expect(first.locator(".hk-mine .hk-bubble")).to_have_text(["hello", "from the second tab"])


def test_a_turn_in_another_conversation_changes_the_list_only(two_tabs: tuple[Page, Page]) -> None:
    first, second = two_tabs
    second.get_by_role("button", name="New conversation").click()

    send(second, "something new")
    replied(second)

    expect(first.locator("#hk-conversations [data-open]")).to_have_count(2)
    expect(first.locator(".hk-mine .hk-bubble")).to_have_text(["hello"])


def test_the_language_can_be_switched_while_a_reply_is_made(page: Page, site: Site) -> None:
    send(page, "step by step")
    expect(page.locator("#hk-working-text")).to_be_visible()

    with called(page, "set_locale"):
        page.get_by_role("button", name="切换到中文").click()

    let_on(page, site)
    replied(page)
    expect(page.get_by_role("button", name="换一个回复")).to_be_visible()


def test_one_who_has_written_nothing_has_nothing_to_consent_to(page: Page) -> None:
    page.get_by_role("button", name="Privacy and settings").click()

    expect(page.get_by_label("My conversations may be used")).to_be_disabled()


def test_what_was_asked_for_before_a_turn_does_not_take_the_turn_away(page: Page) -> None:
    send(page, "hello")
    replied(page)
    old = OldAnswers(page, "open")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    until(page, lambda: old.held == 1)

    send(page, "and another thing")
    replied(page, 2)
    old.let_through()

    settled(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["hello", "and another thing"])
