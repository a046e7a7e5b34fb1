import asyncio
import logging
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.errors import StoreError
from app.db.migrate import upgrade
from app.db.persons import PersonRepository
from app.db.repository import Repository
from app.db.tables import MessageRow
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store


async def a_sqlite_engine(folder: Path, **options: float) -> AsyncEngine:
    url = f"sqlite:///{folder / 'test.sqlite3'}"
    await asyncio.to_thread(upgrade, url)
    return create_engine(url, **options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("busy_timeout", 2500), ("foreign_keys", 1), ("synchronous", 1)],
)
async def test_sqlite_is_set_up_on_every_connection(tmp_path: Path, name: str, value: object) -> None:
    engine = await a_sqlite_engine(tmp_path, busy_timeout_s=2.5)
    async with engine.connect() as first, engine.connect() as second:
        found = [(await one.exec_driver_sql(f"PRAGMA {name}")).scalar_one() for one in (first, second)]
    await engine.dispose()
    assert found == [value, value]


async def test_a_second_writer_waits_for_the_first(tmp_path: Path) -> None:
    engine = await a_sqlite_engine(tmp_path)
    persons = PersonRepository(session_factory(engine))
    made = await asyncio.gather(*(persons.create() for _ in range(30)))
    await engine.dispose()
    assert len({person.id for person in made}) == 30


async def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    engine = await a_sqlite_engine(tmp_path, busy_timeout_s=0)
    persons = PersonRepository(session_factory(engine))
    person = await persons.create()
    async with persons._write():
        assert await persons.get(person.id) == person
    await engine.dispose()


async def test_times_come_back_in_utc_whatever_zone_they_were_in(store: Store, clock: FakeClock) -> None:
    clock.time = datetime(2026, 3, 1, 23, 30, 0, 123456, tzinfo=timezone(timedelta(hours=-8)))
    person = await store.person()
    stored = await store.persons.get(person.id)
    assert stored is not None
    assert stored.created_at.isoformat() == "2026-03-02T07:30:00.123456+00:00"


async def test_a_time_without_a_zone_is_refused(store: Store, clock: FakeClock) -> None:
    clock.time = datetime(2026, 3, 1)
    with pytest.raises(SQLAlchemyError, match="time zone"):
        await store.person()


async def test_postgresql_answers_in_utc(engine: AsyncEngine) -> None:
    question = "SHOW timezone" if engine.dialect.name == "postgresql" else "SELECT 'UTC'"
    async with engine.connect() as connection:
        assert (await connection.execute(text(question))).scalar_one() == "UTC"


async def test_a_value_that_no_enumeration_knows_is_refused(store: Store) -> None:
    session = await store.session()
    await store.messages.add_user(session.id, "hello")
    with pytest.raises(DBAPIError):
        async with store.factory.begin() as db:
            await db.execute(text("UPDATE messages SET status = 'odd'"))


class _Careless(Repository):
    async def store_nonsense(self, session_id: str, secret: str) -> None:
        async with self._write() as db:
            await db.execute(insert(MessageRow).values(session_id=session_id, seq=1, text=secret))


async def test_an_error_of_the_database_does_not_repeat_a_persons_words(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    session = await store.session()
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError) as caught:
        await _Careless(store.factory).store_nonsense(session.id, "my secret")
    assert caught.value.__cause__ is None
    assert "my secret" not in str(caught.value)
    assert "my secret" not in caplog.text


async def test_a_refused_statement_is_shown_without_its_parameters(factory: SessionFactory) -> None:
    with pytest.raises(DBAPIError, match="no_such_table") as caught:
        async with factory.begin() as db:
            await db.execute(text("SELECT 1 FROM no_such_table WHERE x = :x"), {"x": "my secret"})
    assert "my secret" not in str(caught.value)


def test_the_clock_of_the_application_is_utc() -> None:
    from app.db.types import utc_now

    assert utc_now().tzinfo is UTC
