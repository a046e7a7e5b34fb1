"""The pages of staff in a Chinese browser: no English word but names and what people wrote."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from safety.helplines import load_directory
from tests.browser.conftest import READY_MS
from tests.browser.staff_server import sign_in, staff_server
from tests.browser.staff_site import CALM, CRISIS, fill
from tests.browser.test_all_chinese import english
from tests.browser.test_insights import count

OWN = ("admin", "annotator", "a-model", CRISIS, CALM, "I miss our walks", "I hear you.")
"""Accounts, a checkpoint, and what was written in the conversations."""
NAMES = frozenset({"kto", "dpo", "jsonl", "excel", "utf", "krippendorff"})
STALE = tuple(f"{line.name} ({line.id})" for line in load_directory().stale(datetime.now(UTC).date(), "zh"))
"""Helplines that are to be checked: each is called what it calls itself, beside its id in the file."""
FRAME = ("Switch to English", "EN: switch to English", "EN", "English")


@pytest.fixture
def address(staff_database: URL) -> Iterator[str]:
    with staff_server(staff_database, fill, count) as server:
        yield server.url


def check(page: Page) -> list[str]:
    return english(page, *OWN, *STALE, *FRAME, names=NAMES)


def test_every_page_of_an_admin(address: str, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(reduced_motion="reduce", locale="zh-CN", timezone_id="Asia/Shanghai").new_page()
    page.goto(f"{address}/login")
    found = {"login": check(page)}
    page.fill("#username", "admin")
    page.fill("#password", "wrong wrong wrong")
    page.click("button")
    found["wrong"] = check(page)

    sign_in(page, address, "admin")
    expect(page.locator(".hk-queue button")).not_to_have_count(0, timeout=READY_MS)
    found["queue"] = check(page)
    page.click(".hk-queue button >> nth=0")
    expect(page.locator("#hk-case-facts h2")).to_be_visible()
    found["case"] = check(page)
    page.click("#hk-reveal")
    expect(page.locator("#hk-log mark")).to_have_count(1)
    expect(page.locator("#hk-risk svg")).to_be_visible()
    # The log is what people wrote, in pieces around the mark.
    page.locator("#hk-log .hk-found").evaluate("notes => notes.remove()")
    page.locator("#hk-log mark").evaluate("mark => mark.parentElement.remove()")
    found["revealed"] = check(page)

    page.goto(f"{address}/annotate")
    expect(page.locator('#hk-desk[aria-busy="false"] #hk-task')).to_be_attached(timeout=READY_MS)
    found["annotate"] = check(page)
    for one in page.locator("#hk-desk details").all():
        one.locator("summary").click()
    found["annotate, all open"] = check(page)

    page.goto(f"{address}/insights")
    page.locator(".hk-plot").first.wait_for(timeout=READY_MS)
    for one in page.locator("details").all():
        one.locator("summary").click()
    found["insights"] = check(page)

    page.goto(f"{address}/export")
    expect(page.locator("#hk-export")).to_be_visible(timeout=READY_MS)
    found["export"] = check(page)

    page.goto(f"{address}/staff")
    expect(page.get_by_text("annotator").first).to_be_visible(timeout=READY_MS)
    found["staff"] = check(page)

    page.goto(f"{address}/password")
    expect(page.locator("input[type=password]").first).to_be_visible()
    found["password"] = check(page)

    assert found == {name: [] for name in found}
