"""An admin downloads files, sees how far they are, and reads what staff disagree on, in a real browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from tests.browser.conftest import PHONE
from tests.browser.staff_server import sign_in, staff_server
from tests.browser.staff_site import CALM, fill
from tests.integration.app.db.store import Store

REASON = "Ethics vote 12/2026, missed crises"


async def add_ratings(store: Store) -> None:
    """Two raters who disagree on every reply."""
    for reply in [row for row in await store.contents("messages") if row["role"] == "assistant"]:
        await store.feedback.set_rating(reply["id"], "staff:ann", -1, ["generic"], "two\nlines")
        await store.feedback.set_rating(reply["id"], "staff:ben", 1)
        await store.feedback.set_rating(reply["id"], "staff:cim", 1)


@pytest.fixture
def address(staff_database: URL) -> Iterator[str]:
    """Address of a running server over a fresh database with ratings."""
    with staff_server(staff_database, fill, add_ratings) as server:
        yield server.url


@pytest.fixture
def page(address: str, new_context: Callable[..., BrowserContext]) -> Page:
    """The page as an admin sees it on a phone."""
    page = sign_in(new_context(viewport=PHONE, reduced_motion="reduce").new_page(), address, "admin")
    page.get_by_role("link", name="Exports").click()
    expect(page.locator("#hk-export")).to_be_visible()
    return page


def test_a_download_counts_its_rows_and_saves_the_whole_file(page: Page) -> None:
    with page.expect_download() as started:
        page.get_by_role("button", name="Download ratings.csv").press("Enter")
    assert started.value.suggested_filename == "hearken-ratings.csv"
    assert Path(started.value.path()).read_bytes().count(b"\r\n") == 1 + 6
    expect(page.locator("#hk-export-said")).to_have_text("Done: 6 rows. The file is among your downloads.")
    expect(page.locator("#hk-export-bar")).to_be_hidden()


def test_what_is_left_out_needs_a_reason(page: Page) -> None:
    page.get_by_label("Also conversations in which a crisis was noticed").check()
    page.get_by_label("Also conversations of persons who did not agree").check()
    button = page.get_by_role("button", name="Download kto.jsonl")
    button.click()
    assert page.locator("#hk-export [name=reason]").evaluate("field => !field.checkValidity()")
    page.locator("#hk-export").get_by_label("Reason").fill("                        because")
    button.click()
    expect(page.locator("#hk-export-said")).to_contain_text("This was refused.")
    page.locator("#hk-export").get_by_label("Reason").fill(REASON)
    with page.expect_download() as started:
        button.click()
    rows = [json.loads(line) for line in Path(started.value.path()).read_text("utf-8").splitlines()]
    assert [row["label"] for row in rows] == [True, True, True]


def test_staff_see_where_they_disagree_and_open_the_reply(page: Page) -> None:
    page.get_by_role("button", name="Show agreement").click()
    expect(page.get_by_role("row", name="Thumbs")).to_contain_text("2")
    expect(page.locator("#hk-disputed input")).to_have_count(2)
    page.check("#hk-disputed input >> nth=0")
    expect(page.locator("#hk-reply")).to_contain_text("I hear you.")
    expect(page.locator("#hk-reply")).to_contain_text(CALM)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def opened_dispute(page: Page) -> None:
    page.get_by_role("button", name="Show agreement").click()
    page.check("#hk-disputed input >> nth=0")
    expect(page.locator("#hk-reply")).to_contain_text(CALM)


def test_a_disputed_reply_is_judged_by_one_click(page: Page) -> None:
    opened_dispute(page)
    page.get_by_role("link", name="Judge this reply yourself").click()
    expect(page.locator("#hk-context")).to_contain_text(CALM)
    assert page.url.endswith("/annotate/")  # a reload or the next reply are not tied to the link
    page.get_by_label("👍 Good reply").check()
    page.click("#hk-save")
    expect(page.locator("#hk-progress")).to_contain_text("You have rated 1.")


def test_a_danger_seen_in_a_disputed_reply_is_flagged_by_hand(page: Page, address: str) -> None:
    opened_dispute(page)
    page.get_by_role("link", name="Somebody may be in danger here").click()
    expect(page.locator("#hk-danger")).to_have_attribute("open", "")
    page.get_by_label("Imminent").check()
    page.locator("#hk-danger-category input").first.check()
    page.get_by_label("Your reason, for the reviewers").fill("Says goodbye to everybody")
    page.get_by_role("button", name="Flag for review").click()
    expect(page.locator("#hk-notice")).to_contain_text("The conversation is flagged")
    page.goto(f"{address}/review/")
    expect(page.locator(".hk-queue button")).to_have_count(2)


def test_a_link_to_a_reply_that_may_not_be_rated_says_so(page: Page, address: str) -> None:
    page.goto(f"{address}/annotate/#rate=00000000-0000-4000-8000-000000000000")
    expect(page.locator("#hk-notice")).to_contain_text("This reply can't be rated any more")
    expect(page.locator("#hk-notice")).to_contain_text("There is nothing to rate at the moment")


def test_the_form_has_no_accessibility_fault(page: Page) -> None:
    page.get_by_role("button", name="Show agreement").click()
    expect(page.get_by_role("row", name="Thumbs")).to_be_visible()
    for part in ("#hk-export-form", "#hk-agreement"):
        found = Axe().run(page, context=part)
        assert found.response["violations"] == []


def test_the_reports_are_downloaded_from_the_page(page: Page) -> None:
    page.get_by_label("Year").fill("2026")
    with page.expect_download() as counts:
        page.get_by_role("button", name="Download referrals.csv").click()
    assert counts.value.suggested_filename == "hearken-referrals-2026.csv"
    verdicts = page.locator("#hk-verdicts")
    verdicts.get_by_label("Reason").fill("rules of the spring release")
    with page.expect_download() as found:
        page.get_by_role("button", name="Download verdicts.jsonl").click()
    assert found.value.suggested_filename == "hearken-verdicts.jsonl"
    assert "spring" not in found.value.url


def test_helplines_that_have_to_be_checked_are_named_above_the_page(page: Page) -> None:
    expect(page.get_by_role("complementary", name="To look after")).to_contain_text("cn-12338")
