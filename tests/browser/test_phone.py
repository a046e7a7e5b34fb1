"""A phone of ordinary size, held upright."""

import pytest
from playwright.sync_api import Page, expect

from safety.levels import RiskCategory
from tests.browser.conftest import PHONE, OpenPage, Site, replied, send

LONG_WORD = "a" * 400


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(viewport=PHONE, is_mobile=True, has_touch=True)


def _overflow(page: Page) -> int:
    return page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth")


def test_nothing_scrolls_sideways(phone: Page) -> None:
    send(phone, f"crisis {LONG_WORD}")
    replied(phone)
    inner = phone.locator("#hk-conversation").evaluate("one => one.scrollWidth - one.clientWidth")

    assert (_overflow(phone), inner) == (0, 0)


def test_nothing_scrolls_sideways_on_the_narrowest_phones(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 320, "height": 640}, is_mobile=True, has_touch=True)
    send(page, "crisis")
    replied(page)

    assert _overflow(page) == 0
    expect(page.get_by_role("link", name="Leave")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [320, 360, 390, 520])
def test_long_numbers_of_a_folded_card_stay_inside_it(
    open_page: OpenPage, site: Site, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(site.conversations, "category", RiskCategory.ABUSE)
    page = open_page(viewport={"width": width, "height": 844}, is_mobile=True, has_touch=True)
    send(page, "crisis")
    replied(page)
    page.click("#hk-card-toggle")
    expect(page.locator("#hk-card-body")).to_be_hidden()

    card = page.locator("#hk-card").bounding_box()
    assert card is not None
    for number in page.locator("#hk-card-brief .hk-call").all():
        box = number.bounding_box()
        assert box is not None
        assert card["x"] <= box["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]
    expect(page.locator("#hk-card-brief a[href='tel:18007997233']")).to_be_in_viewport(ratio=1)
    assert card["height"] < (150 if width == 320 else 110)


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("width", [320, 360, 390, 640])
def test_name_and_what_it_is_are_readable_in_full(open_page: OpenPage, width: int, locale: str) -> None:
    page = open_page(viewport={"width": width, "height": 640}, locale=locale)

    for part in ("h1", "p"):
        words = page.locator(f".hk-brand {part}")
        expect(words).to_be_in_viewport(ratio=1)
        assert words.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    assert page.locator(".hk-head").evaluate("head => head.offsetHeight") < 80


def test_all_that_is_tapped_often_is_large_enough(phone: Page) -> None:
    send(phone, "crisis")
    replied(phone)
    small = phone.evaluate(
        """() => [...document.querySelectorAll('.hk-head button, .hk-head a, .hk-send, .hk-thumb, .hk-call')]
          .filter((one) => one.offsetParent && (one.offsetHeight < 44 || one.offsetWidth < 40))
          .map((one) => one.outerHTML.slice(0, 80))"""
    )

    assert small == []


def test_the_list_of_conversations_is_a_drawer(phone: Page) -> None:
    send(phone, "mine")
    replied(phone)
    new = phone.get_by_role("button", name="New conversation")
    expect(new).to_be_hidden()

    phone.get_by_role("button", name="Conversations and settings").tap()

    expect(new).to_be_in_viewport()
    expect(new).to_be_focused()


def test_a_tap_beside_the_drawer_closes_it(phone: Page) -> None:
    phone.get_by_role("button", name="Conversations and settings").tap()
    expect(phone.get_by_role("button", name="New conversation")).to_be_in_viewport()

    phone.touchscreen.tap(370, 500)

    expect(phone.get_by_role("button", name="New conversation")).to_be_hidden()


def test_choosing_a_conversation_closes_the_drawer(phone: Page) -> None:
    send(phone, "mine")
    replied(phone)
    phone.get_by_role("button", name="Conversations and settings").tap()
    phone.locator("#hk-conversations [data-open]").first.tap()

    expect(phone.get_by_role("button", name="New conversation")).to_be_hidden()
    expect(phone.locator(".hk-mine .hk-bubble")).to_have_text("mine")


def test_text_is_not_zoomed_when_the_box_is_tapped(phone: Page) -> None:
    size = phone.evaluate("parseFloat(getComputedStyle(document.getElementById('hk-message')).fontSize)")

    assert size >= 16
