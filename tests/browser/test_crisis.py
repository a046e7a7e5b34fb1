"""A person at risk: help comes first, and stays in reach."""

import pytest
from playwright.sync_api import Locator, Page, expect

from safety.levels import RiskCategory
from tests.browser.conftest import PHONE, OpenPage, Site, replied, send


def test_the_card_is_there_before_any_reply_text(page: Page) -> None:
    page.evaluate(
        """() => {
          window.order = [];
          const seen = (name) => window.order.includes(name) || window.order.push(name);
          new MutationObserver(() => {
            if (!document.getElementById('hk-card').hidden) seen('card');
            if (document.querySelector('.hk-reply')) seen('reply');
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
        }"""
    )

    send(page, "crisis: I want to end it")
    replied(page)

    assert page.evaluate("window.order") == ["card", "reply"]


def test_the_reply_stays_in_sight_above_the_card(page: Page) -> None:
    send(page, "please give a long reply")
    replied(page)
    send(page, "crisis: I want to end it")
    replied(page, 2)

    expect(page.locator(".hk-reply .hk-bubble").last).to_be_in_viewport(ratio=0.9)


def test_lines_can_be_called_and_texted_by_one_tap(page: Page) -> None:
    send(page, "crisis: I want to end it")
    page.wait_for_selector("#hk-card:not([hidden])")

    assert page.locator("#hk-card a[href^='tel:']").count() >= 1
    assert page.locator("#hk-card a[href^='sms:']").count() >= 1


def test_the_emergency_number_comes_first_when_danger_is_imminent(page: Page) -> None:
    send(page, "crisis: I want to end it")

    expect(page.locator("#hk-card-body a").first).to_have_attribute("href", "tel:911")


def test_one_step_back_from_the_message_box_is_the_card(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)

    page.keyboard.press("Shift+Tab")

    assert page.evaluate("document.getElementById('hk-card').contains(document.activeElement)")


def test_the_first_stop_of_the_keyboard_leads_to_the_card(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)
    page.reload()
    expect(page.locator("#hk-card")).to_be_visible()

    page.keyboard.press("Tab")
    expect(page.locator("#hk-skip-help")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('#hk-card') !== null")


def test_the_card_is_a_named_region(page: Page) -> None:
    send(page, "crisis: I want to end it")

    expect(page.get_by_role("region", name="Help lines")).to_be_visible()


def test_help_is_announced_once(page: Page) -> None:
    page.evaluate(
        """() => {
          window.said = [];
          const box = document.getElementById('hk-alert');
          new MutationObserver(() => window.said.push(box.textContent)).observe(box, { childList: true });
        }"""
    )

    send(page, "crisis: I want to end it")
    replied(page)
    send(page, "crisis: still")
    replied(page, 2)

    assert len([text for text in page.evaluate("window.said") if "988" in text]) == 1


def test_a_second_crisis_message_does_not_stack_a_second_card(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)
    send(page, "crisis: still")
    replied(page, 2)

    expect(page.locator(".hk-card")).to_have_count(1)


def test_the_card_can_be_folded_and_opened(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)

    page.get_by_role("button", name="Hide help lines").click()
    expect(page.locator("#hk-card-body")).to_be_hidden()
    page.get_by_role("button", name="All lines").click()

    expect(page.locator("#hk-card-body")).to_be_visible()


def test_the_card_stays_open_when_the_reply_is_there(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 375, "height": 667}, is_mobile=True, has_touch=True)
    send(page, "crisis: I want to end it")
    replied(page)

    expect(page.locator("#hk-card-body")).to_be_visible()
    expect(page.locator("#hk-card-title")).to_be_in_viewport()
    expect(page.locator("#hk-card-body .hk-card-message")).to_be_in_viewport()
    expect(page.locator("#hk-card-body a[href='tel:911']")).to_be_in_viewport()
    expect(page.locator(".hk-reply")).to_be_in_viewport()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("height", [553, 667])
