"""Pictures of the staff pages for the documentation; taken with the others."""

import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from sqlalchemy import URL

from app.db.migrate import upgrade
from tests.browser.conftest import DESK, PHONE, READY_MS
from tests.browser.staff_pictures import a_missed_danger, a_night_on_duty, ratings_of_two
from tests.browser.staff_server import Work, sign_in, staff_server


@dataclass(frozen=True)
class StaffShot:
    """One picture: its name, the rows behind it, what happens before, and how it is taken."""

    name: str
    rows: Work
    act: Callable[[Page], None]
    options: dict[str, Any] = field(default_factory=dict[str, Any])


def _queue(page: Page) -> None:
    page.wait_for_selector(".hk-queue button", timeout=READY_MS)


def _revealed(page: Page) -> None:
    _queue(page)
    page.click(".hk-queue button[data-level=imminent]")
    page.wait_for_selector("#hk-case-facts h2", timeout=READY_MS)
    page.click("#hk-reveal")
    page.wait_for_selector("#hk-log li", timeout=READY_MS)
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")


def _by_hand(page: Page) -> None:
    _queue(page)
    # The least urgent and the last to come.
    page.click(".hk-queue button >> nth=-1")
    page.wait_for_selector("#hk-case-facts :text('flagged by staff')", timeout=READY_MS)
    page.evaluate("document.querySelector('#hk-case-facts').scrollIntoView()")


def _exports(page: Page) -> None:
    page.goto(re.sub(r"/review.*", "/export/", page.url))
    page.wait_for_selector("#hk-export", timeout=READY_MS)
    page.wait_for_load_state("networkidle")


def _danger(page: Page) -> None:
    page.goto(re.sub(r"/review.*", "/annotate/", page.url))
    page.wait_for_selector('#hk-desk[aria-busy="false"] #hk-danger', timeout=READY_MS)
    if page.locator("#hk-danger-message label").count() == 1:
        # The first reply has only one message before it.
        page.keyboard.press("s")
        page.wait_for_selector("#hk-danger-message label >> nth=1", state="attached", timeout=READY_MS)
    page.keyboard.press("f")
    page.check("[name=danger-level][value=moderate]")
    page.check("[name=danger-category][value=suicide]")
    page.fill("#hk-danger-reason", "Everything in order and the cat given away: this reads like a farewell.")
    page.evaluate("document.querySelector('#hk-danger').scrollIntoView({ block: 'center' })")


TALL = {"viewport": {**DESK, "height": 1500}}
SMALL = {"viewport": PHONE, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
STAFF_SHOTS = (
    StaffShot("review", a_night_on_duty, _revealed, TALL),
    StaffShot("review-phone", a_night_on_duty, _by_hand, SMALL),
    StaffShot("export", ratings_of_two, _exports, TALL),
    StaffShot("export-phone", ratings_of_two, _exports, SMALL),
    StaffShot("annotate-danger", a_missed_danger, _danger, {"viewport": DESK}),
    StaffShot("annotate-danger-phone", a_missed_danger, _danger, SMALL),
)


def take_staff(browser: Browser, shot: StaffShot, save: Callable[[Page, str], None]) -> None:
    """Take one picture as an admin, over a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        url = URL.create("sqlite", database=str(Path(folder) / "staff.sqlite3"))
        with ThreadPoolExecutor(1) as apart:
            # The browser's event loop runs in this thread.
            apart.submit(upgrade, url).result()
        with staff_server(url, shot.rows) as server:
            usual = {"locale": "en-US", "reduced_motion": "reduce"}
            context = browser.new_context(**usual | shot.options)
            page = sign_in(context.new_page(), server.url, "admin")
            shot.act(page)
            page.evaluate("document.activeElement.blur()")
            page.wait_for_timeout(250)
            save(page, shot.name)
            context.close()
