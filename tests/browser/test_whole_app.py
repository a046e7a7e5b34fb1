"""A browser before the whole application: embedded model, real database, real process."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Locator, Page, expect

from evals.running_app import running_app
from tests.browser.conftest import ready, replied, send

REPLY_MS = 120_000
CRISIS = "I don\u2019t want to live anymore. I have the pills here and I will take them tonight."


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(REPLY_MS)
    page.goto(address)
    ready(page)
    return page


def test_a_conversation_with_the_embedded_model_survives_reload_and_restart(
    tmp_path: Path, new_context: Callable[..., BrowserContext]
) -> None:
    mine, theirs = new_context(), new_context()
    with running_app(tmp_path) as app:
        page = opened(mine, app.address)
        send(page, "My grandmother died on Sunday and I can't stop crying.")
        replied(page)

        note_replies_when_the_card_comes(page)
        send(page, CRISIS)
        card = page.locator("#hk-card")
        expect(card).to_be_visible(timeout=REPLY_MS)
        expect(card).to_contain_text("988")
        replied(page, 2)
        assert page.evaluate("window.repliesAtTheCard") == 1  # the model had not answered yet

        page.reload()
        ready(page)
        expect(page.locator("#hk-items")).to_contain_text("My grandmother died on Sunday")
        expect(card).to_be_visible()
        before = page.locator("#hk-items").inner_text()

        assert "grandmother" not in opened(theirs, app.address).content()
    with running_app(tmp_path) as app:
        page = opened(mine, app.address)
        expect(replies_of(page)).to_have_count(2)
        page.get_by_role("button", name="Privacy and settings").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download my data").click()
        assert "My grandmother died on Sunday" in Path(download.value.path()).read_text("utf-8")
        page.keyboard.press("Escape")
        assert page.locator("#hk-items").inner_text() == before


def note_replies_when_the_card_comes(page: Page) -> None:
    page.evaluate(
        """() => {
          const card = document.getElementById('hk-card');
          const watch = new MutationObserver(() => {
            if (card.hidden) return;
            window.repliesAtTheCard = document.querySelectorAll('.hk-reply .hk-thumbs').length;
            watch.disconnect();
          });
          watch.observe(card, { attributes: true });
        }"""
    )


def replies_of(page: Page) -> Locator:
    return page.locator(".hk-reply .hk-thumbs")
