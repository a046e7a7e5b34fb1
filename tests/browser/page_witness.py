"""Remembers what a page looked like after every change of its document."""

from playwright.sync_api import BrowserContext, Page

_WATCH = """(() => {
  const seen = { pages: [], replies: [] };
  Object.defineProperty(window, "hkWitness", { value: seen });
  const look = () => {
    if (!document.body) return;
    const copy = document.body.cloneNode(true);
    for (const one of copy.querySelectorAll("script, style, svg")) one.remove();
    const page = copy.innerHTML;
    if (page !== seen.pages.at(-1)) seen.pages.push(page);
    const reply = [...document.querySelectorAll(".hk-reply .hk-bubble")].at(-1)?.textContent ?? "";
    if (reply !== seen.replies.at(-1)) seen.replies.push(reply);
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
})()"""


def watch(context: BrowserContext) -> None:
    """Watch every page that this browser opens from now on."""
    context.add_init_script(_WATCH)


def pages_seen(page: Page) -> list[str]:
    """The markup of the body after each change, oldest first."""
    return list(page.evaluate("hkWitness.pages"))


def replies_seen(page: Page) -> list[str]:
    """The text of the last reply after each change of it, oldest first."""
    return list(page.evaluate("hkWitness.replies"))
