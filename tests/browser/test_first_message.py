"""The first message of a new person."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import READY_MS, OpenPage, Site, let_on, ready, replied, send


def test_the_frame_is_on_screen_before_gradio_has_loaded(site: Site, new_context: Callable) -> None:
    page = new_context().new_page()
    page.route("**/assets/**", lambda route: route.abort())

    page.goto(site.url)

    expect(page.get_by_role("heading", name="What is on your mind?")).to_be_visible()
    expect(page.get_by_role("link", name="Leave")).to_be_visible()
    expect(page.locator(".hk-notice")).to_contain_text("not a therapist")


def test_a_message_typed_while_gradio_loads_is_answered(site: Site, new_context: Callable) -> None:
    page = new_context().new_page()
    page.goto(site.url, wait_until="commit")
    expect(page.locator("#hk-count")).to_have_text("0 of 4,000 characters")

    send(page, "I could not wait")

    expect(page.locator(".hk-reply .hk-thumbs")).to_have_count(1, timeout=READY_MS)
    expect(page.locator(".hk-mine")).to_contain_text("I could not wait")


def test_the_first_message_gets_a_reply(page: Page) -> None:
    send(page, "I feel lost since last week")

    replied(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("I feel lost since last week")
    expect(page.locator(".hk-reply .hk-bubble")).to_contain_text("That sounds heavy")


def test_work_is_shown_at_once_without_waiting_for_the_server(page: Page) -> None:
    page.fill("#hk-message", "I feel lost slowly")
    # Nothing of the network can come between the two lines: scripts of a page run one after another.
    shown = page.evaluate(
        """() => {
          document.getElementById('hk-composer').requestSubmit();
          return !document.getElementById('hk-working').hidden;
        }"""
    )

    assert shown
    page.click("#hk-stop")


def test_each_message_is_on_the_page_once(page: Page) -> None:
    send(page, "one")
    replied(page)
    send(page, "two")
    replied(page, 2)

    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(["one", "two"])


def test_the_place_in_the_queue_is_shown(page: Page, site: Site) -> None:
    send(page, "queue, step by step")

    expect(page.locator("#hk-working-text")).to_have_text("2 people are ahead of you")
    let_on(page, site)
    expect(page.locator("#hk-working-text")).to_have_text("One person is ahead of you")
    let_on(page, site, 3)
    replied(page)


def test_the_message_box_is_empty_and_focused_after_sending(page: Page) -> None:
    send(page, "hello")

    expect(page.locator("#hk-message")).to_have_value("")
    expect(page.locator("#hk-message")).to_be_focused()


def test_the_conversation_appears_in_the_list(page: Page) -> None:
    send(page, "words of mine")
    replied(page)

    expect(page.locator("#hk-conversations [aria-current=true]")).to_have_count(1)
    expect(page.locator("#hk-nav")).not_to_contain_text("words")


def test_a_new_conversation_starts_empty_and_keeps_the_old_one(page: Page) -> None:
    send(page, "the old one")
    replied(page)
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".hk-item")).to_have_count(0)
    send(page, "the new one")
    replied(page)

    page.locator("#hk-conversations [data-open]").last.click()

    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("the old one")


def test_the_ai_notice_comes_again_when_it_is_due(page: Page, site: Site) -> None:
    send(page, "a long evening")
    replied(page)
    site.conversations.notices.update(site.conversations.sessions)

    send(page, "still here")

    expect(page.locator("#hk-items .hk-notice")).to_contain_text("AI program and not a therapist")


def test_a_page_without_a_cookie_says_so_kindly(site: Site, new_context: Callable) -> None:
    context = new_context()
    page = context.new_page()
    page.goto(site.url)
    ready(page)
    context.clear_cookies()

    send(page, "hello")

    expect(page.locator("#hk-problem")).to_contain_text("one cookie")
    expect(page.locator("#hk-message")).to_have_value("hello")


def test_two_browsers_know_nothing_of_each_other(open_page: OpenPage, new_context: Callable) -> None:
    first = open_page(new_context())
    send(first, "only mine")
    replied(first)

    second = open_page(new_context())

    expect(second.locator(".hk-item")).to_have_count(0)
    assert "only mine" not in second.content()
