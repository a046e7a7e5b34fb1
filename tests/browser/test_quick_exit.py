"""Leaving at once."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import PHONE, Site, ready, replied, send

NEUTRAL = "https://www.wikipedia.org/"


@pytest.fixture
def left(page: Page) -> Page:
    """A page whose neutral destination is answered here: tests reach no other host."""
    _stand_in(page)
    return page


def _stand_in(page: Page) -> None:
    page.route(
        f"{NEUTRAL}**", lambda route: route.fulfill(body="<title>Weather</title>", content_type="text/html")
    )


def _press_escape(page: Page, *seconds: float) -> None:
    """Press Escape at these times, as the page is told them: not when a busy machine gets to it."""
    session = page.context.new_cdp_session(page)
    start = time.time()
    for at in seconds:
        for kind in ("rawKeyDown", "keyUp"):
            key = {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}
            session.send("Input.dispatchKeyEvent", {"type": kind, "timestamp": start + at, **key})


def test_one_click_leaves(left: Page) -> None:
    send(left, "hello")
    replied(left)

    left.get_by_role("link", name="Leave").click()

    expect(left).to_have_url(NEUTRAL)


def test_escape_twice_leaves(left: Page) -> None:
    _press_escape(left, 0, 0.5)

    expect(left).to_have_url(NEUTRAL)


def test_two_presses_that_have_nothing_to_do_with_each_other_stay(left: Page, site: Site) -> None:
    _press_escape(left, 0, 1.5)

    assert not left.evaluate("document.documentElement.hidden")
    expect(left).to_have_url(site.url)


def test_escape_once_stays(left: Page, site: Site) -> None:
    left.keyboard.press("Escape")

    assert not left.evaluate("document.documentElement.hidden")  # leaving hides the page at once
    expect(left).to_have_url(site.url)


def test_a_press_that_closes_a_dialog_is_not_the_first_of_two(left: Page, site: Site) -> None:
    left.click("#hk-help")
    expect(left.get_by_role("dialog")).to_be_visible()

    _press_escape(left, 0, 0.3)

    expect(left.get_by_role("dialog")).to_be_hidden()
    assert not left.evaluate("document.documentElement.hidden")
    expect(left).to_have_url(site.url)


def test_after_a_dialog_was_closed_two_more_presses_leave(left: Page) -> None:
    left.click("#hk-help")
    expect(left.get_by_role("dialog")).to_be_visible()

    _press_escape(left, 0, 0.3, 0.6)

    expect(left).to_have_url(NEUTRAL)


def test_a_press_that_closes_the_drawer_is_not_the_first_of_two(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(viewport=PHONE).new_page()
    _stand_in(page)
    page.goto(site.url)
    ready(page)
    page.click("#hk-menu")
    expect(page.get_by_role("button", name="New conversation")).to_be_in_viewport()

    _press_escape(page, 0, 0.3)

    expect(page.get_by_role("button", name="New conversation")).to_be_hidden()
    assert not page.evaluate("document.documentElement.hidden")
    expect(page).to_have_url(site.url)


def test_a_press_that_leaves_a_form_is_not_the_first_of_two(left: Page, site: Site) -> None:
    send(left, "hello")
    replied(left)
    left.click("#hk-conversations [data-name]")

    _press_escape(left, 0, 0.3)

    expect(left.locator("#hk-conversations input")).to_have_count(0)
    assert not left.evaluate("document.documentElement.hidden")
    expect(left).to_have_url(site.url)


def test_the_way_back_does_not_lead_here(left: Page, site: Site) -> None:
    left.get_by_role("link", name="Leave").click()
    expect(left).to_have_url(NEUTRAL)

    left.go_back()

    assert left.url != site.url


def test_it_works_while_a_reply_is_made(left: Page) -> None:
    send(left, "take it slowly")

    left.get_by_role("link", name="Leave").click()

    expect(left).to_have_url(NEUTRAL)


def test_it_works_while_a_dialog_is_open(left: Page) -> None:
    left.get_by_role("button", name="Privacy and settings").click()
    place = left.locator("#hk-leave").bounding_box()
    assert place is not None

    left.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)

    expect(left).to_have_url(NEUTRAL)


def test_it_works_before_gradio_has_loaded(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    _stand_in(page)
    page.route("**/assets/**", lambda route: route.abort())
    page.goto(site.url)

    page.get_by_role("link", name="Leave").click()

    expect(page).to_have_url(NEUTRAL)
