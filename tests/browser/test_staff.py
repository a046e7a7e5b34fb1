"""Staff sign in, review and annotate in a real browser, over a real database."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from app.auth.page_list import PAGES
from tests.browser.staff_server import sign_in, staff_server
from tests.browser.staff_site import CALM, CRISIS, PASSWORD, fill


@pytest.fixture
def address(staff_database: URL) -> Iterator[str]:
    """Address of a running server over a fresh, filled database."""
    with staff_server(staff_database, fill) as server:
        yield server.url


SignIn = Callable[[str], Page]


@pytest.fixture
def signed_in(address: str, new_context: Callable[..., BrowserContext]) -> SignIn:
    """Signs an account in, in a browser of its own."""

    def make(name: str) -> Page:
        return sign_in(new_context(reduced_motion="reduce").new_page(), address, name)

    return make


def test_an_annotator_rates_skips_and_takes_back(signed_in: SignIn) -> None:
    page = signed_in("annotator")
    expect(page.locator("#hk-context")).to_contain_text(CALM)
    expect(page.locator("#hk-undo")).to_be_hidden()
    page.get_by_label("Not a good reply").check()
    page.get_by_label("Could be said to anyone").check()
    page.click("#hk-save")
    expect(page.locator("#hk-progress")).to_contain_text("You have rated 1. 1 are waiting")
    page.click("#hk-undo")
    expect(page.locator("#hk-progress")).to_contain_text("You have rated 0. 2 are waiting")
    expect(page.locator("#hk-undo")).to_be_hidden()
    expect(page.locator("#hk-notice")).to_contain_text("was taken back")
    page.click("#hk-skip")
    expect(page.locator("#hk-context")).to_contain_text("I miss our walks")


def test_an_annotator_may_not_open_the_review(signed_in: SignIn, address: str) -> None:
    page = signed_in("annotator")
    answer = page.goto(f"{address}/review")
    assert answer is not None
    assert answer.status == 403
    expect(page.locator("h1")).to_have_text("Not for your account")


def test_signing_out_closes_the_pages(signed_in: SignIn, address: str) -> None:
    page = signed_in("admin")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/login")
    page.goto(f"{address}/review")
    assert page.url == f"{address}/login?next=/review"


def test_a_page_left_open_does_nothing_after_signing_out_elsewhere(signed_in: SignIn) -> None:
    page, other = signed_in("admin"), signed_in("admin")
    expect(page.locator(".hk-queue button")).to_have_count(1)
    other.locator(".hk-more summary").click()
    other.get_by_role("button", name="Sign out everywhere").click()
    other.wait_for_url("**/login")
    with page.expect_response(lambda answer: answer.status == 401):
        page.evaluate("window.hearkenRefresh()")
    expect(page.locator("body")).not_to_contain_text(CRISIS)


def test_after_signing_out_elsewhere_the_case_is_cleared_and_the_note_can_be_copied(
    signed_in: SignIn,
) -> None:
    page, other = signed_in("admin"), signed_in("admin")
    page.click(".hk-queue button >> nth=0")
    page.click("#hk-reveal")
    expect(page.locator("#hk-log")).to_contain_text("<b>tonight</b>")
    page.fill("#hk-note textarea", "Called the duty line.")
    other.locator(".hk-more summary").click()
    other.get_by_role("button", name="Sign out everywhere").click()
    other.wait_for_url("**/login")

    expect(page.get_by_role("heading", name="Your login has ended")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text(CRISIS)
    expect(page.locator("#hk-kept")).to_have_value("Called the duty line.")
    expect(page.locator("main")).to_be_focused()
    # Whatever else is refused to this page changes nothing of it.
    page.locator("#hk-kept").focus()
    assert page.evaluate("fetch('/api/staff/flags').then((answer) => answer.status)") == 401
    expect(page.locator("#hk-kept")).to_be_focused()
    expect(page.locator("#hk-kept")).to_have_value("Called the duty line.")
    expect(page.locator("body")).not_to_contain_text("Error")
    page.get_by_role("link", name="Sign in").click()
    page.wait_for_url("**/login?next=/review")


def test_the_pages_speak_chinese_to_a_chinese_browser(
    address: str, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(locale="zh-CN").new_page()
    page.goto(f"{address}/annotate")
    expect(page.locator("h1")).to_have_text("登录")
    page.fill("#username", "annotator")
    page.fill("#password", PASSWORD)
    page.click("button")
    expect(page.locator("#hk-title")).to_contain_text("评价回复")
    expect(page.locator("#hk-progress")).to_contain_text("还有 2 条")


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_signing_out_is_one_line_on_a_narrow_phone_and_everywhere_waits_in_a_menu(
    address: str, new_context: Callable[..., BrowserContext], locale: str
) -> None:
    page = new_context(locale=locale, viewport={"width": 375, "height": 667}).new_page()
    sign_in(page, address, "admin")
    everywhere = page.locator('form[action="/logout/everywhere"] button')
    for place in PAGES:
        page.goto(f"{address}{place.address}/")
        expect(page.locator(".hk-own")).to_be_visible()
        expect(everywhere).to_be_hidden()
        middles = page.evaluate(
            """[...document.querySelector('.hk-own').children].map((part) => {
              const box = part.getBoundingClientRect();
              return Math.round((box.top + box.bottom) / 2);
            })"""
        )
        assert max(middles) - min(middles) <= 2
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.locator(".hk-more summary").click()
    expect(everywhere).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("locale", "path", "title"),
    [("en-US", "/export/", "Exports · Hearken"), ("zh-CN", "/staff/", "账号 · Hearken")],
)
def test_a_page_says_in_its_title_which_one_it_is(
    address: str, new_context: Callable[..., BrowserContext], locale: str, path: str, title: str
) -> None:
    page = new_context(locale=locale).new_page()
    page.goto(f"{address}/login")
    page.fill("#username", "admin")
    page.fill("#password", PASSWORD)
    page.click("button")
    page.wait_for_url("**/review/")
    page.goto(f"{address}{path}")
    expect(page).to_have_title(title)
