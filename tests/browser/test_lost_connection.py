"""A lost connection is never the last word: what was written meanwhile goes out by itself, once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import OpenPage, Site, called, connect, conversation_of, ready, replied, send

NewContext = Callable[..., BrowserContext]
_FOUND_MS = 30_000


def _said(site: Site, page: Page) -> list[str]:
    return [one.text for one in site.conversations.messages[conversation_of(page)] if one.role == "user"]


def test_what_is_sent_without_a_network_goes_out_when_it_is_back(page: Page, site: Site) -> None:
    send(page, "before")
    replied(page)
    connect(page, offline=True)
    send(page, "crisis: in the dark")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    expect(page.locator(".hk-mine .hk-bubble").last).to_have_text("crisis: in the dark")

    connect(page)

    replied(page, 2)
    expect(page.locator("#hk-card-body")).to_be_visible()
    assert _said(site, page) == ["before", "crisis: in the dark"]
    send(page, "and again")
    replied(page, 3)
    assert _said(site, page) == ["before", "crisis: in the dark", "and again"]


def test_what_can_not_be_saved_for_want_of_a_connection_says_so_and_nothing_else(page: Page) -> None:
    send(page, "before")
    replied(page)
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", "The new job")
    page.press("#hk-conversations input", "Enter")
    expect(page.locator("#hk-status")).to_have_text("The name was saved.")
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", "The old job")
    connect(page, offline=True)
    page.press("#hk-conversations input", "Enter")

    told = "There is no connection to Hearken at the moment. This could not be saved."
    expect(page.locator("#hk-alert")).to_contain_text(told)
    expect(page.locator(".hk-toast")).to_contain_text(told)
    expect(page.locator("#hk-status")).to_be_empty()
    expect(page.locator("#hk-conversations input")).to_have_value("The old job")

    connect(page)
    page.press("#hk-conversations input", "Enter")
    expect(page.locator("#hk-conversations .hk-list-title")).to_have_text("The old job")


def test_a_break_leaves_nothing_of_gradios_and_no_reply_that_is_on_its_way(page: Page) -> None:
    send(page, "before")
    replied(page)
    connect(page, offline=True)
    send(page, "in the dark")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")

    expect(page.locator("#hk-status")).to_be_empty()
    expect(page.locator("[data-testid=status-tracker]")).to_contain_text("Error")
    expect(page.get_by_role("button", name="Clear")).to_have_count(0)
    expect(page.locator("[data-testid=status-tracker]")).to_be_hidden()


def test_the_first_message_of_all_goes_out_when_the_network_is_back(page: Page, site: Site) -> None:
    connect(page, offline=True)
    send(page, "crisis: in the dark")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")

    connect(page)

    replied(page)
    assert _said(site, page) == ["crisis: in the dark"]


def test_what_is_sent_to_a_dead_server_goes_out_when_it_is_back(page: Page, site: Site) -> None:
    send(page, "before")
    replied(page)
    start = site.halt()
    send(page, "crisis: is anybody there")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    expect(page.locator("#hk-stop")).to_be_hidden()
    start()

    expect(page.locator(".hk-toast")).to_contain_text("Connected again", timeout=_FOUND_MS)
    replied(page, 2)
    send(page, "and again")
    replied(page, 3)
    assert _said(site, page) == ["before", "crisis: is anybody there", "and again"]


def test_after_a_server_died_during_a_reply_the_page_goes_on(page: Page, site: Site) -> None:
    send(page, "take it slowly")
    expect(page.locator("#hk-stop")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.hk-mine:not([data-id^=\"~\"])')")
    start = site.halt()
    expect(page.locator("#hk-stop")).to_be_hidden()
    expect(page.locator("#hk-working")).to_be_hidden()
    start()
    expect(page.locator(".hk-toast")).to_contain_text("Connected again", timeout=_FOUND_MS)

    page.get_by_role("button", name="Try again").click()
    replied(page)
    send(page, "crisis: at last")

    replied(page, 2)
    assert _said(site, page) == ["take it slowly", "crisis: at last"]


def test_a_newer_server_gets_its_own_page_and_what_was_written(page: Page, site: Site) -> None:
    send(page, "before")
    replied(page)
    start = site.halt(changed=True)
    send(page, "crisis: is anybody there")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    page.fill("#hk-message", "a draft")

    start()

    page.wait_for_function("() => history.state?.anew", timeout=_FOUND_MS)
    ready(page)
    replied(page, 2)
    expect(page.locator("#hk-message")).to_have_value("a draft")
    assert _said(site, page) == ["before", "crisis: is anybody there"]


def test_several_breaks_are_no_other_case(page: Page, site: Site) -> None:
    for count in (1, 2, 3):
        connect(page, offline=True)
        send(page, f"number {count}")
        expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
        connect(page)
        replied(page, count)

    assert _said(site, page) == ["number 1", "number 2", "number 3"]


def test_a_draft_outlives_a_reload_and_nothing_else(page: Page) -> None:
    page.fill("#hk-message", "half a thought")
    page.reload()
    ready(page)
    expect(page.locator("#hk-message")).to_have_value("half a thought")

    page.press("#hk-message", "Enter")
    replied(page)

    assert page.evaluate("sessionStorage.length") == 0


def test_what_was_on_its_way_is_sent_after_a_reload(page: Page, site: Site) -> None:
    connect(page, offline=True)
    send(page, "into the void")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    page.route("**/component_server*", lambda route: route.abort())
    connect(page)
    page.unroute("**/component_server*")

    page.reload()
    ready(page)

    replied(page)
    assert _said(site, page) == ["into the void"]


def test_what_was_on_its_way_long_ago_is_in_the_box_after_a_reload(page: Page) -> None:
    connect(page, offline=True)
    send(page, "into the void")
    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    page.evaluate(
        """() => {
          const kept = JSON.parse(sessionStorage.getItem('hearken.draft'));
          kept.letters[0].at -= 3600000;
          sessionStorage.setItem('hearken.draft', JSON.stringify(kept));
        }"""
    )
    connect(page)

    page.reload()
    ready(page)

    expect(page.locator("#hk-message")).to_have_value("into the void")
    expect(page.locator(".hk-item")).to_have_count(0)


def test_what_came_is_not_in_the_box_after_a_reload(page: Page) -> None:
    send(page, "take it slowly")
    page.wait_for_function("() => document.querySelector('.hk-mine:not([data-id^=\"~\"])')")

    page.reload()
    ready(page)

    expect(page.locator("#hk-message")).to_have_value("")
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("take it slowly")


def test_the_quick_exit_takes_the_draft_along(page: Page, site: Site) -> None:
    page.route("https://www.wikipedia.org/", lambda route: route.fulfill(body="elsewhere"))
    page.fill("#hk-message", "half a thought")

    page.click("#hk-leave")
    page.wait_for_url("https://www.wikipedia.org/")
    page.goto(site.url)

    assert page.evaluate("sessionStorage.length") == 0


def test_deleting_everything_deletes_what_waits(page: Page) -> None:
    send(page, "hello")
    replied(page)
    page.fill("#hk-message", "half a thought")
    page.click("#hk-settings")
    page.click("#hk-delete-all")
    with called(page, "delete_all"):
        page.locator("#hk-confirm-dialog [data-answer='yes']").click()
    expect(page.locator(".hk-toast")).to_contain_text("Everything was deleted")

    assert page.evaluate("sessionStorage.length") == 0


def test_a_stop_that_nobody_hears_ends_by_itself(open_page: OpenPage) -> None:
    page = open_page()
    send(page, "take it slowly")
    expect(page.locator("#hk-stop")).to_be_visible()
    connect(page, offline=True)

    page.click("#hk-stop")

    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    expect(page.locator("#hk-stop")).to_be_hidden()
    expect(page.locator("#hk-send")).to_be_visible()
    connect(page)


BRITISH = {"locale": "en-GB", "timezone_id": "Europe/London"}


def test_the_help_lines_are_there_without_a_connection(open_page: OpenPage) -> None:
    page = open_page(**BRITISH)
    connect(page, offline=True)

    page.click("#hk-help")

    expect(page.locator("#hk-help-body .hk-emergency a[href='tel:999']")).to_be_visible()
    expect(page.locator("#hk-help-body .hk-lines a[href='tel:116123']")).to_be_visible()
    page.keyboard.press("Escape")
    page.click("#hk-language")
    page.click("#hk-help")
    expect(page.locator("#hk-help-body")).to_contain_text("英国")
    expect(page.locator("#hk-help-body .hk-card-message")).to_contain_text("这些热线由真人接听")


def test_the_help_lines_are_there_before_any_call_is_answered(new_context: NewContext, site: Site) -> None:
    page = new_context(**BRITISH).new_page()
    page.route("**/gradio_api/**", lambda route: route.abort())
    page.goto(site.url)

    page.click("#hk-help")

    expect(page.locator("#hk-help-body a[href='tel:999']").first).to_be_visible()


def test_numbers_to_call_stand_beside_a_lost_connection(open_page: OpenPage) -> None:
    page = open_page(**BRITISH, viewport={"width": 375, "height": 553}, is_mobile=True, has_touch=True)
    connect(page, offline=True)

    send(page, "told to nobody")

    for number in ("tel:999", "tel:116123"):
        expect(page.locator(f".hk-toast a[href='{number}']")).to_be_in_viewport(ratio=1)
    expect(page.locator("#hk-alert")).to_contain_text("999")
    connect(page)
    replied(page)
    expect(page.locator(".hk-toast a")).to_have_count(0)


@pytest.mark.parametrize("size", [(375, 667), (390, 844), (1280, 800), (640, 400), (188, 334)])
def test_what_was_just_sent_is_seen_above_the_note_of_a_lost_connection(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(**BRITISH, viewport={"width": size[0], "height": size[1]})
    send(page, "crisis")
    replied(page)
    connect(page, offline=True)

    send(page, "are you there")

    note = page.locator(".hk-toast")
    expect(note).to_contain_text("The connection was lost")
    message = page.locator(".hk-mine .hk-bubble").last
    expect(message).to_have_text("are you there")
    expect(message).to_be_in_viewport(ratio=0.6)
    expect(page.locator("#hk-message")).to_be_in_viewport(ratio=0.9)
    assert message.evaluate("one => one.getBoundingClientRect().bottom") <= note.evaluate(
        "one => one.getBoundingClientRect().top"
    )


def test_the_note_of_a_lost_connection_repeats_no_numbers_of_the_card(open_page: OpenPage) -> None:
    page = open_page(**BRITISH)
    send(page, "crisis")
    replied(page)
    connect(page, offline=True)

    send(page, "are you there")

    expect(page.locator(".hk-toast")).to_contain_text("The connection was lost")
    expect(page.locator(".hk-toast a")).to_have_count(0)
    expect(page.locator("#hk-card-brief a[href='tel:999']")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="New conversation").click()
    send(page, "where is the card")
    expect(page.locator(".hk-toast a[href='tel:999']")).to_be_in_viewport(ratio=1)


def test_the_numbers_come_back_with_the_next_message_that_nobody_reads(open_page: OpenPage) -> None:
    page = open_page(**BRITISH)
    connect(page, offline=True)
    send(page, "told to nobody")
    page.locator(".hk-toast").get_by_role("button", name="Dismiss this message").click()
    expect(page.locator(".hk-toast")).to_have_count(0)

    send(page, "and this neither")

    expect(page.locator(".hk-toast a[href='tel:999']")).to_be_visible()


def test_a_country_that_could_not_be_chosen_does_not_stand_above_the_lines_of_another(
    open_page: OpenPage,
) -> None:
    page = open_page(**BRITISH)
    page.click("#hk-help")
    connect(page, offline=True)

    page.select_option("#hk-menu-country", "DE")

    expect(page.locator(".hk-toast")).to_contain_text("could not be saved")
    expect(page.locator("#hk-menu-country")).to_have_value("GB")
    expect(page.locator("#hk-help-body a[href='tel:999']").first).to_be_visible()
