"""Everything with the keyboard alone."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, ready, replied, send

MAX_STOPS = 60


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(MAX_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    message = f"the keyboard never reached {selector}"
    raise AssertionError(message)


def test_a_conversation_can_be_held_without_a_mouse(page: Page) -> None:
    _tab_to(page, "#hk-message")
    page.keyboard.type("hello")
    page.keyboard.press("Enter")
    replied(page)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")

    expect(page.locator("[data-rate='1']")).to_be_focused()


def test_shift_enter_starts_a_new_line(page: Page) -> None:
    page.focus("#hk-message")
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")

    expect(page.locator("#hk-message")).to_have_value("one\ntwo")


def test_enter_picks_a_word_while_an_input_method_composes(page: Page) -> None:
    page.focus("#hk-message")
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "nihao", "selectionStart": 5, "selectionEnd": 5})
    page.evaluate(
        """document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))"""
    )
    expect(page.locator(".hk-item")).to_have_count(0)

    session.send("Input.insertText", {"text": "你好"})
    page.keyboard.press("Enter")

    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("你好")


def test_every_control_shows_where_the_focus_is(page: Page) -> None:
    send(page, "crisis")
    replied(page)
    page.reload()
    ready(page)
    bare: list[str] = []
    for _ in range(MAX_STOPS):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const one = document.activeElement;
              if (one === document.body) return 'end';
              const outlined = [one, one.closest('.hk-box')].some((part) =>
                part && getComputedStyle(part).outlineStyle !== 'none');
              return outlined ? null : one.outerHTML.slice(0, 80);
            }"""
        )
        if found == "end":
            break
        if found:
            bare.append(found)

    assert bare == []


def test_every_control_has_a_name(page: Page) -> None:
    send(page, "crisis")
    replied(page)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, textarea')].filter((one) => {
          const label = one.labels && one.labels[0] ? one.labels[0].textContent : '';
          return !(one.getAttribute('aria-label') || one.textContent.trim() || label.trim());
        }).map((one) => one.outerHTML.slice(0, 100))"""
    )

    assert nameless == []


def test_a_dialog_gives_the_focus_back(page: Page) -> None:
    page.get_by_role("button", name="Privacy and settings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Privacy and settings")).to_be_visible()

    page.keyboard.press("Escape")

    expect(page.get_by_role("button", name="Privacy and settings")).to_be_focused()


def test_start_and_end_of_a_reply_are_said_once(page: Page) -> None:
    page.evaluate(
        """() => {
          window.said = [];
          const box = document.getElementById('hk-status');
          new MutationObserver(() => window.said.push(box.textContent)).observe(box, { childList: true });
        }"""
    )

    send(page, "please give a long reply")
    replied(page)

    said = page.evaluate("window.said")
    assert len(said) == 2
    assert said[0] == "Hearken is thinking"
    assert said[1].startswith("Hearken replied: This is part 0")


def test_the_menu_of_a_phone_closes_with_escape(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.get_by_role("button", name="Conversations and settings").press("Enter")

    page.keyboard.press("Escape")

    expect(page.get_by_role("button", name="Conversations and settings")).to_be_focused()
    expect(page.get_by_role("button", name="New conversation")).to_be_hidden()
