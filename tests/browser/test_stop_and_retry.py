"""Stop, try again, edit: the person decides what happens to a reply."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import OpenPage, Site, conversation_of, replied, send, until
from tests.browser.slow_answers import SlowAnswers


def test_stop_ends_the_work_itself(page: Page, site: Site) -> None:
    send(page, "take it slowly")
    expect(page.locator("#hk-stop")).to_be_visible()

    page.click("#hk-stop")

    expect(page.locator("#hk-send")).to_be_visible()
    assert site.turns.aborted.count(conversation_of(page)) == 1


def test_a_stopped_message_can_be_tried_again(page: Page) -> None:
    send(page, "take it slowly")
    page.click("#hk-stop")
    page.get_by_role("button", name="Try again").click()

    replied(page)
    expect(page.locator(".hk-reply .hk-bubble")).to_contain_text("in another way")
    expect(page.locator(".hk-mine")).not_to_contain_text("Stopped before")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_closed_tab_ends_the_work(page: Page, site: Site) -> None:
    send(page, "take it slowly")
    conversation = conversation_of(page)
    until(page, lambda: conversation in site.turns.going_on)

    page.goto("about:blank")

    until(page, lambda: conversation in site.turns.aborted)


def test_a_failed_turn_says_why_and_offers_another_try(page: Page) -> None:
    send(page, "this will fail")

    expect(page.locator(".hk-mine")).to_contain_text("Many people are writing right now")
    page.get_by_role("button", name="Try again").click()
    replied(page)


def test_an_earlier_reply_offers_no_other_one_while_the_last_message_has_none(page: Page) -> None:
    send(page, "hello")
    replied(page)

    send(page, "this will fail")

    expect(page.get_by_role("button", name="Try again")).to_have_count(1)
    expect(page.get_by_role("button", name="Another reply")).to_have_count(0)


def test_another_reply_replaces_the_last_one(page: Page) -> None:
    send(page, "hello")
    replied(page)

    page.get_by_role("button", name="Another reply").click()

    expect(page.locator(".hk-reply .hk-bubble")).to_contain_text("in another way")
    expect(page.locator(".hk-reply")).to_have_count(1)


def test_an_edited_message_replaces_the_last_one(page: Page) -> None:
    send(page, "first wording")
    replied(page)
    page.get_by_role("button", name="Edit your last message").click()
    expect(page.locator("#hk-message")).to_have_value("first wording")

    send(page, "second wording")

    replied(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["second wording"])


def test_an_edit_can_be_given_up_and_the_draft_comes_back(page: Page) -> None:
    send(page, "first wording")
    replied(page)
    page.fill("#hk-message", "a draft of the next one")
    page.get_by_role("button", name="Edit your last message").click()

    page.get_by_role("button", name="Keep it as it was").click()

    expect(page.locator("#hk-message")).to_have_value("a draft of the next one")


def test_only_the_last_message_can_be_edited(page: Page) -> None:
    send(page, "one")
    replied(page)
    send(page, "two")
    replied(page, 2)

    expect(page.get_by_role("button", name="Edit your last message")).to_have_count(1)


def test_what_is_written_while_a_reply_is_made_is_sent_at_once(page: Page) -> None:
    send(page, "take it slowly")
    expect(page.locator("#hk-stop")).to_be_visible()
    expect(page.locator("#hk-send")).to_be_hidden()
    page.fill("#hk-message", "crisis: and another thing")

    page.click("#hk-send")

    expect(page.locator("#hk-card-body")).to_be_visible()
    replied(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["take it slowly", "crisis: and another thing"])
    expect(page.locator(".hk-reply").last).to_be_visible()


def test_messages_in_quick_succession_all_arrive_in_their_order(page: Page, site: Site) -> None:
    written = [f"{number}, told slowly" for number in range(3)] + ["and the last"]
    for text in written:
        send(page, text)
    replied(page)

    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(written)
    said = [one.text for one in site.conversations.messages[conversation_of(page)] if one.role == "user"]
    assert said == written


def test_no_message_overtakes_the_one_before_on_its_way(page: Page) -> None:
    send(page, "hello")
    replied(page)
    slow = SlowAnswers(page, events=True)
    send(page, "the second")
    slow.waiting(1)
    send(page, "the third")
    page.wait_for_timeout(300)
    assert slow.held == 1

    slow.let_through(1)

    replied(page, 2)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["hello", "the second", "the third"])


def test_a_message_without_an_answer_does_not_hold_up_the_next_for_long(page: Page) -> None:
    send(page, "hello")
    replied(page)
    slow = SlowAnswers(page, events=True)
    send(page, "the second")
    slow.waiting(1)

    send(page, "crisis: the third")

    slow.waiting(2)
    slow.let_through(2)
    expect(page.locator("#hk-card-body")).to_be_visible()


def test_another_tab_need_not_wait_either(
    new_context: Callable[..., BrowserContext], open_page: OpenPage
) -> None:
    context = new_context()
    first = open_page(context)
    send(first, "take it slowly")
    first.wait_for_function("() => document.querySelector('.hk-mine:not([data-id^=\"~\"])')")
    second = open_page(context)

    send(second, "crisis: from here")

    expect(second.locator("#hk-card-body")).to_be_visible()
    replied(second)
    expect(second.locator(".hk-mine .hk-bubble")).to_have_text(["take it slowly", "crisis: from here"])
    expect(first.locator("#hk-stop")).to_be_hidden()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_stop_works_with_the_keyboard(page: Page, key: str) -> None:
    send(page, "take it slowly")
    expect(page.locator("#hk-stop")).to_be_visible()
    page.focus("#hk-stop")

    page.keyboard.press(key)

    expect(page.locator("#hk-send")).to_be_visible()
    expect(page.locator("#hk-message")).to_be_focused()
