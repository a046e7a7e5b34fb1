"""Thumbs below a reply."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from app.chat.session import Shown
from tests.browser.conftest import PHONE, OpenPage, Site, ready, replied, send, settled
from tests.browser.slow_answers import SlowAnswers


@dataclass(frozen=True)
class Rated:
    """A page with one reply, and the way to its stored rating."""

    page: Page
    site: Site

    def stored(self) -> Shown:
        """The last message as it is stored."""
        return self._messages()[-1]

    def stored_reply(self) -> Shown:
        """The last reply as it is stored."""
        return next(one for one in reversed(self._messages()) if one.role == "assistant")

    def _messages(self) -> list[Shown]:
        return self.site.conversations.messages[self.page.evaluate("history.state.conversation")]

    @property
    def helpful(self) -> Locator:
        """The thumb that points up."""
        return self.page.get_by_role("button", name="Helpful", exact=True)


@pytest.fixture
def rated(page: Page, site: Site) -> Rated:
    send(page, "hello")
    replied(page)
    return Rated(page, site)


def test_a_press_rates_once(rated: Rated) -> None:
    rated.helpful.click()

    expect(rated.helpful).to_have_attribute("aria-pressed", "true")
    expect(rated.page.locator("#hk-status")).to_contain_text("Marked as helpful")
    assert rated.stored().rating == 1


def test_a_second_press_takes_the_rating_back(rated: Rated) -> None:
    button = rated.helpful
    button.click()
    expect(rated.page.locator("#hk-status")).to_contain_text("Marked as helpful")

    button.click()

    expect(button).to_have_attribute("aria-pressed", "false")
    expect(rated.page.locator("#hk-status")).to_contain_text("taken back")
    assert rated.stored().rating is None


def test_the_other_thumb_changes_the_rating(rated: Rated) -> None:
    rated.helpful.click()
    expect(rated.page.locator("#hk-status")).to_contain_text("Marked as helpful")

    rated.page.get_by_role("button", name="Not helpful").click()

    expect(rated.page.locator("#hk-status")).to_contain_text("not helpful")
    assert rated.stored().rating == -1


def test_reasons_and_a_comment_are_stored(rated: Rated) -> None:
    rated.page.get_by_role("button", name="Not helpful").click()
    rated.page.get_by_label("Advice came too soon").check()
    rated.page.get_by_label("Anything else").fill("I only wanted to be heard")

    rated.page.get_by_role("button", name="Save").click()

    expect(rated.page.locator(".hk-toast")).to_contain_text("saved")
    assert rated.stored().reasons == ("premature_advice",)
    assert rated.stored().comment == "I only wanted to be heard"


def test_reasons_work_with_the_keyboard_alone(rated: Rated) -> None:
    rated.page.get_by_role("button", name="Not helpful").focus()
    rated.page.keyboard.press("Enter")
    expect(rated.page.locator(".hk-reasons")).to_be_visible()
    rated.page.get_by_label("It could have been said to anyone").focus()
    rated.page.keyboard.press("Space")
    rated.page.get_by_role("button", name="Save").focus()
    rated.page.keyboard.press("Enter")

    expect(rated.page.locator(".hk-toast")).to_contain_text("saved")
    expect(rated.page.get_by_role("button", name="Not helpful")).to_be_focused()
    assert rated.stored().reasons == ("generic",)


def test_a_rating_is_there_after_a_reload(rated: Rated) -> None:
    rated.helpful.click()
    expect(rated.page.locator("#hk-status")).to_contain_text("Marked as helpful")

    rated.page.reload()
    ready(rated.page)

    expect(rated.helpful).to_have_attribute("aria-pressed", "true")


def test_thumbs_answer_while_a_reply_is_made(rated: Rated) -> None:
    send(rated.page, "take it slowly")
    expect(rated.page.locator("#hk-stop")).to_be_visible()

    rated.page.locator("[data-rate='1']").click()

    expect(rated.page.locator("#hk-status")).to_contain_text("Marked as helpful")
    expect(rated.page.locator("#hk-stop")).to_be_visible()
    assert rated.stored_reply().rating == 1
    rated.page.click("#hk-stop")


def test_on_a_slow_line_a_rating_does_not_overtake_the_one_before_it(rated: Rated) -> None:
    slow = SlowAnswers(rated.page, "rate")
    rated.page.get_by_role("button", name="Not helpful").click()
    rated.page.get_by_label("Advice came too soon").check()
    rated.page.get_by_role("button", name="Save").click()
    slow.waiting(1)
    settled(rated.page)
    assert slow.held == 1  # the second one has not left

    slow.let_through(1)

    expect(rated.page.locator(".hk-toast")).to_contain_text("saved")
    assert rated.stored().reasons == ("premature_advice",)


def test_thumbs_can_be_touched_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, is_mobile=True, has_touch=True)
    send(page, "hello")
    replied(page)

    page.get_by_role("button", name="Helpful", exact=True).tap()

    expect(page.get_by_role("button", name="Helpful", exact=True)).to_have_attribute("aria-pressed", "true")


def test_nobody_rates_a_reply_of_someone_else(rated: Rated, open_page: OpenPage) -> None:
    reply = rated.stored().message_id
    other = open_page()
    send(other, "hello")
    replied(other)

    other.evaluate("id => { document.querySelector('.hk-thumbs').dataset.message = id; }", reply)
    other.get_by_role("button", name="Helpful", exact=True).click()

    expect(other.locator(".hk-toast")).to_contain_text("no longer there")
    expect(other.get_by_role("button", name="Helpful", exact=True)).to_have_attribute("aria-pressed", "false")
    assert rated.stored().rating is None
