"""Pictures of the pages for the documentation: ``python -m tests.browser.screenshots [FOLDER [NAME …]]``.

They show the chat page over the world in memory and the staff pages over a filled database, so that they need
no model; only the times differ.
"""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from safety.helplines import load_directory
from tests.browser.conftest import CHROMIUM, CHROMIUM_ARGS, DESK, PHONE, chat_server, ready, replied, send
from tests.browser.staff_screenshots import STAFF_SHOTS, take_staff
from tests.fakes.chat_world import FakeConversations, FakeTurns

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"
EVENING = "I came home and just sat in the dark for an hour. I don't know why everything feels so heavy."
SISTER = "It started when my sister moved away."
WAITING = "We used to talk every evening."
CRISIS = "I don't want to be here anymore."
CHINESE = "最近总是睡不着，一想到考试就很紧张。"
CHINESE_CRISIS = "我真的很累，不想活了。"


@dataclass(frozen=True)
class Shot:
    """One picture: its name, the browser it is taken with, and what happens before."""

    name: str
    act: Callable[[Page], None]
    options: dict[str, Any] = field(default_factory=dict[str, Any])


def _nothing(page: Page) -> None:
    page.wait_for_timeout(100)


def _talk(page: Page) -> None:
    send(page, EVENING)
    replied(page)
    send(page, SISTER)
    replied(page, 2)


def _crisis(page: Page) -> None:
    send(page, EVENING)
    replied(page)
    send(page, CRISIS)
    replied(page, 2)


def _thinking(page: Page) -> None:
    _talk(page)
    send(page, WAITING)
    page.wait_for_timeout(400)


def _chinese(page: Page) -> None:
    send(page, CHINESE)
    replied(page)


def _chinese_crisis(page: Page) -> None:
    _chinese(page)
    send(page, CHINESE_CRISIS)
    replied(page, 2)


def _rating(page: Page) -> None:
    send(page, EVENING)
    replied(page)
    page.click("[data-rate='-1']")
    page.check("[value=premature_advice]")


def _menu(page: Page) -> None:
    _talk(page)
    page.click("#hk-menu")
    page.wait_for_timeout(400)


def _settings(page: Page) -> None:
    _talk(page)
    page.click("#hk-settings")


def _help(page: Page) -> None:
    page.click("#hk-help")
    page.wait_for_selector("#hk-help-body .hk-lines")


DARK = {"color_scheme": "dark"}
SMALL = {"viewport": PHONE, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
ZH = {"locale": "zh-CN"}
SHOTS = (
    Shot("start", _nothing),
    Shot("chat-light", _talk),
    Shot("chat-dark", _talk, DARK),
    Shot("chat-phone", _talk, SMALL),
    Shot("chat-phone-dark", _talk, SMALL | DARK),
    Shot("menu-phone", _menu, SMALL),
    Shot("crisis-light", _crisis),
    Shot("crisis-phone", _crisis, SMALL),
    Shot("crisis-dark", _crisis, DARK),
    Shot("chinese", _chinese, ZH),
    Shot("crisis-chinese-phone", _chinese_crisis, SMALL | ZH),
    Shot("thinking", _thinking),
    Shot("rating", _rating),
    Shot("settings", _settings),
    Shot("help-lines", _help),
)


def take(browser: Browser, url: str, shot: Shot, folder: Path) -> None:
    """Take one picture as a new person."""
    usual = {"viewport": DESK, "locale": "en-US", "reduced_motion": "reduce"}
    context = browser.new_context(**usual | shot.options)
    page = context.new_page()
    page.goto(url)
    ready(page)
    shot.act(page)
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(250)
    save(page, shot.name, folder)
    context.close()


def save(page: Page, name: str, folder: Path) -> None:
    """Store what the browser shows."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # 128 colours are enough for these pictures and a third of the size.
    picture.quantize(128, method=Image.Quantize.MEDIANCUT).save(folder / f"{name}.png", optimize=True)


def main() -> None:
    """Take all pictures, or those whose names follow the folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    wanted = set(sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    conversations = FakeConversations(load_directory(None))
    server = chat_server(conversations, FakeTurns(conversations, step_s=0.0))
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(CHROMIUM_ARGS))
        for shot in SHOTS:
            if not wanted or shot.name in wanted:
                take(browser, f"{server.url}/", shot, folder)
        for shot in STAFF_SHOTS:
            if not wanted or shot.name in wanted:
                take_staff(browser, shot, lambda page, name: save(page, name, folder))
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()
