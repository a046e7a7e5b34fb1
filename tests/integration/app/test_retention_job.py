import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL, update

from app.db.engine import SessionFactory
from app.db.job_runs import JobRunRepository
from app.db.persons import PersonRepository
from app.db.sessions import SessionRepository
from app.db.tables import SessionRow
from app.retention import main
from app.retention_job import JOB, delete_daily, delete_if_due, delete_now, deleting_daily
from app.settings_storage import StorageSettings
from tests.fakes.chat_model import FakeChatModel
from tests.fakes.clock import FakeClock
from tests.integration.app.world import a_world


def one(*_: object) -> list[str]:
    return ["I am listening."]


async def test_old_conversations_are_deleted_at_start_and_live_ones_stay(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        old, live = await world.session(), await world.session()
        async with world.factory.begin() as db:
            past = datetime(2020, 1, 1, tzinfo=UTC)
            await db.execute(update(SessionRow).where(SessionRow.id == old).values(last_activity_at=past))
        job = asyncio.create_task(delete_daily(world.factory, 180))
        async with asyncio.timeout(30):
            while await world.stores.sessions.get(old) is not None:
                await asyncio.sleep(0.01)
        job.cancel()
        assert await world.stores.sessions.get(live) is not None


async def test_of_several_processes_one_runs_the_job_of_a_day(factory: SessionFactory) -> None:
    clock = FakeClock()
    reports = await asyncio.gather(*(delete_if_due(factory, 30, clock) for _ in range(4)))
    assert sum(report is not None for report in reports) == 1


async def test_it_is_due_again_the_next_day_and_not_before(factory: SessionFactory) -> None:
    clock = FakeClock()
    assert await delete_if_due(factory, 30, clock) is not None
    clock.advance(hours=22)
    assert await delete_if_due(factory, 30, clock) is None
    clock.advance(hours=2)
    assert await delete_if_due(factory, 30, clock) is not None


async def test_after_a_week_of_downtime_the_first_question_runs_it(factory: SessionFactory) -> None:
    clock = FakeClock()
    await delete_if_due(factory, 30, clock)
    session = await _session(factory, clock)
    clock.advance(days=37)
    report = await delete_if_due(factory, 30, clock)
    assert report is not None
    assert report.sessions == 1
    assert await SessionRepository(factory).get(session) is None


async def test_a_run_that_died_is_repeated_after_an_hour(factory: SessionFactory) -> None:
    clock = FakeClock()
    assert await JobRunRepository(factory, clock).claim(JOB, timedelta(hours=23), timedelta(hours=1))
    clock.advance(minutes=59)
    assert await delete_if_due(factory, 30, clock) is None
    clock.advance(minutes=1)
    assert await delete_if_due(factory, 30, clock) is not None


async def test_by_hand_it_runs_at_any_time_and_counts_as_the_run_of_the_day(factory: SessionFactory) -> None:
    clock = FakeClock()
    await delete_if_due(factory, 30, clock)
    await _session(factory, clock)
    clock.advance(days=31)
    await delete_if_due(factory, 30, clock)
    await _session(factory, clock)
    clock.advance(days=31)
    assert (await delete_now(factory, 30, clock)).sessions == 1
    assert await delete_if_due(factory, 30, clock) is None
    assert await JobRunRepository(factory, clock).last_finished(JOB) == clock()


async def test_switched_off_it_never_asks(factory: SessionFactory) -> None:
    async with deleting_daily(factory, StorageSettings(retention_job=False)):
        await asyncio.sleep(0)
    assert await JobRunRepository(factory).last_finished(JOB) is None


def test_the_command_says_what_it_did(
    database_url: URL, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEARKEN_STORAGE__DATABASE_URL", database_url.render_as_string(hide_password=False))
    monkeypatch.setenv("HEARKEN_STORAGE__RETENTION_DAYS", "12")
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("Deleted 0 conversations idle for more than 12 days, 0 persons")


async def _session(factory: SessionFactory, clock: FakeClock) -> str:
    person = await PersonRepository(factory, clock).create()
    return (await SessionRepository(factory, clock).create(person.id, "en", "a-model")).id
