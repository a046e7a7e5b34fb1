"""The list of conversations on a screen that others can see."""

import datetime as dt
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    PHONE,
    OpenPage,
    Site,
    called,
    conversation_of,
    ready,
    replied,
    send,
)

PRIVATE = "I never told anybody about this"
TITLE = ".hk-list-title"


def begun(page: Page, site: Site, when: str) -> None:
    """Let the open conversation have begun and ended then."""
    session, at = conversation_of(page), dt.datetime.fromisoformat(when)
    stored = site.conversations.sessions[session]
    site.conversations.sessions[session] = replace(stored, created_at=at, last_activity_at=at)


def test_a_conversation_goes_by_when_it_began_in_the_language_of_the_page(
    open_page: OpenPage, site: Site
) -> None:
    page = open_page(timezone_id="America/New_York")
    send(page, PRIVATE)
    replied(page)
    # A Monday in UTC, still Sunday evening where the person is.
    begun(page, site, "2026-11-02T02:05:00+00:00")
    page.reload()
    ready(page)
    expect(page.locator(TITLE)).to_have_text("Sunday evening, Nov 1")
    expect(page.locator("#hk-conversations time")).to_have_text("09:05 PM")
    expect(page.locator("#hk-nav")).not_to_contain_text("anybody")
    with called(page, "set_locale"):
        page.click("#hk-language")
    expect(page.locator(TITLE)).to_have_text("11月1日星期日晚上")


@pytest.mark.parametrize(
    ("locale", "title", "time"),
    [
        ("en-GB", "Sunday evening, 1 Nov", "21:05"),
        ("en-US", "Sunday evening, Nov 1", "09:05 PM"),
        ("zh-CN", "11月1日星期日晚上", "21:05"),
        ("fr-FR", "Sunday evening, Nov 1", "09:05 PM"),
    ],
)
def test_days_and_hours_are_written_as_the_browsers_region_does(
    open_page: OpenPage, site: Site, locale: str, title: str, time: str
) -> None:
    page = open_page(timezone_id="America/New_York", locale=locale)
    send(page, PRIVATE)
    replied(page)
    begun(page, site, "2026-11-02T02:05:00+00:00")
    page.reload()
    ready(page)
    expect(page.locator(TITLE)).to_have_text(title)
    expect(page.locator("#hk-conversations time")).to_have_text(time)


def test_a_person_gives_a_name_changes_it_and_takes_it_away_with_the_keyboard(
    open_page: OpenPage, site: Site
) -> None:
    page = open_page()
    send(page, PRIVATE)
    replied(page)
    neutral = page.locator(TITLE).inner_text()
    pencil = page.get_by_role("button", name="Name this conversation")
    pencil.focus()
    page.keyboard.press("Enter")
    page.keyboard.type("The new job")
    page.keyboard.press("Enter")
    expect(page.locator(TITLE)).to_have_text("The new job")
    expect(pencil).to_be_focused()
    assert site.conversations.sessions[conversation_of(page)].title == "The new job"
    page.keyboard.press("Enter")
    box = page.get_by_role("textbox", name="Name of this conversation")
    expect(box).to_have_value("The new job")
    box.fill("Something else")
    page.keyboard.press("Escape")
    expect(page.locator(TITLE)).to_have_text("The new job")
    expect(pencil).to_be_focused()
    page.keyboard.press("Enter")
    box.fill("")
    page.keyboard.press("Enter")
    expect(page.locator(TITLE)).to_have_text(neutral)


def test_a_name_is_shown_without_what_turns_its_letters_round(open_page: OpenPage, site: Site) -> None:
    page = open_page()
    send(page, PRIVATE)
    replied(page)
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", "the \u202enew job")
    page.press("#hk-conversations input", "Enter")
    expect(page.locator("[data-named]")).to_have_text("the new job")
    assert page.locator(TITLE).evaluate("title => title.textContent") == "the new job"
    assert site.conversations.sessions[conversation_of(page)].title == "the new job"


def test_a_name_can_be_given_on_a_phone_and_the_drawer_stays_open(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True)
    send(page, PRIVATE)
    replied(page)
    page.get_by_role("button", name="Conversations and settings").tap()
    page.get_by_role("button", name="Name this conversation").tap()
    page.get_by_role("button", name="Cancel").tap()
    expect(page.get_by_role("button", name="New conversation")).to_be_in_viewport()
    page.get_by_role("button", name="Name this conversation").tap()
    page.get_by_role("textbox", name="Name of this conversation").fill("Holiday")
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator(TITLE)).to_have_text("Holiday")
    expect(page.get_by_role("button", name="New conversation")).to_be_in_viewport()


@pytest.mark.parametrize("name", ["", "the talk with my sister about the flat and who pays", "w" * 60])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_a_title_is_shown_to_its_end(open_page: OpenPage, site: Site, width: int, name: str) -> None:
    page = open_page(viewport={"width": width, "height": 667})
    send(page, PRIVATE)
    replied(page)
    begun(page, site, "2026-11-05T02:05:00+00:00")
    session = conversation_of(page)
    site.conversations.sessions[session] = replace(site.conversations.sessions[session], title=name or None)
    page.reload()
    ready(page)
    if page.locator("#hk-menu").is_visible():
        page.click("#hk-menu")
    expect(page.locator(TITLE)).to_have_text(name or "Wednesday evening, Nov 4")
    assert page.locator(TITLE).evaluate(
        "title => title.scrollWidth <= title.clientWidth && title.scrollHeight <= title.clientHeight"
    )
    # Both in one frame: the drawer may still be on its way.
    assert page.locator(TITLE).evaluate(
        "title => title.getBoundingClientRect().right"
        " <= title.closest('#hk-nav').getBoundingClientRect().right + 0.5"
    )


def test_what_comes_while_a_name_is_written_does_not_take_it_away(page: Page) -> None:
    send(page, PRIVATE)
    replied(page)
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", "The new")
    with called(page, "open"):
        page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator("#hk-conversations input")).to_have_value("The new")
    page.press("#hk-conversations input", "Enter")
    expect(page.locator(TITLE)).to_have_text("The new")


def test_a_name_that_shows_danger_is_kept_and_opens_the_help_lines(page: Page) -> None:
    send(page, "hello")
    replied(page)
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", "crisis")
    page.press("#hk-conversations input", "Enter")
    expect(page.locator("#hk-help-dialog")).to_be_visible()
    expect(page.locator(TITLE)).to_have_text("crisis")
