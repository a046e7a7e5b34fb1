"""Databases for tests: a fresh, migrated one each, on SQLite and on PostgreSQL."""

import asyncio
import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.migrate import upgrade
from tests.integration.postgres import a_server

BOTH = [pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.postgres)]

_TEMPLATE = "hearken_template"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[URL]:
    """Address of a running server."""
    with a_server() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_template(postgres_server: URL) -> str:
    """Name of a migrated database without rows, to copy."""
    asyncio.run(_statement(postgres_server, f"CREATE DATABASE {_TEMPLATE}"))
    upgrade(postgres_server.set(database=_TEMPLATE))
    return _TEMPLATE


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file without rows, to copy."""
    file = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """Address of a database without any table."""
    if request.param == "sqlite":
        yield make_url(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    else:
        yield from a_database(request.getfixturevalue("postgres_server"), "")


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """Address of a migrated database without rows."""
    if request.param == "sqlite":
        file = tmp_path / "test.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), file)
        yield make_url(f"sqlite:///{file}")
    else:
        template = request.getfixturevalue("postgres_template")
        yield from a_database(request.getfixturevalue("postgres_server"), f"TEMPLATE {template}")


@pytest.fixture
async def engine(database_url: URL) -> AsyncIterator[AsyncEngine]:
    """An engine as the application makes it."""
    engine = create_engine(database_url)
    yield engine
    await engine.dispose()


@pytest.fixture
def factory(engine: AsyncEngine) -> SessionFactory:
    """What repositories are built with."""
    return session_factory(engine)


def a_database(server: URL, how: str) -> Iterator[URL]:
    """A database of its own on a running server; ``how`` ends the statement that makes it."""
    name = f"test_{uuid.uuid4().hex}"
    asyncio.run(_statement(server, f"CREATE DATABASE {name} {how}"))
    yield server.set(database=name)
    asyncio.run(_statement(server, f"DROP DATABASE {name} WITH (FORCE)"))


async def _statement(server: URL, statement: str) -> None:
    engine = create_engine(server).execution_options(isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()
