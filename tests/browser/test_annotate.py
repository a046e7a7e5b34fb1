"""Annotators work with the keyboard alone, in a real browser, over real databases."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlalchemy import URL

from app.db.engine import create_engine, session_factory
from app.db.migrate import upgrade
from safety.levels import RiskCategory, RiskLevel
from tests.browser.conftest import PHONE, READY_MS
from tests.browser.staff_server import sign_in, staff_server
from tests.browser.staff_site import fill
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store
from tests.integration.postgres import a_server

MANY = 50


def apart(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run something in a thread of its own: the browser's event loop runs in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


async def add_replies(store: Store, count: int) -> None:
    """Replies beside the two of a filled site, each with two candidates to rank."""
    person = await store.person()
    await store.persons.update(person.id, consent=True)
    session = await store.session(person)
    for number in range(count):
        store.clock.advance(seconds=1)
        await store.turn(session, f"message {number}", {"validation": 1}, {"advice": 2})


async def contents(url: URL, table: str) -> list[dict[str, Any]]:
    engine = create_engine(url)
    rows = await a_store(session_factory(engine), FakeClock()).contents(table)
    await engine.dispose()
    return rows


def rows_of(url: URL, table: str) -> list[dict[str, Any]]:
    """All rows of a table as they are now."""
    return apart(lambda: contents(url, table))


@contextmanager
def served(url: URL, replies: int) -> Iterator[str]:
    """Address of a server over this migrated database, filled with so many replies to rate."""
    with staff_server(url, fill, lambda store: add_replies(store, replies - 2)) as server:
        yield server.url


@pytest.fixture
def database(staff_database: URL) -> URL:
    return staff_database


NewContext = Callable[..., BrowserContext]


def opened(address: str, new_context: NewContext, name: str = "annotator", **options: object) -> Page:
    page = new_context(reduced_motion="reduce", **options).new_page()
    sign_in(page, address, name)
    if name == "admin":
        page.goto(f"{address}/annotate")
    return ready(page)


def ready(page: Page) -> Page:
    """Wait until the page takes keys."""
    expect(page.locator('#hk-desk[aria-busy="false"] #hk-task')).to_be_attached(timeout=READY_MS)
    return page


def shown(page: Page) -> str:
    ready(page)
    return page.locator("#hk-task").get_attribute("data-shown") or ""


def on_to_the_next(page: Page, before: str) -> None:
    expect(page.locator("#hk-task")).not_to_have_attribute("data-shown", before)
    ready(page)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def option(page: Page, name: str, value: object) -> Locator:
    return page.locator(f'input[name="{name}"][value="{value}"]')


def test_fifty_replies_are_rated_by_keyboard_alone_and_none_is_lost(
    database: URL, new_context: NewContext
) -> None:
    expected: dict[str, tuple[int, list[str]]] = {}
    with served(database, MANY) as address:
        page = opened(address, new_context)
        for number in range(MANY):
            reply = shown(page)
            assert reply
            if number % 2:
                press(page, "d", "2", "7", "Enter")
                expected[reply] = (-1, ["generic", "other"])
            else:
                press(page, "u", "Enter")
                expected[reply] = (1, [])
            on_to_the_next(page, reply)
        expect(page.locator("#hk-progress")).to_contain_text(f"You have rated {MANY}. 0 are waiting")
    rows = rows_of(database, "feedback")
    assert {row["message_id"]: (row["value"], row["reasons"]) for row in rows} == expected
    assert len(expected) == MANY


@pytest.mark.postgres
def test_a_reply_is_rated_by_keyboard_alone_on_postgresql(new_context: NewContext) -> None:
    with a_server() as url:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(upgrade, url).result()
        with served(url, 3) as address:
            page = opened(address, new_context)
            reply = shown(page)
            press(page, "u", "e", "4", "5", "Enter")
            on_to_the_next(page, reply)
        (rating,) = rows_of(url, "feedback")
        scores = {row["measure"]: row["value"] for row in rows_of(url, "scores")}
    assert (rating["message_id"], rating["value"]) == (reply, 1)
    assert scores == {"empathy.validating_emotions": 4, "empathy.encouraging_elaboration": 5}


@pytest.fixture
def address(database: URL) -> Iterator[str]:
    with served(database, 3) as address:
        yield address


def test_undo_takes_back_the_rating_with_its_scores_and_shows_the_reply_again(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    press(page, "u", "e", "1", "Enter")
    on_to_the_next(page, reply)
    press(page, "z")
    expect(page.locator("#hk-task")).to_have_attribute("data-shown", reply)
    ready(page)
    assert rows_of(database, "feedback") == []
    assert rows_of(database, "scores") == []
    history = rows_of(database, "score_history")
    assert [row["value"] for row in sorted(history, key=lambda row: row["at"])] == [1, None]


def test_one_slip_in_a_rating_that_was_taken_back_is_mended_without_giving_the_rest_again(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    press(page, "d", "2", "e", "4", "5", "t", "3", "c")
    page.keyboard.type("flat")
    press(page, "Escape", "Enter")
    on_to_the_next(page, reply)
    before = {row["measure"]: row["value"] for row in rows_of(database, "scores")}
    press(page, "z")
    expect(page.locator("#hk-task")).to_have_attribute("data-shown", reply)
    ready(page)
    expect(page.locator("#hk-notice")).to_contain_text("with what you had given")
    expect(option(page, "reason", "generic")).to_be_checked()
    expect(option(page, "empathy.validating_emotions", 4)).to_be_checked()
    page.reload()
    assert shown(page) == reply
    option(page, "empathy.validating_emotions", 2).check(force=True)
    page.click("#hk-save")
    on_to_the_next(page, reply)
    (rating,) = rows_of(database, "feedback")
    assert (rating["value"], rating["reasons"], rating["comment"]) == (-1, ["generic"], "flat")
    after = {row["measure"]: row["value"] for row in rows_of(database, "scores")}
    assert after == before | {"empathy.validating_emotions": 2}


def test_a_thumb_down_asks_for_a_reason_and_goes_on_by_keyboard(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    press(page, "d", "Enter")
    expect(page.locator("#hk-notice")).to_contain_text("at least one reason")
    expect(page.locator("#hk-reasons")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#hk-reasons input").first).to_be_focused()
    ready(page)
    assert (shown(page), rows_of(database, "feedback")) == (reply, [])
    press(page, "7")
    expect(page.locator("#hk-reasons")).not_to_have_attribute("aria-invalid", "true")
    press(page, "Enter")
    on_to_the_next(page, reply)
    (rating,) = rows_of(database, "feedback")
    assert rating["reasons"] == ["other"]


def test_a_ranking_says_which_candidate_has_no_place_and_goes_on_there(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    press(page, "r")
    cards = page.locator("[data-candidate]")
    expect(cards).to_have_count(2)
    ready(page)
    press(page, "1", "ArrowUp", "Enter")
    expect(page.locator("#hk-notice")).to_contain_text("Still without a place: B.")
    expect(cards.nth(1)).to_be_focused()
    ready(page)
    press(page, "2", "Enter")
    expect(page.locator("#hk-progress")).to_contain_text("You have ranked 1.")
    ready(page)
    press(page, "z")
    ready(page)
    expect(cards.nth(1).locator("input[value='2']")).to_be_checked()
    assert rows_of(database, "ranking_places") == []


def test_corrected_tags_are_stored_with_the_ones_left_as_they_were(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    press(page, "u", "t", "3", "4", "Enter")  # advice on, validation off
    on_to_the_next(page, reply)
    scores = {row["measure"]: row["value"] for row in rows_of(database, "scores")}
    assert len(scores) == 10
    assert {measure for measure, value in scores.items() if value} == {"tactic.advice"}


def test_tags_that_nobody_touched_are_not_stored(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    press(page, "u", "t", "Enter")
    on_to_the_next(page, reply)
    assert rows_of(database, "scores") == []


def test_keys_rest_while_a_remark_is_written(address: str, database: URL, new_context: NewContext) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    press(page, "u", "c")
    page.keyboard.type("sad zebras drew 12")
    assert shown(page) == reply
    press(page, "Escape", "Enter")
    on_to_the_next(page, reply)
    (rating,) = rows_of(database, "feedback")
    assert (rating["value"], rating["comment"]) == (1, "sad zebras drew 12")


def test_a_reload_shows_the_same_reply(address: str, new_context: NewContext) -> None:
    page = opened(address, new_context)
    first = shown(page)
    press(page, "s")
    on_to_the_next(page, first)
    second = shown(page)
    page.reload()
    assert shown(page) == second


def test_two_windows_that_change_different_fields_of_a_reply_lose_none(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    other = page.context.new_page()
    other.goto(f"{address}/annotate")
    reply = shown(page)
    assert shown(other) == reply
    press(page, "d", "2", "e", "3", "Enter")
    on_to_the_next(page, reply)
    press(other, "d", "2", "c")
    other.keyboard.type("flat")
    press(other, "Escape", "t", "3", "Enter")
    on_to_the_next(other, reply)
    (rating,) = rows_of(database, "feedback")
    scores = {row["measure"]: row["value"] for row in rows_of(database, "scores")}
    assert (rating["value"], rating["reasons"], rating["comment"]) == (-1, ["generic"], "flat")
    assert scores["empathy.validating_emotions"] == 3
    assert scores["tactic.advice"] == 1


def test_a_reply_without_a_thumb_stays_on_the_screen(address: str, new_context: NewContext) -> None:
    page = opened(address, new_context)
    reply = shown(page)
    page.locator("#hk-comment-text").focus()
    press(page, "Escape", "Enter")
    expect(page.locator("#hk-notice")).to_contain_text("Choose thumbs up or down first")
    expect(page.locator("#hk-notice")).to_be_in_viewport()
    expect(option(page, "value", 1)).to_be_focused()
    expect(page.locator("#hk-rating")).to_have_attribute("aria-invalid", "true")
    assert shown(page) == reply
    press(page, "d")
    expect(page.locator("#hk-rating")).not_to_have_attribute("aria-invalid", "true")


def test_nothing_is_cut_off_on_a_phone(address: str, new_context: NewContext) -> None:
    page = opened(address, new_context, viewport=PHONE)
    press(page, "d", "e", "t")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_question_mark_shows_the_keys(address: str, new_context: NewContext) -> None:
    page = opened(address, new_context)
    expect(page.locator("#hk-key-list")).to_be_hidden()
    press(page, "?")
    expect(page.locator("#hk-key-list")).to_be_visible()
    expect(page.locator("#hk-key-list")).to_contain_text(re.compile("save and go on"))


def test_candidates_are_ranked_by_keyboard_in_an_order_that_a_reload_keeps(
    address: str, database: URL, new_context: NewContext
) -> None:
    page = opened(address, new_context)
    press(page, "r")
    cards = page.locator("[data-candidate]")
    expect(cards).to_have_count(2)
    ready(page)
    order = [cards.nth(number).get_attribute("data-candidate") for number in range(2)]
    reply = shown(page)
    page.reload()
    expect(cards).to_have_count(2)
    assert shown(page) == reply
    assert [cards.nth(number).get_attribute("data-candidate") for number in range(2)] == order
    press(page, "2", "1", "Enter")
    expect(page.locator("#hk-progress")).to_contain_text("You have ranked 1. 0 are waiting")
    ready(page)
    places = {row["candidate_id"]: row["place"] for row in rows_of(database, "ranking_places")}
    assert [places[str(one)] for one in order] == [2, 1]
    press(page, "z")
    expect(cards).to_have_count(2)
    ready(page)
    assert rows_of(database, "ranking_places") == []


def test_only_an_admin_sees_results_of_rankings(address: str, new_context: NewContext) -> None:
    for name, count in (("annotator", 0), ("admin", 1)):
        page = opened(address, new_context, name)
        press(page, "r")
        expect(page.locator("[data-mode=rank]")).to_have_attribute("aria-pressed", "true")
        ready(page)
        expect(page.locator("#hk-results h2")).to_have_count(count)


def test_keys_of_a_rating_do_nothing_when_all_replies_are_rated(
    database: URL, new_context: NewContext
) -> None:
    with served(database, 1) as address:
        page = opened(address, new_context)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(error.message))
        while reply := shown(page):
            press(page, "u", "Enter")
            on_to_the_next(page, reply)
        expect(page.locator("#hk-notice")).to_be_focused()
        press(page, "u", "d", "1", "e", "5", "t", "0", "y", "c", "ArrowDown", "Enter")
        press(page, "?")
        expect(page.locator("#hk-key-list")).to_be_visible()
        assert errors == []


@pytest.mark.parametrize(
    ("locale", "thanks"), [("en-US", "The conversation is flagged"), ("zh-CN", "此对话已标记")]
)
@pytest.mark.parametrize("ranking", [False, True])
def test_a_missed_danger_is_flagged_by_keyboard_alone(
    database: URL, new_context: NewContext, locale: str, thanks: str, ranking: bool
) -> None:
    with served(database, 3) as address:
        page = opened(address, new_context, locale=locale)
        if ranking:
            press(page, "r")
            expect(page.locator("#hk-task [data-candidate]").first).to_be_visible()
        reply = shown(page)
        press(page, "f")
        expect(page.locator("#hk-danger")).to_have_attribute("open", "")
        # Message, level, category, reason, button.
        press(page, "Tab", "Tab", "Space", "ArrowDown", "Tab", "Space", "Tab")
        page.keyboard.type("users should skip zero of this")
        press(page, "Tab", "Enter")
        expect(page.locator("#hk-notice")).to_contain_text(thanks)
        assert shown(page) != reply
    (flag,) = [row for row in rows_of(database, "flags") if row["message_id"] in missed_in(database)]
    (note,) = rows_of(database, "flag_notes")
    assert (flag["level"], flag["category"]) == (RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    assert (note["flag_id"], note["text"]) == (flag["id"], "users should skip zero of this")
    assert rows_of(database, "feedback") == rows_of(database, "rankings") == []


def missed_in(database: URL) -> set[str]:
    return {row["message_id"] for row in rows_of(database, "missed_messages")}


def test_the_form_asks_for_what_is_missing_and_escape_leaves_it(
    database: URL, new_context: NewContext
) -> None:
    with served(database, 2) as address:
        page = opened(address, new_context)
        reply = shown(page)
        press(page, "f", "Tab", "Enter")
        expect(page.locator("#hk-danger-said")).to_contain_text("Choose message, level and category")
        expect(page.locator("#hk-danger-level input").first).to_be_focused()
        for name in ("level", "category", "reason"):
            expect(page.locator(f"#hk-danger-{name}")).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#hk-danger-message")).not_to_have_attribute("aria-invalid", "true")
        press(page, "Space")
        expect(page.locator("#hk-danger-level")).not_to_have_attribute("aria-invalid", "true")
        page.locator("#hk-danger-save").click()
        expect(page.locator("#hk-danger-category input").first).to_be_focused()
        expect(page.locator("#hk-danger-said")).to_be_in_viewport()
        press(page, "Escape")
        expect(page.locator("#hk-danger")).not_to_have_attribute("open", "")
        assert shown(page) == reply
        press(page, "u", "Enter")
        on_to_the_next(page, reply)
    assert rows_of(database, "missed_messages") == []