@pytest.mark.parametrize(
    ("category", "line"),
    [
        (RiskCategory.MEDICAL_EMERGENCY, "tel:111"),
        (RiskCategory.CHILD_SAFETY, "tel:08001111"),
        (RiskCategory.ABUSE, "tel:08082000247"),
        (RiskCategory.SUICIDE, "tel:116123"),
    ],
)
def test_on_a_small_phone_the_numbers_are_seen_at_once(
    open_page: OpenPage,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    category: RiskCategory,
    line: str,
    height: int,
    locale: str,
) -> None:
    monkeypatch.setattr(site.conversations, "category", category)
    small = {"viewport": {"width": 375, "height": height}, "is_mobile": True, "has_touch": True}
    page = open_page(locale=locale, timezone_id="Europe/London", **small)
    send(page, "crisis")
    replied(page)

    for number in ("tel:999", line):
        ahead = page.locator(f"#hk-card-body .hk-first-steps a[href='{number}']")
        expect(ahead).to_be_in_viewport(ratio=1)
        assert _is_on_top(ahead)


def _is_on_top(link: Locator) -> bool:
    return link.evaluate(
        """link => {
          const { left, right, top, bottom } = link.getBoundingClientRect();
          const at = (place) => document.elementFromPoint((left + right) / 2, top + (bottom - top) * place);
          return [0.1, 0.9].every((place) => link.contains(at(place)));
        }"""
    )


def test_the_card_leaves_the_message_in_sight(page: Page) -> None:
    send(page, "crisis, told slowly")

    expect(page.locator("#hk-card-body")).to_be_visible()
    expect(page.locator(".hk-mine .hk-bubble")).to_be_in_viewport(ratio=1)
    page.click("#hk-stop")


def test_a_folded_card_opens_for_more_danger_only(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)
    page.get_by_role("button", name="Hide help lines").click()

    page.click("#hk-language")

    expect(page.locator("#hk-card-toggle")).to_have_text("全部热线")
    expect(page.locator("#hk-card-body")).to_be_hidden()


def test_a_message_that_calls_for_help_anew_opens_the_folded_card_once(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)
    send(page, "crisis: again, and it is still going on")
    expect(page.locator("#hk-card-body")).to_be_visible()
    page.locator("#hk-card-toggle").click()
    replied(page, 2)
    expect(page.locator("#hk-card-body")).to_be_hidden()


def test_once_one_writes_on_the_card_is_one_line_whose_numbers_stay_one_tap_away(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)

    send(page, "something else, slowly")

    expect(page.locator("#hk-card-body")).to_be_hidden()
    expect(page.locator("#hk-card-brief a[href='tel:911']")).to_be_in_viewport()
    expect(page.locator("#hk-card-brief a[href='tel:988']")).to_be_in_viewport()
    expect(page.locator("#hk-status")).to_contain_text("folded to one line")
    height = page.locator("#hk-card").evaluate("card => card.offsetHeight")
    assert height < 64
    page.click("#hk-stop")


def test_the_card_does_not_fold_under_a_hand(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)
    page.hover("#hk-card-body")

    send(page, "something else")
    replied(page, 2)

    expect(page.locator("#hk-card-body")).to_be_visible()
    page.mouse.move(700, 90)

    expect(page.locator("#hk-card-body")).to_be_hidden()


