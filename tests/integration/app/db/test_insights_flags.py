"""Response times against flags whose steps were made by hand."""

from datetime import timedelta

import pytest

from app.db.engine import SessionFactory
from app.db.insights_flags import FlagInsights, Step
from app.db.insights_read import Choice
from app.db.records import Flag, FlagOutcome, StaffRole
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store

ALLOWED = {RiskLevel.IMMINENT: timedelta(minutes=15), RiskLevel.MODERATE: timedelta(hours=24)}


@pytest.fixture
def insights(factory: SessionFactory, clock: FakeClock) -> FlagInsights:
    return FlagInsights(factory, clock)


async def raised(store: Store, level: RiskLevel = RiskLevel.IMMINENT) -> Flag:
    session = await store.session()
    message = await store.messages.add_user(session.id, "I can't go on")
    return await store.flags.raise_flag(session.id, message.id, level, RiskCategory.SUICIDE)


async def test_each_step_has_its_wait_and_what_is_over_the_limit_is_late(
    store: Store, clock: FakeClock, insights: FlagInsights
) -> None:
    admin = await store.staff.create("admin", None, StaffRole.ADMIN)
    first, second = await raised(store), await raised(store)
    await raised(store)
    clock.advance(minutes=5)
    for flag in (first, second):
        await store.audit.record(admin.id, "transcript.opened", "session", flag.session_id)
    clock.advance(minutes=5)
    await store.audit.record(admin.id, "flag.assigned", "flag", first.id)
    await store.audit.record(admin.id, "transcript.opened", "session", first.session_id)
    clock.advance(minutes=10)
    await store.flags.set_outcome(first.id, FlagOutcome.TRUE_ALARM, admin.id, first.version)
    found = {row.step: row for row in await insights.response_times(Choice(), ALLOWED)}
    opened, assigned, closed = (found[step] for step in Step)
    assert (opened.flags, opened.done, opened.in_time, opened.late) == (3, 2, 2, 1)
    assert opened.median_s == pytest.approx(300, abs=0.01)
    assert (assigned.done, assigned.in_time, assigned.late) == (1, 1, 2)
    assert assigned.slow_s == pytest.approx(600, abs=0.01)
    assert (closed.done, closed.in_time, closed.late) == (1, 0, 3)
    assert closed.median_s == pytest.approx(1200, abs=0.01)


async def test_levels_stand_apart_the_highest_first(store: Store, insights: FlagInsights) -> None:
    await raised(store, RiskLevel.MODERATE)
    await raised(store)
    rows = await insights.response_times(Choice(), ALLOWED)
    assert [(row.level, row.flags, row.median_s) for row in rows if row.step is Step.OPENED] == [
        (RiskLevel.IMMINENT, 1, None),
        (RiskLevel.MODERATE, 1, None),
    ]


async def test_an_old_flag_is_not_in_a_short_period(
    store: Store, clock: FakeClock, insights: FlagInsights
) -> None:
    await raised(store)
    clock.advance(days=8)
    assert await insights.response_times(Choice(days=7), ALLOWED) == []
    assert len(await insights.response_times(Choice(days=None), ALLOWED)) == 3


async def test_an_opening_from_before_the_flag_does_not_count(
    store: Store, clock: FakeClock, insights: FlagInsights
) -> None:
    session = await store.session()
    await store.audit.record("somebody", "transcript.opened", "session", session.id)
    clock.advance(minutes=1)
    message = await store.messages.add_user(session.id, "I can't go on")
    await store.flags.raise_flag(session.id, message.id, RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    (opened, _, _) = await insights.response_times(Choice(), ALLOWED)
    assert opened.done == 0


async def test_what_waits_now_is_unanswered_messages_and_open_flags(
    store: Store, insights: FlagInsights
) -> None:
    await raised(store)
    await raised(store, RiskLevel.MODERATE)
    waiting = await insights.waiting()
    assert waiting.unanswered == 2
    assert waiting.open_flags == {RiskLevel.IMMINENT: 1, RiskLevel.MODERATE: 1}


async def test_flags_of_another_model_or_language_are_left_out(store: Store, insights: FlagInsights) -> None:
    await raised(store)
    assert len(await insights.response_times(Choice(model="a-model", language="en"), ALLOWED)) == 3
    assert await insights.response_times(Choice(model="other-model"), ALLOWED) == []
    assert await insights.response_times(Choice(language="zh"), ALLOWED) == []
