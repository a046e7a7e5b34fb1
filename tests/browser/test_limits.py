"""Messages that are too long, and none at all."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import replied, send


def test_the_limit_is_visible_and_counts(page: Page) -> None:
    page.fill("#hk-message", "hello")

    expect(page.locator("#hk-count")).to_have_text("5 of 4,000 characters")


def test_a_message_over_the_limit_stays_in_the_box(page: Page) -> None:
    text = "x" * 4010
    send(page, text)

    expect(page.locator("#hk-problem")).to_contain_text("10 characters too many")
    expect(page.locator("#hk-message")).to_have_value(text)
    expect(page.locator(".hk-item")).to_have_count(0)


def test_of_a_message_over_the_limit_no_reply_is_announced_any_more(page: Page) -> None:
    send(page, "x" * 4010)

    expect(page.locator("#hk-alert")).to_contain_text("10 characters too many")
    expect(page.locator("#hk-status")).to_be_empty()


def test_a_message_over_the_limit_leaves_no_conversation_behind(page: Page) -> None:
    send(page, "x" * 4010)
    expect(page.locator("#hk-alert")).to_contain_text("10 characters too many")
    expect(page.locator("#hk-send")).to_be_visible()

    page.reload()

    expect(page.locator("#hk-conversations")).to_contain_text("Nothing here yet")


def test_a_shortened_message_can_be_sent(page: Page) -> None:
    send(page, "x" * 4010)
    expect(page.locator("#hk-problem")).to_be_visible()
    expect(page.locator("#hk-send")).to_be_visible()

    send(page, "x" * 4000)

    replied(page)
    expect(page.locator("#hk-problem")).to_be_hidden()


def test_characters_beyond_the_basic_plane_count_once(page: Page) -> None:
    page.fill("#hk-message", "🙂🙂")

    expect(page.locator("#hk-count")).to_have_text("2 of 4,000 characters")


def test_an_empty_message_is_not_sent(page: Page) -> None:
    send(page, "   ")

    expect(page.locator("#hk-problem")).to_have_text("Write something first.")
    expect(page.locator(".hk-item")).to_have_count(0)


def test_half_a_megabyte_of_text_is_refused_kindly(page: Page) -> None:
    page.evaluate(
        """() => {
          const box = document.getElementById('hk-message');
          box.value = 'y'.repeat(500000);
          box.dispatchEvent(new Event('input', { bubbles: true }));
        }"""
    )

    page.press("#hk-message", "Enter")

    expect(page.locator("#hk-problem")).to_contain_text("characters too many")
    expect(page.locator("#hk-send")).to_be_visible()
