"""Figures of the insights page against small data that was counted by hand."""

from datetime import UTC, datetime

import pytest

from app.db.engine import SessionFactory
from app.db.insights_fill import InsightsCounter
from app.db.insights_read import Choice, InsightsRepository
from app.db.insights_records import LATENCY_BOUNDS_S, Cell, Figure, added, quantile_s
from app.db.records import Message, MessageStatus, NewCandidate, NewReply, ReplySource, Session
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import SHOWN, Store, an_assessment

MONDAY = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
ALL = Choice(days=None)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MONDAY)


@pytest.fixture
def counter(factory: SessionFactory, clock: FakeClock) -> InsightsCounter:
    return InsightsCounter(factory, clock)


@pytest.fixture
def unmasked(factory: SessionFactory, clock: FakeClock) -> InsightsRepository:
    """With k = 1 nothing is masked."""
    return InsightsRepository(factory, 1, clock)


async def answered(
    store: Store, session: Session, *, quality: float = 3.0, latency_s: float = 1.0, tactics: str = "advice"
) -> Message:
    """A turn with one chosen candidate, and one that was blocked."""
    message = await store.messages.add_user(session.id, "I am sad")
    rows = [
        NewCandidate(0, "a", True, quality=quality, latency_s=latency_s, tactic_counts={tactics: 2}),
        NewCandidate(1, "b", False, latency_s=latency_s, blocked="toxicity:insult"),
    ]
    return await store.messages.reply_with_candidates(session.id, message.id, SHOWN, rows)


def by_part(cells: list[Cell], figure: Figure) -> dict[tuple[str, str], int]:
    return {(cell.bin, cell.part): cell.count for cell in cells if cell.figure is figure}


