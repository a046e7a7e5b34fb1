"""The research question: put once, beside the message box, never near a crisis, and changed at any time."""

from playwright.sync_api import Page, expect

from app.db.records import Person
from tests.browser.conftest import PHONE, OpenPage, Site, called, ready, replied, send


def _after_three_replies(page: Page) -> None:
    for count in (1, 2, 3):
        send(page, f"message {count}")
        replied(page, count)


def _person(page: Page, site: Site) -> Person:
    session = page.evaluate("history.state.conversation")
    return site.conversations.persons[site.conversations.sessions[session].person_id]


def test_it_is_put_after_some_replies_and_not_before(page: Page) -> None:
    for count in (1, 2):
        with called(page, "ask_consent"):
            send(page, "hello")
            replied(page, count)
        expect(page.locator("#hk-ask")).to_be_hidden()
    send(page, "hello")

    expect(page.get_by_role("region", name="May your conversations help")).to_be_visible()
    expect(page.locator("#hk-ask-spoken")).to_contain_text("You need not answer")


def test_yes_and_no_look_alike_and_both_are_one_press(page: Page, site: Site) -> None:
    _after_three_replies(page)
    yes, no = page.locator("#hk-ask-yes"), page.locator("#hk-ask-no")
    expect(yes).to_be_visible()
    one, other = yes.bounding_box(), no.bounding_box()
    assert one is not None
    assert other is not None
    assert abs(one["width"] - other["width"]) < 1
    assert abs(one["height"] - other["height"]) < 1

    no.click()

    expect(page.locator("#hk-ask")).to_be_hidden()
    assert not _person(page, site).consent
    assert _person(page, site).consent_at is not None


def test_it_does_not_hold_up_the_chat(page: Page) -> None:
    _after_three_replies(page)
    expect(page.locator("#hk-ask")).to_be_visible()
    expect(page.locator("#hk-message")).to_be_focused()

    send(page, "I just go on")
    replied(page, 4)

    expect(page.locator("#hk-ask")).to_be_visible()


def test_it_is_put_once_even_when_it_was_not_answered(page: Page, site: Site) -> None:
    _after_three_replies(page)
    expect(page.locator("#hk-ask")).to_be_visible()
    page.reload()
    ready(page)
    send(page, "and another")
    replied(page, 4)
    send(page, "and one more")
    replied(page, 5)

    expect(page.locator("#hk-ask")).to_be_hidden()
    assert _person(page, site).consent_at is None


def test_it_is_never_put_after_a_crisis(page: Page, site: Site) -> None:
    send(page, "crisis")
    replied(page)
    for count in (2, 3, 4):
        send(page, "hello")
        replied(page, count)

    expect(page.locator("#hk-ask")).to_be_hidden()
    assert _person(page, site).consent_asked_at is None


def test_it_makes_room_for_help_lines(page: Page) -> None:
    _after_three_replies(page)
    expect(page.locator("#hk-ask")).to_be_visible()

    send(page, "crisis")

    expect(page.locator("#hk-card")).to_be_visible()
    expect(page.locator("#hk-ask")).to_be_hidden()


def test_the_answer_and_its_date_are_shown_and_can_be_changed(page: Page, site: Site) -> None:
    _after_three_replies(page)
    page.locator("#hk-ask-yes").click()
    page.get_by_role("button", name="Privacy and settings").click()
    expect(page.locator("#hk-consent-state")).to_contain_text("You agreed")
    expect(page.locator("#hk-consent-state")).to_have_text(f"You agreed on {_day(page, site)}.")

    page.get_by_label("My conversations may be used").uncheck()

    expect(page.locator("#hk-consent-state")).to_contain_text("You said no")
    expect(page.locator("#hk-consent-state")).to_have_text(f"You said no on {_day(page, site)}.")
    assert not _person(page, site).consent
    page.reload()
    ready(page)
    page.get_by_role("button", name="Privacy and settings").click()
    expect(page.get_by_label("My conversations may be used")).not_to_be_checked()
    expect(page.locator("#hk-consent-state")).to_contain_text("You said no on")


def test_it_is_put_in_chinese_on_a_phone_by_keyboard(open_page: OpenPage, site: Site) -> None:
    page = open_page(viewport=PHONE, locale="zh-CN")
    _after_three_replies(page)
    expect(page.locator("#hk-ask h2")).to_have_text("可以用你的对话来改进 Hearken 吗？")
    expect(page.locator("#hk-ask")).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#hk-ask-no")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#hk-message")).to_be_focused()
    assert not _person(page, site).consent


def test_the_rule_of_deletion_is_told_with_its_number_of_days(page: Page) -> None:
    page.get_by_role("button", name="Privacy and settings").click()

    expect(page.locator("#hk-settings-dialog")).to_contain_text("not used for 180 days is deleted by itself")
    expect(page.locator("#hk-settings-dialog")).to_contain_text("After deleting, two things are left")


def _day(page: Page, site: Site) -> str:
    """The day of the stored answer as the person's calendar has it."""
    at = _person(page, site).consent_at
    assert at is not None
    day = page.evaluate("at => new Date(at).toLocaleDateString('en', { dateStyle: 'long' })", at.isoformat())
    return str(day)
