"""What is there after a reload, in another browser, and after a restart."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import OpenPage, Site, ready, replied, send


def test_a_reload_keeps_the_conversation(page: Page) -> None:
    send(page, "keep this")
    replied(page)

    page.reload()
    ready(page)

    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("keep this")
    expect(page.locator(".hk-reply .hk-thumbs")).to_have_count(1)


def test_a_reload_in_the_middle_of_a_reply_logs_no_error(page: Page) -> None:
    errors: list[str] = []
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    send(page, "take it slowly")
    page.wait_for_function("history.state?.conversation")

    page.reload()
    ready(page)

    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert errors == []


def test_a_reload_opens_the_conversation_that_was_open(page: Page) -> None:
    send(page, "the older one")
    replied(page)
    page.get_by_role("button", name="New conversation").click()
    send(page, "the newer one")
    replied(page)
    page.locator("#hk-conversations [data-open]").last.click()
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("the older one")

    page.reload()
    ready(page)

    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("the older one")


def test_a_new_tab_of_the_same_browser_goes_on(
    new_context: Callable[..., BrowserContext], open_page: OpenPage
) -> None:
    context = new_context()
    first = open_page(context)
    send(first, "from the first tab")
    replied(first)

    second = open_page(context)

    expect(second.locator(".hk-mine .hk-bubble")).to_have_text("from the first tab")


def test_an_id_of_someone_else_opens_nothing(
    new_context: Callable[..., BrowserContext], open_page: OpenPage
) -> None:
    theirs = open_page(new_context())
    send(theirs, "a secret")
    replied(theirs)
    stolen = theirs.evaluate("history.state.conversation")
    mine = open_page(new_context())

    mine.evaluate("id => history.replaceState({ conversation: id }, '')", stolen)
    mine.reload()
    ready(mine)

    expect(mine.locator(".hk-item")).to_have_count(0)
    assert "a secret" not in mine.content()


def test_a_server_that_comes_back_finds_the_page_still_working(page: Page, site: Site) -> None:
    send(page, "before")
    replied(page)
    site.restart()

    send(page, "after")

    replied(page, 2)
