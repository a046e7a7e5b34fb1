"""What an annotator has entered and not saved lasts until it is saved, they sign out, or another signs in."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from tests.browser.staff_server import sign_in
from tests.browser.test_annotate import on_to_the_next, opened, option, press, ready, served, shown

REMARK, REASON = "It never asks back.", "The person speaks of giving things away."
HERE_AGAIN = "What you had entered and not yet saved is here again."


@pytest.fixture
def address(staff_database: URL) -> Iterator[str]:
    with served(staff_database, 3) as address:
        yield address


@pytest.fixture
def page(address: str, new_context: Callable[..., BrowserContext]) -> Page:
    """The annotation page with everything entered and nothing saved."""
    page = opened(address, new_context)
    press(page, "d", "2", "e", "1", "2", "3", "4", "5")
    page.locator("#hk-comment-text").fill(REMARK)
    press(page, "Escape", "f")
    page.locator("#hk-danger-reason").fill(REASON)
    return page


def all_there(page: Page) -> None:
    expect(option(page, "value", -1)).to_be_checked()
    expect(option(page, "reason", "generic")).to_be_checked()
    expect(page.locator("#hk-scales .hk-count")).to_have_text("5/9")
    expect(page.locator("#hk-comment-text")).to_have_value(REMARK)
    expect(page.locator("#hk-danger-reason")).to_have_value(REASON)
    expect(page.locator("#hk-notice")).to_contain_text(HERE_AGAIN)


def kept(page: Page) -> int:
    return page.evaluate(
        "Object.keys(sessionStorage).filter((key) => key.startsWith('hearken-draft')).length"
    )


def end_login(page: Page) -> None:
    page.context.clear_cookies()
    page.locator("#hk-save").click()
    expect(page.get_by_role("heading", name="Your login has ended")).to_be_visible()


def test_when_the_login_ends_texts_can_be_copied_and_all_is_there_after_signing_in(
    page: Page, address: str
) -> None:
    reply = shown(page)
    end_login(page)
    expect(page.locator("#hk-kept")).to_have_value(f"{REMARK}\n\n{REASON}")
    expect(page.locator("#hk-ended-draft")).to_contain_text("kept in this tab")
    sign_in(page, address, "annotator", "/annotate")
    assert shown(page) == reply
    all_there(page)


def test_another_account_in_the_same_tab_gets_nothing_of_it(page: Page, address: str) -> None:
    end_login(page)
    sign_in(page, address, "admin", "/annotate")
    ready(page)
    expect(page.locator("#hk-comment-text")).to_have_value("")
    assert kept(page) == 0


def test_a_visit_to_ranking_and_a_reload_lose_nothing(page: Page) -> None:
    page.locator("[data-mode=rank]").click()
    expect(page.locator("[data-candidate]").first).to_be_visible()
    ready(page)
    page.locator("[data-mode=rate]").click()
    all_there(page)
    page.reload()
    ready(page)
    all_there(page)


def test_what_is_put_back_is_saved_like_anything_entered_and_leaves_no_draft(page: Page) -> None:
    reply = shown(page)
    page.reload()
    ready(page)
    press(page, "Enter")
    on_to_the_next(page, reply)
    assert kept(page) == 0
    press(page, "z")
    expect(page.locator("#hk-task")).to_have_attribute("data-shown", reply)


def test_taking_back_the_last_rating_keeps_what_was_typed_on_the_next_reply(
    address: str, new_context: Callable[..., BrowserContext]
) -> None:
    page = opened(address, new_context)
    first = shown(page)
    press(page, "u", "Enter")
    on_to_the_next(page, first)
    page.locator("#hk-comment-text").fill(REMARK)
    press(page, "Escape", "z")
    expect(page.locator("#hk-task")).to_have_attribute("data-shown", first)
    ready(page)
    press(page, "u", "Enter")
    on_to_the_next(page, first)
    expect(page.locator("#hk-comment-text")).to_have_value(REMARK)


def test_a_change_that_was_undone_by_hand_is_no_draft(
    address: str, new_context: Callable[..., BrowserContext]
) -> None:
    page = opened(address, new_context)
    page.locator("#hk-comment-text").fill(REMARK)
    assert kept(page) == 1
    page.locator("#hk-comment-text").fill("")
    assert kept(page) == 0


def test_who_signs_out_leaves_no_draft(page: Page) -> None:
    assert kept(page) == 1
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/login")
    assert kept(page) == 0
