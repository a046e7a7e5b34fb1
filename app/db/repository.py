"""What all repositories share: one transaction a method, rows in and plain values out."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from typing import Any, cast

from sqlalchemy import Row, Select, insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.db.base import Base
from app.db.engine import WRITES, SessionFactory
from app.db.errors import ConflictError, GoneError, StoreError
from app.db.log_erasure import erase_log
from app.db.types import Clock, utc_now

AnyRow = Row[*tuple[Any, ...]]
"""A result row whose columns are known by the statement beside it."""

AnySelect = Select[*tuple[Any, ...]]
"""A SELECT of such rows."""

_FOREIGN_KEY = "23503"
_UNIQUE = "23505"


class Repository:
    """Base of the repositories.

    Args:
        sessions: Makes database sessions.
        clock: Tells the time that is stored.
    """

    def __init__(self, sessions: SessionFactory, clock: Clock = utc_now) -> None:
        self._sessions = sessions
        self._now = clock

    @asynccontextmanager
    async def _read(self) -> AsyncGenerator[AsyncSession]:
        """One transaction that only reads."""
        async with self._sessions.begin() as session:
            yield session

    @asynccontextmanager
    async def _write(self) -> AsyncGenerator[AsyncSession]:
        """One transaction that writes.

        Raises:
            GoneError: A row that the new one refers to is not there.
            ConflictError: A row with the same unique values was there first.
            StoreError: Another constraint refused the values.
        """
        try:
            async with self._sessions.begin() as session:
                await session.connection(execution_options={WRITES: True})
                yield session
        except IntegrityError as error:
            # `from None`: the driver's error can quote the whole row, and with it a person's text.
            if _is_kind(error, _FOREIGN_KEY, "FOREIGN KEY"):
                raise GoneError("the row this belongs to does not exist") from None
            if _is_kind(error, _UNIQUE, "UNIQUE"):
                raise ConflictError("such a row exists already") from None
            raise StoreError("a constraint refused the row") from None

    @asynccontextmanager
    async def _erase(self) -> AsyncGenerator[AsyncSession]:
        """Like :meth:`_write`, for what deletes private text: SQLite's log is then emptied of it too."""
        async with self._write() as session:
            yield session
        await erase_log(session)


def columns_of(record: type[Any], table: type[Base]) -> tuple[InstrumentedAttribute[Any], ...]:
    """The columns that fill a record, in the order of its fields."""
    return tuple(getattr(table, column.name) for column in fields(record))


async def insert_row(
    session: AsyncSession,
    table: type[Base],
    values: Mapping[str, Any],
    columns: Sequence[InstrumentedAttribute[Any]],
) -> AnyRow:
    """Store a row and return it as the database holds it."""
    statement: Any = insert(table).values(dict(values))
    return (await session.execute(statement.returning(*columns))).one()


async def changed_row(
    session: AsyncSession, statement: Any, columns: Sequence[InstrumentedAttribute[Any]]
) -> AnyRow | None:
    """Run an INSERT or UPDATE of at most one row and return that row as it is now."""
    return (await session.execute(statement.returning(*columns))).one_or_none()


def upsert_into(session: AsyncSession, table: type[Base]) -> postgresql.Insert:
    """An INSERT that knows ON CONFLICT, for the database in use; both write it alike."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return cast("postgresql.Insert", sqlite.insert(table))


def _is_kind(error: IntegrityError, state: str, words: str) -> bool:
    return getattr(error.orig, "sqlstate", None) == state or words in str(error.orig)
