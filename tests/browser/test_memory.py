"""The choice of style and the panel of what is kept in mind, as a person uses them."""

import pytest
from playwright.sync_api import Page, expect

from models.styles import Style
from tests.browser.conftest import PHONE, OpenPage, Site, called, conversation_of, replied, send

ENGLISH = ["Hi, I'm Anna and my cat Miso is 15.", "My sister Mara moved to Leeds in March."]
CHINESE = ["我叫小雨，今年28岁，养了一只猫叫团团。", "我妈妈上个月去世了。"]


def talk(page: Page, messages: list[str]) -> None:
    for number, text in enumerate(messages, start=1):
        send(page, text)
        replied(page, number)


def open_panel(page: Page) -> None:
    page.click("#hk-memory-toggle")
    expect(page.locator("#hk-memory")).to_be_visible()


def facts(page: Page) -> list[str]:
    return page.locator(".hk-fact-text").all_inner_texts()


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE, "has_touch": True}], ids=["desk", "phone"])
@pytest.mark.parametrize(
    ("locale", "messages", "told"),
    [
        ("en-US", ENGLISH, ["I'm Anna", "my cat Miso is 15", "My sister Mara moved to Leeds in March"]),
        ("zh-CN", CHINESE, ["我叫小雨", "今年28岁", "养了一只猫叫团团", "我妈妈上个月去世了"]),
    ],
    ids=["en", "zh"],
)
def test_the_panel_shows_what_was_told_and_fits_the_screen(
    open_page: OpenPage, options: dict[str, object], locale: str, messages: list[str], told: list[str]
) -> None:
    page = open_page(locale=locale, **options)
    talk(page, messages)
    open_panel(page)
    expect(page.locator(".hk-fact")).to_have_count(len(told))
    assert facts(page) == told
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for part in ("#hk-memory", "#hk-style", "#hk-memory-toggle", "#hk-message"):
        box = page.locator(part).bounding_box()
        width, height = page.evaluate("[window.innerWidth, window.innerHeight]")
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height


def test_a_fact_can_be_changed_and_forgotten_with_the_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    talk(page, ENGLISH)
    page.focus("#hk-memory-toggle")
    page.keyboard.press("Enter")
    expect(page.locator(".hk-fact")).to_have_count(3)
    page.get_by_role("button", name="Change: my cat Miso is 15").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("my cat Miso is 16")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Change: my cat Miso is 16")).to_be_focused()
    expect(page.locator(".hk-fact", has_text="Miso is 16")).to_contain_text("changed by you")
    page.get_by_role("button", name="Forget: I'm Anna").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hk-fact")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator("#hk-memory")).to_be_hidden()
    expect(page.locator("#hk-memory-toggle")).to_be_focused()


def test_all_can_be_forgotten_and_the_memory_turned_off(open_page: OpenPage, site: Site) -> None:
    page = open_page()
    talk(page, ENGLISH[:1])
    open_panel(page)
    expect(page.locator(".hk-fact")).to_have_count(2)
    page.click("#hk-forget-all")
    expect(page.get_by_role("heading", name="Forget all of this?")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".hk-fact")).to_have_count(2)
    page.click("#hk-forget-all")
    page.locator("#hk-confirm-dialog").get_by_role("button", name="Forget").click()
    expect(page.locator("#hk-no-facts")).to_be_visible()
    with called(page, "set_remember"):
        page.uncheck("#hk-remember")
    assert not site.conversations.sessions[conversation_of(page)].remember
    send(page, ENGLISH[1])
    replied(page, 2)
    page.reload()
    page.wait_for_selector("html.hk-ready", state="attached")
    open_panel(page)
    expect(page.locator("#hk-remember")).not_to_be_checked()
    expect(page.locator("#hk-no-facts")).to_be_visible()


def test_the_style_goes_with_the_first_message_and_is_there_after_a_reload(
    open_page: OpenPage, site: Site
) -> None:
    page = open_page()
    style = page.get_by_label("Replies", exact=True)
    expect(style).to_have_value("balanced")
    style.select_option(label="Brief")
    expect(page.locator("#hk-status")).to_have_text("From the next reply on: Brief.")
    send(page, "hello")
    replied(page)
    assert site.conversations.sessions[conversation_of(page)].style is Style.BRIEF
    with called(page, "set_style"):
        style.select_option("gentle")
    assert site.conversations.sessions[conversation_of(page)].style is Style.GENTLE
    page.reload()
    page.wait_for_selector("html.hk-ready", state="attached")
    expect(style).to_have_value("gentle")


def test_a_new_wording_that_shows_danger_is_not_kept_and_opens_the_help_lines(open_page: OpenPage) -> None:
    page = open_page()
    talk(page, ENGLISH[:1])
    open_panel(page)
    page.get_by_role("button", name="Change: my cat Miso is 15").click()
    page.fill(".hk-fact-form textarea", "this is a crisis")
    page.click(".hk-fact-form .hk-button")
    expect(page.locator("#hk-help-dialog")).to_be_visible()
    page.click("#hk-help-dialog [data-close]")
    page.get_by_role("button", name="Keep as it was: my cat Miso is 15").click()
    expect(page.locator(".hk-fact-text").last).to_have_text("my cat Miso is 15")


def test_what_a_person_wrote_is_shown_as_text_only(open_page: OpenPage) -> None:
    page = open_page()
    talk(page, ["My cat <img src=x onerror=alert(1)> is 15."])
    open_panel(page)
    expect(page.locator(".hk-fact-text")).to_have_text("My cat <img src=x onerror=alert(1)> is 15")
    assert page.locator("#hk-memory img").count() == 0
