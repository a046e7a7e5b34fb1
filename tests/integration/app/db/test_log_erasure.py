"""Deleted text is in none of the bytes that SQLite keeps."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.log_erasure import INFO_KEY, LogEraser
from app.db.memory_records import FactSource
from app.db.records import Message
from app.db.retention import delete_expired
from models.facts import FactKind, FoundFact
from safety.levels import RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store

WORD = "Zanzibarquark"


@pytest.fixture
def file(sqlite_template: Path, tmp_path: Path) -> Path:
    shutil.copy(sqlite_template, tmp_path / "test.sqlite3")
    return tmp_path / "test.sqlite3"


@pytest.fixture
async def factory(file: Path) -> AsyncIterator[SessionFactory]:
    engine = create_engine(f"sqlite:///{file}")
    yield session_factory(engine)
    await engine.dispose()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(factory: SessionFactory, clock: FakeClock) -> Store:
    return a_store(factory, clock)


def is_readable(file: Path) -> bool:
    return any(WORD.encode() in one.read_bytes() for one in file.parent.glob(f"{file.name}*"))


async def written(store: Store) -> tuple[str, Message]:
    person = await store.persons.create()
    session = await store.sessions.create(person.id, "en", "model")
    message = await store.messages.add_user(session.id, f"{WORD} " * 500)
    return person.id, message


async def delete_person(store: Store, person_id: str, _: Message) -> None:
    await store.persons.delete_everything(person_id)


async def delete_conversation(store: Store, person_id: str, message: Message) -> None:
    assert await store.sessions.delete(message.session_id, person_id)


@pytest.mark.parametrize("delete", [delete_person, delete_conversation])
async def test_what_a_person_deletes_is_gone_from_the_files(
    file: Path, store: Store, delete: Callable[[Store, str, Message], Awaitable[None]]
) -> None:
    person_id, message = await written(store)
    assert is_readable(file)

    await delete(store, person_id, message)

    assert not is_readable(file)


async def test_what_retention_deletes_is_gone_from_the_files(
    file: Path, store: Store, factory: SessionFactory, clock: FakeClock
) -> None:
    await written(store)
    clock.advance(days=400)

    await delete_expired(factory, 180, clock=clock)

    assert not is_readable(file)


async def test_a_forgotten_fact_is_gone_from_the_files(file: Path, store: Store) -> None:
    person = await store.persons.create()
    session = await store.sessions.create(person.id, "en", "model")
    message = await store.messages.add_user(session.id, "hello")
    found = [FoundFact(FactKind.NAME, WORD)]
    await store.facts.note(message.id, found, FactSource.RULES, RiskLevel.NONE, 60)
    assert is_readable(file)

    await store.facts.forget_all(session.id)

    assert not is_readable(file)


async def test_what_a_reader_holds_is_gone_soon_after_it_lets_go(
    file: Path, store: Store, factory: SessionFactory
) -> None:
    eraser = LogEraser(factory().bind.url, first_wait_s=0.01)  # type: ignore[union-attr]
    factory.configure(info={INFO_KEY: eraser})
    person_id, _ = await written(store)
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM messages").fetchone()
        await asyncio.wait_for(store.persons.delete_everything(person_id), 10)
        assert is_readable(file)
        reader.execute("ROLLBACK")

    await asyncio.wait_for(eraser.settled(), 30)

    assert not is_readable(file)
