"""Beyond the limit on new conversations of an address: put off kindly, never when in danger."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from safety.helplines import load_directory
from tests.browser.conftest import PHONE, chat_server, ready, replied, send
from tests.fakes.chat_world import FakeConversations, FakeTurns

SAID = {
    "en-US": "What you wrote is still here: please send it a little later. The help lines are there for you",
    "zh-CN": "你写的内容还在这里，请过一会儿再发送。求助热线随时都在",
}
LONG = "My sister moved away and the evenings are long. " * 20


@pytest.fixture
def address() -> Iterator[str]:
    """A page on which an address may begin one conversation within an hour."""
    conversations = FakeConversations(load_directory(None))
    server = chat_server(conversations, FakeTurns(conversations), conversations_per_hour=1)
    server.start()
    yield f"{server.url}/"
    server.stop()


NewContext = Callable[..., BrowserContext]


def a_person(address: str, new_context: NewContext, **options: object) -> Page:
    page = new_context(**options).new_page()
    page.goto(address)
    ready(page)
    return page


def at_the_limit(address: str, new_context: NewContext) -> Page:
    """The page of somebody after the last conversation that may begin within the hour."""
    page = a_person(address, new_context)
    send(page, "the first one")
    replied(page)
    page.locator("#hk-new").click()
    expect(page.locator(".hk-item")).to_have_count(0)
    return page


@pytest.mark.parametrize("locale", SAID)
def test_nothing_that_was_written_is_lost(address: str, new_context: NewContext, locale: str) -> None:
    at_the_limit(address, new_context)
    page = a_person(address, new_context, locale=locale, viewport=PHONE)
    send(page, LONG)
    expect(page.locator("#hk-problem")).to_contain_text(SAID[locale])
    expect(page.locator("#hk-message")).to_have_value(LONG)
    expect(page.locator("#hk-send")).to_be_visible()
    expect(page.locator(".hk-item")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_earlier_conversation_goes_on(address: str, new_context: NewContext) -> None:
    page = at_the_limit(address, new_context)
    send(page, "one more")
    expect(page.locator("#hk-problem")).to_contain_text(SAID["en-US"])
    page.locator("#hk-conversations [data-open]").last.click()
    expect(page.locator(".hk-mine")).to_have_count(1)
    expect(page.locator("#hk-problem")).to_be_hidden()
    expect(page.locator("#hk-message")).to_have_value("one more")
    send(page, "and on it goes")
    replied(page, 2)


def test_helplines_are_in_reach(address: str, new_context: NewContext) -> None:
    page = at_the_limit(address, new_context)
    send(page, "one more")
    expect(page.locator("#hk-problem")).to_contain_text(SAID["en-US"])
    page.click("#hk-help")
    expect(page.locator("#hk-help-body .hk-lines")).to_contain_text("988")


def test_whoever_is_in_danger_gets_helplines_and_a_reply(address: str, new_context: NewContext) -> None:
    at_the_limit(address, new_context)
    page = a_person(address, new_context)
    send(page, "crisis: I want to end it")
    expect(page.locator("#hk-card")).to_be_visible()
    expect(page.locator("#hk-card")).to_contain_text("988")
    replied(page)
    expect(page.locator("#hk-problem")).to_be_hidden()


def test_whoever_was_put_off_and_then_shows_danger_is_helped(address: str, new_context: NewContext) -> None:
    page = at_the_limit(address, new_context)
    send(page, "one more")
    expect(page.locator("#hk-problem")).to_contain_text(SAID["en-US"])
    send(page, "crisis: I want to end it")
    expect(page.locator("#hk-card")).to_be_visible()
    replied(page)
    expect(page.locator("#hk-problem")).to_be_hidden()
