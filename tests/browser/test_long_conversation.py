"""A conversation of 200 turns stays quick: a new turn touches nothing of the earlier ones."""

import uuid

from playwright.sync_api import Page, expect

from app.chat.session import Shown
from tests.browser.conftest import Site, ready, replied, send

TURNS = 200


def _fill(page: Page, site: Site) -> None:
    session = page.evaluate("history.state.conversation")
    messages = site.conversations.messages[session]
    for index in range(TURNS - 1):
        for role in ("user", "assistant"):
            text = f"{role} {index}: " + "a sentence of a usual length, as people write them. " * 4
            messages.append(Shown(str(uuid.uuid4()), role, text, "answered", None, None, (), None))


def test_two_hundred_turns_open_and_a_new_one_leaves_the_earlier_ones_alone(page: Page, site: Site) -> None:
    send(page, "the first")
    replied(page)
    _fill(page, site)
    page.reload()
    ready(page)
    expect(page.locator(".hk-item")).to_have_count(2 * TURNS)
    page.evaluate(
        """() => {
          window.touched = new Set();
          const items = [...document.querySelectorAll('.hk-item')];
          const watch = new MutationObserver((changes) => changes.forEach(({ target }) => {
            items.forEach((item, index) => item.contains(target) && window.touched.add(index));
          }));
          const all = { attributes: true, characterData: true, childList: true, subtree: true };
          watch.observe(document.getElementById('hk-items'), all);
        }"""
    )

    send(page, "please give a long reply")
    replied(page, TURNS + 1)

    expect(page.locator(".hk-item").last).to_be_in_viewport()
    # What was the last message and the last reply are not any more; nothing else is worked on.
    assert set(page.evaluate("[...window.touched]")) <= {2 * TURNS - 2, 2 * TURNS - 1}