@pytest.mark.parametrize("text", ["crisis: I want to end it", "crisis, told slowly"])
def test_at_high_zoom_a_part_of_the_conversation_stays_in_sight(open_page: OpenPage, text: str) -> None:
    page = open_page(viewport={"width": 640, "height": 400})
    send(page, "please give a long reply")
    replied(page)

    send(page, text)

    expect(page.locator("#hk-card-body")).to_be_visible()
    if "slowly" not in text:
        replied(page, 2)
    expect(page.locator(".hk-item").last).to_be_in_viewport()
    expect(page.locator("#hk-card-brief a[href='tel:911']")).to_be_in_viewport(ratio=1)
    assert page.locator("#hk-conversation").evaluate("area => area.clientHeight") >= 100


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_on_a_phone_the_open_card_leaves_the_newest_reply_to_its_end(
    open_page: OpenPage, locale: str
) -> None:
    page = open_page(viewport={"width": 375, "height": 667}, locale=locale, is_mobile=True, has_touch=True)
    send(page, "hello")
    replied(page)
    send(page, "I don't want to be here anymore 不想活")
    replied(page, 2)

    expect(page.locator("#hk-card-body")).to_be_visible()
    expect(page.locator(".hk-reply .hk-bubble").last).to_be_in_viewport(ratio=1)
    assert page.locator("#hk-conversation").evaluate("area => area.clientHeight") >= 230


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize(("width", "height"), [(188, 334), (320, 256), (320, 480), (375, 330), (640, 400)])
@pytest.mark.parametrize("category", [RiskCategory.SUICIDE, RiskCategory.ABUSE])
def test_an_enlarged_card_is_not_cut_off(
    open_page: OpenPage,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    category: RiskCategory,
    width: int,
    height: int,
    locale: str,
) -> None:
    monkeypatch.setattr(site.conversations, "category", category)
    page = open_page(viewport={"width": width, "height": height}, locale=locale, timezone_id="Europe/London")
    send(page, "crisis")
    replied(page)

    expect(page.locator("#hk-card-body")).to_be_visible()
    assert page.evaluate(_CUT_OFF) == []
    first = page.locator("#hk-card-brief a").first
    expect(first).to_be_in_viewport(ratio=1)
    assert _is_on_top(first)
    expect(page.locator("#hk-message")).to_be_in_viewport(ratio=0.9)
    assert page.locator("#hk-conversation").evaluate("area => area.clientHeight") >= 48
    title = page.locator("#hk-card-title")
    title.scroll_into_view_if_needed()
    assert _is_on_top(title)
    last = page.locator("#hk-card-body select")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=0.9)


_CUT_OFF = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const card = document.getElementById('hk-card').getBoundingClientRect();
  const parts = [...document.getElementById('hk-card').querySelectorAll('a, p, span, h2, button')];
  const wide = parts.filter(seen).filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    const inside = one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    return left < card.left - 1 || right > card.right + 1 || inside;
  });
  const head = [...document.querySelectorAll('.hk-head a, .hk-head button, .hk-box button')].filter(seen);
  const off = head.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
  return [...wide, ...off].map((one) => one.outerHTML.slice(0, 90));
}"""


def test_another_country_brings_its_own_lines(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)
    page.select_option("#hk-card-country", "GB")

    expect(page.locator("#hk-card")).to_contain_text("116 123")


def test_the_card_comes_back_with_the_conversation(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)

    page.reload()

    expect(page.locator("#hk-card a[href='tel:911'] >> visible=true")).to_be_visible()


def test_an_over_long_crisis_message_still_brings_help(page: Page) -> None:
    send(page, "word " * 900 + "crisis: I want to end it")

    expect(page.locator("#hk-card a[href='tel:911'] >> visible=true")).to_be_visible()
    expect(page.locator("#hk-message")).to_have_value("word " * 900 + "crisis: I want to end it")


def test_help_lines_can_be_opened_without_a_crisis(page: Page) -> None:
    page.get_by_role("button", name="Help lines").click()

    expect(page.get_by_role("dialog").locator("a[href^='tel:']").first).to_be_visible()


def test_on_a_phone_card_and_message_box_are_both_in_sight(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, is_mobile=True, has_touch=True)
    send(page, "crisis: I want to end it")
    replied(page)

    expect(page.locator("#hk-card a[href='tel:911'] >> visible=true")).to_be_in_viewport()
    expect(page.locator("#hk-message")).to_be_in_viewport()


def test_danger_is_noticed_when_the_cookies_are_gone(page: Page) -> None:
    send(page, "hello")
    replied(page)
    page.context.clear_cookies()

    send(page, "crisis: still here")

    expect(page.locator("#hk-card-body a[href='tel:911']")).to_be_visible()
    expect(page.locator("#hk-message")).to_have_value("crisis: still here")
    expect(page.locator("#hk-problem")).to_contain_text("cookie")
