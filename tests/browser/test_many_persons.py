"""Many persons at once: nobody waits for the reply of someone else."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import OpenPage, replied, send

WAITING = 4


def test_a_quick_reply_does_not_wait_for_slow_ones(
    open_page: OpenPage, new_context: Callable[..., BrowserContext]
) -> None:
    pages: list[Page] = [open_page(new_context()) for _ in range(WAITING)]
    for page in pages:
        send(page, "take it slowly")
        expect(page.locator("#hk-stop")).to_be_visible()

    quick = open_page(new_context())
    send(quick, "hello")
    replied(quick)

    for page in pages:
        expect(page.locator("#hk-stop")).to_be_visible()
        expect(page.locator(".hk-reply")).to_have_count(0)


def test_two_tabs_of_one_person_show_their_own_conversations(
    open_page: OpenPage, new_context: Callable[..., BrowserContext]
) -> None:
    context = new_context()
    first = open_page(context)
    send(first, "in the first tab")
    replied(first)
    second = open_page(context)
    second.get_by_role("button", name="New conversation").click()
    send(second, "in the second tab")
    replied(second)

    send(first, "still in the first tab")

    replied(first, 2)
    expect(first.locator(".hk-mine .hk-bubble")).to_have_text(["in the first tab", "still in the first tab"])
