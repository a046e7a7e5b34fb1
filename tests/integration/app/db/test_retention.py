import asyncio
from datetime import timedelta
from typing import cast

import pytest
from sqlalchemy import URL, text

from app.db.engine import create_engine, session_factory
from app.db.records import FlagOutcome, StaffRole
from app.db.retention import RetentionReport, delete_expired
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store
from tests.integration.app.db.test_ownership import NOT_A_PERSONS


async def clean(store: Store, days: int = 30, batch: int = 500) -> RetentionReport:
    return await delete_expired(store.factory, days, batch=batch, clock=store.clock)


async def test_a_quiet_conversation_goes_with_all_its_rows(store: Store, clock: FakeClock) -> None:
    person = await store.person()
    session = await store.session(person)
    await store.turn(session, "hello", {"advice": 1})
    clock.advance(days=31)
    await store.persons.touch(person.id)
    assert await clean(store) == RetentionReport(sessions=1, persons=0, held=0)
    left = await store.rows(without=frozenset({"persons", "audit_log"}))
    assert set(left.values()) == {0}


async def test_a_conversation_of_exactly_that_age_stays(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    clock.advance(days=30)
    assert await clean(store) == RetentionReport(0, 0, 0)
    assert await store.sessions.get(session.id) is not None


async def test_a_new_message_keeps_an_old_conversation(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    clock.advance(days=31)
    await store.messages.add_user(session.id, "still here")
    assert (await clean(store)).sessions == 0


async def test_an_open_flag_holds_a_conversation(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.flags.raise_flag(session.id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    clock.advance(days=31)
    assert await clean(store) == RetentionReport(sessions=0, persons=0, held=1)
    assert await store.sessions.get(session.id) is not None


async def test_a_closed_flag_does_not_hold_it(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    flag = await store.flags.raise_flag(session.id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    staff = await store.staff.create("ada", None, StaffRole.ADMIN)
    await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, staff.id, flag.version)
    clock.advance(days=31)
    assert (await clean(store)).sessions == 1


async def test_a_person_long_gone_goes_too(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    clock.advance(days=31)
    assert await clean(store) == RetentionReport(sessions=1, persons=1, held=0)
    assert await store.persons.get(session.person_id) is None


async def test_a_person_with_a_held_conversation_stays(store: Store, clock: FakeClock) -> None:
    person = await store.person()
    await store.full_life(person)
    clock.advance(days=31)
    await clean(store)
    assert await store.persons.get(person.id) is not None


async def test_a_second_run_does_nothing(store: Store, clock: FakeClock) -> None:
    await store.session()
    clock.advance(days=31)
    await clean(store)
    noted = await store.audit.recent()
    assert await clean(store) == RetentionReport(0, 0, 0)
    assert await store.audit.recent() == noted


async def test_what_was_deleted_is_in_the_audit_log(store: Store, clock: FakeClock) -> None:
    await store.session()
    clock.advance(days=31)
    await clean(store)
    entries = await store.audit.recent(actor="system:retention")
    assert {entry.action for entry in entries} == {"retention.deleted"}
    assert {entry.object_type: entry.detail for entry in entries} == {
        "sessions": {"rows": 1, "keep_days": 30},
        "persons": {"rows": 1, "keep_days": 30},
    }


async def test_two_runs_at_once_delete_and_note_everything_once(store: Store, clock: FakeClock) -> None:
    for _ in range(6):
        await store.session()
    clock.advance(days=31)
    reports = await asyncio.gather(*(clean(store, batch=2) for _ in range(3)))
    assert sum(report.sessions for report in reports) == 6
    assert sum(report.persons for report in reports) == 6
    noted = [entry for entry in await store.audit.recent() if entry.object_type == "sessions"]
    assert sum(cast("int", entry.detail["rows"]) for entry in noted) == 6


async def test_a_conversation_goes_after_its_flag_is_closed_and_not_before(
    store: Store, clock: FakeClock
) -> None:
    session = await store.full_life(await store.person())
    clock.advance(days=400)
    assert (await clean(store)).held == 1
    flag = await store.flags.open_for(session.id)
    assert flag is not None
    staff = await store.staff.create("bob", None, StaffRole.ADMIN)
    await store.flags.set_outcome(flag.id, FlagOutcome.TRUE_ALARM, staff.id, flag.version)
    assert (await clean(store)).sessions == 1


async def test_expired_logins_of_staff_go_and_others_stay(store: Store, clock: FakeClock) -> None:
    staff = await store.staff.create("ada", None, StaffRole.ADMIN)
    await store.staff_sessions.open(staff, "old", clock() + timedelta(hours=1))
    await store.staff_sessions.open(staff, "new", clock() + timedelta(days=3))
    clock.advance(days=2)
    assert (await clean(store)).staff_sessions == 1
    assert [row["token_hash"] for row in await store.contents("staff_sessions")] == ["new"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # PostgreSQL never lets them come to be
async def test_rows_whose_owner_is_gone_are_deleted(store: Store, database_url: URL) -> None:
    await store.full_life(await store.person())
    careless = create_engine(database_url, foreign_keys=False)
    async with session_factory(careless).begin() as db:
        await db.execute(text("DELETE FROM sessions"))
    await careless.dispose()
    assert (await clean(store)).orphans > 0
    left = await store.rows(without=NOT_A_PERSONS | {"persons"})
    assert set(left.values()) == {0}


@pytest.mark.parametrize("batch", [1, 2, 3, 4])
async def test_batches_of_any_size_delete_all(store: Store, clock: FakeClock, batch: int) -> None:
    for _ in range(3):
        await store.session()
    clock.advance(days=31)
    assert await clean(store, batch=batch) == RetentionReport(sessions=3, persons=3, held=0)


@pytest.mark.parametrize(("days", "batch"), [(0, 500), (-1, 500), (30, 0)])
async def test_numbers_that_make_no_sense_are_refused(store: Store, days: int, batch: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        await clean(store, days, batch)