async def test_conversations_and_persons_are_counted_by_their_day_in_utc(
    store: Store, clock: FakeClock, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    person = await store.person()
    for _ in range(2):
        await answered(store, await store.session(person))
    clock.advance(minutes=30)
    await answered(store, await store.session())
    assert await counter.count() == 2
    cells = await unmasked.over_time(Choice(days=7))
    assert by_part(cells, Figure.CONVERSATIONS) == {("2026-03-02", ""): 2, ("2026-03-03", ""): 1}
    assert by_part(cells, Figure.PERSONS) == {("2026-03-02", ""): 1, ("2026-03-03", ""): 1}


async def test_replies_are_counted_by_what_wrote_them_and_replaced_ones_are_not(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    session = await store.session()
    await answered(store, session)
    await store.messages.edit_last(session.id, "other words")
    last = await store.messages.last_user(session.id)
    assert last is not None
    await store.reply(last, reply=NewReply("Sorry.", MessageStatus.FALLBACK, ReplySource.FALLBACK))
    await answered(store, session)
    await counter.count()
    cells = await unmasked.over_time(ALL)
    assert by_part(cells, Figure.REPLIES) == {("2026-03-02", "fallback"): 1, ("2026-03-02", "model"): 1}


async def test_quality_is_summed_over_shown_replies(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    session = await store.session()
    await answered(store, session, quality=2.0)
    await answered(store, session, quality=5.0)
    await counter.count()
    (cell,) = (cell for cell in await unmasked.over_time(ALL) if cell.figure is Figure.QUALITY)
    assert (cell.count, cell.amount) == (2, 7.0)


async def test_stickiness_is_counted_against_the_reply_before_also_across_midnight(
    store: Store, clock: FakeClock, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    session = await store.session()
    for tactics in ("advice", "advice", "questioning"):
        await answered(store, session, tactics=tactics)
    clock.advance(hours=1)
    await answered(store, session, tactics="questioning")
    await counter.count()
    found = {
        (cell.bin, cell.part): (cell.count, cell.amount)
        for cell in await unmasked.over_time(Choice(days=7))
        if cell.figure is Figure.STICKINESS and cell.count
    }
    assert found == {
        ("2026-03-02", "advice"): (2, 1.0),
        ("2026-03-03", "questioning"): (1, 1.0),
    }


async def test_latencies_are_counted_once_a_shown_reply(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    session = await store.session()
    for latency_s in (0.5, 2.0, 2.0, 8.0):
        await answered(store, session, latency_s=latency_s)
    await counter.count()
    buckets = {
        int(cell.part): cell.count for cell in await unmasked.over_time(ALL) if cell.figure is Figure.LATENCY
    }
    assert sum(buckets.values()) == 4
    median, slow = quantile_s(buckets, 0.5), quantile_s(buckets, 0.95)
    assert median == pytest.approx(2.0, rel=0.2)
    assert slow == pytest.approx(8.0, rel=0.2)


async def test_thumbs_and_reasons_of_persons_and_staff_stand_apart(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    session = await store.session()
    reply = await answered(store, session)
    await store.feedback.set_rating(reply.id, "person:1", -1, ["generic", "unsafe"], "a comment")
    await store.feedback.set_rating(reply.id, "staff:1", 1)
    await store.feedback.set_rating(reply.id, "staff:2", -1, ["generic"])
    await counter.count()
    cells = await unmasked.over_time(ALL)
    week = "2026-03-02"
    assert by_part(cells, Figure.THUMBS) == {
        (week, "person.down"): 1,
        (week, "staff.down"): 1,
        (week, "staff.up"): 1,
    }
    assert by_part(cells, Figure.REASONS) == {
        (week, "person.generic"): 1,
        (week, "person.unsafe"): 1,
        (week, "staff.generic"): 1,
    }


async def test_risk_blocked_candidates_errors_and_failed_layers_are_counted_by_kind(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    session = await store.session()
    await answered(store, session)
    message = await store.messages.add_user(session.id, "I can't go on")
    await store.messages.set_status(message.id, MessageStatus.FAILED, "timeout")
    await store.risk.add(message.id, session.id, an_assessment(RiskLevel.IMMINENT, RiskCategory.SUICIDE))
    await store.risk.add(message.id, session.id, an_assessment(RiskLevel.MODERATE, RiskCategory.GAMBLING))
    await store.risk.add(message.id, session.id, an_assessment(RiskLevel.NONE, RiskCategory.NONE))
    await counter.count()
    cells = await unmasked.over_time(ALL)
    week = "2026-03-02"
    assert by_part(cells, Figure.RISK) == {(week, "imminent.suicide"): 1, (week, "moderate.gambling"): 1}
    assert by_part(cells, Figure.BLOCKED) == {(week, "toxicity:insult"): 1}
    assert by_part(cells, Figure.ERRORS) == {(week, "timeout"): 1}
    assert by_part(cells, Figure.LAYERS) == {(week, "classifier"): 3}


async def test_counting_again_changes_nothing_and_takes_up_what_is_new(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    await answered(store, await store.session())
    await counter.count()
    before = await unmasked.over_time(ALL)
    await counter.count()
    assert await unmasked.over_time(ALL) == before
    await answered(store, await store.session())
    await counter.count()
    assert by_part(await unmasked.over_time(ALL), Figure.CONVERSATIONS) == {("2026-03-02", ""): 2}


async def test_figures_are_told_apart_by_model_and_language(
    store: Store, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    person = await store.person()
    await store.session(person)
    await store.sessions.create(person.id, "zh", "other-model")
    await counter.count()
    cells = await unmasked.by_model_and_language(ALL)
    assert [(cell.model, cell.language, cell.count) for cell in cells] == [
        ("a-model", "en", 1),
        ("other-model", "zh", 1),
    ]
    (only,) = await unmasked.over_time(Choice(days=None, language="zh"))
    assert only.count == 1
    assert await unmasked.choices() == (["a-model", "other-model"], ["en", "zh"])


async def test_a_period_ends_what_is_counted_by_day_and_keeps_whole_weeks_of_rare_events(
    store: Store, clock: FakeClock, counter: InsightsCounter, unmasked: InsightsRepository
) -> None:
    reply = await answered(store, await store.session())
    await store.feedback.set_rating(reply.id, "person:1", 1)
    clock.advance(days=13)
    await counter.count()
    week = await unmasked.over_time(Choice(days=7))
    assert {cell.figure for cell in week} == set()
    clock.advance(days=-1)
    # The period of 7 days now begins on a Sunday: the week that it lies in counts as a whole.
    assert {cell.figure for cell in await unmasked.over_time(Choice(days=7))} == {
        Figure.THUMBS,
        Figure.BLOCKED,
    }


def test_the_sum_of_cells_keeps_what_is_masked() -> None:
    one = Cell(Figure.THUMBS, "2026-03-02", "person.up", "a", "en", 7, 0.0, 1)
    two = Cell(Figure.THUMBS, "2026-03-09", "person.up", "a", "en", 0, 0.0, 2)
    assert added([one, two]) == Cell(Figure.THUMBS, "", "", "", "", 7, 0.0, 3)


def test_bounds_of_latency_reach_from_a_twentieth_of_a_second_to_minutes() -> None:
    assert LATENCY_BOUNDS_S[0] == 0.05
    assert LATENCY_BOUNDS_S[-1] > 240
    assert len(LATENCY_BOUNDS_S) < 100
