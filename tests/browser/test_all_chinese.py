"""A person's pages in a Chinese browser: no English word but names and what the person wrote."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, replied, send

_WORD = re.compile(r"[A-Za-z][A-Za-z'’]+")
_ADDRESS = re.compile(r"https?://\S+|[\w.-]+\.[a-z]{2,}")
_NAMES = frozenset({"hearken", "whatsapp", "cookie", "json", "csv", "utc", "enter", "shift", "esc"})
"""Names of things, of file formats and of keys."""
_DIRECTORY = "Find A Helpline"
"""An international directory, which has no Chinese name."""
_SWITCH = ("EN: switch to English", "EN")
"""The way out of Chinese is in English."""
_VISIBLE = """() => {
  const found = [];
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const walk = (node) => {
    if (!seen(node) || ["SCRIPT", "STYLE", "TEXTAREA"].includes(node.tagName)) return;
    if (node.closest("[lang]")?.lang.startsWith("en")) return;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      if (node.hasAttribute(name)) found.push(node.getAttribute(name));
    }
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) found.push(child.data);
      if (child.nodeType === Node.ELEMENT_NODE) walk(child);
    }
  };
  walk(document.body);
  return [document.title, ...found];
}"""


def english(page: Page, *own: str, names: frozenset[str] = frozenset()) -> list[str]:
    """Texts that hold an English word; ``own`` is what people wrote, ``names`` are further names."""
    found: list[str] = []
    for text in page.evaluate(_VISIBLE):
        rest = text
        for one in (*own, _DIRECTORY):
            rest = rest.replace(one, "")
        words = {word.casefold() for word in _WORD.findall(_ADDRESS.sub("", rest))}
        if words - _NAMES - names:
            found.append(" ".join(text.split()))
    return found


def test_the_pages_of_a_person(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN", timezone_id="Asia/Shanghai", reduced_motion="reduce")
    found = {"first screen": english(page, *_SWITCH)}
    mine = ("fail", "最近很累", "我不想活了")
    send(page, "最近很累")
    replied(page)
    page.get_by_role("button", name="没有帮助").click()
    page.wait_for_selector(".hk-reasons")
    found["rating"] = english(page, *_SWITCH)
    send(page, "我不想活了")
    replied(page, 2)
    expect(page.locator("#hk-card")).to_be_visible()
    found["crisis"] = english(page, *_SWITCH)
    for opener in ("#hk-help", "#hk-settings"):
        page.click(opener)
        page.wait_for_selector("dialog[open] a")
        found[opener] = english(page, *_SWITCH)
        page.locator("dialog[open]").get_by_role("button", name="关闭").first.click()
    send(page, "fail")
    page.wait_for_selector(".hk-trouble")
    found["failed"] = english(page, *mine, *_SWITCH)
    page.set_content(page.request.get(page.url + "api/me/conversations.html").text())
    found["download"] = english(page, *mine)
    assert found == {name: [] for name in found}
