"""English and Chinese."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, ready, replied, send


def test_a_chinese_browser_gets_chinese_from_the_first_moment(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN")

    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.get_by_role("heading", name="你在想些什么？")).to_be_visible()
    expect(page.get_by_role("button", name="发送")).to_be_visible()


def test_the_switch_changes_everything_at_once_and_keeps_the_draft(page: Page) -> None:
    send(page, "hello")
    replied(page)
    page.fill("#hk-message", "half a thought")

    page.get_by_role("button", name="切换到中文").click()

    expect(page.get_by_role("button", name="发送")).to_be_visible()
    expect(page.get_by_role("button", name="换一个回复")).to_be_visible()
    expect(page.locator("#hk-message")).to_have_value("half a thought")


def test_the_choice_stays_after_a_reload(page: Page) -> None:
    page.get_by_role("button", name="切换到中文").click()
    expect(page.get_by_role("button", name="发送")).to_be_visible()

    page.reload()
    ready(page)

    expect(page.get_by_role("button", name="发送")).to_be_visible()


def test_a_chinese_person_is_told_that_the_model_reads_english_only(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN")

    expect(page.locator("#hk-first-notice")).to_contain_text("模型只懂英文")


def test_the_card_follows_the_language(page: Page) -> None:
    send(page, "crisis: I want to end it")
    replied(page)

    page.get_by_role("button", name="切换到中文").click()

    expect(page.get_by_role("region", name="求助热线")).to_contain_text("拨打 911")


def test_nothing_that_was_said_stays_in_the_other_language(page: Page) -> None:
    send(page, "hello")
    replied(page)
    page.select_option("#hk-style", "brief")
    expect(page.locator("#hk-status")).to_contain_text("From the next reply on")

    page.click("#hk-language")

    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    for place in ("#hk-status", "#hk-alert", "#hk-toasts"):
        expect(page.locator(place)).to_have_text("")
