"""Rewrites private text in place, so that all of it has the form that the settings ask for.

It works in batches while the application runs. A row that somebody is changing at the moment is left
for the next pass, so the two never wait for each other; a run that is broken off is simply started again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from sqlalchemy import Column, Table, bindparam, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.audit import Detail, append
from app.db.cipher import FORM_LENGTH, TextCipher, form_of
from app.db.repository import Repository
from app.db.schema import METADATA
from app.db.types import PrivateText

ACTOR = "system:encryption"
_PAUSE_S = 1.0

Progress = Callable[[str, int], None]
"""Told a table's name and how many of its rows were rewritten so far."""

Forms = dict[str, Counter[str | None]]
"""How many texts of each ``table.column`` need which key; ``None`` is plain text."""


def private_columns() -> list[tuple[Table, tuple[Column[Any], ...]]]:
    """All columns of private text by table; each of these tables has one primary key column."""
    found = [
        (table, tuple(column for column in table.columns if isinstance(column.type, PrivateText)))
        for table in METADATA.sorted_tables
    ]
    return [(table, columns) for table, columns in found if columns]


class TextRewriter(Repository):
    """Reads and rewrites private text, constant in memory."""

    async def forms(self, batch: int = 2000) -> Forms:
        """Count the texts by the key they need; reads every row."""
        counts: Forms = {}
        for table, columns in private_columns():
            for column in columns:
                counts[f"{table.name}.{column.name}"] = Counter()
            async for rows in self._starts(table, columns, batch):
                for _, *starts in rows:
                    for column, start in zip(columns, starts, strict=True):
                        if start is not None:
                            counts[f"{table.name}.{column.name}"][form_of(start)] += 1
        return counts

    async def run(self, cipher: TextCipher, progress: Progress, batch: int = 500) -> int:
        """Bring all text into the form that the cipher writes, and note it in the audit log.

        Args:
            cipher: The one that the engine uses.
            progress: Told how far it is.
            batch: Rows of one transaction.

        Returns:
            Rows rewritten.

        Raises:
            EncryptionError: A text can't be decrypted; all rows before it are done, the rest is untouched.
        """
        done = 0
        for table, columns in private_columns():
            done += await self._table(table, columns, cipher, progress, batch)
        if done:
            async with self._write() as db:
                detail: Detail = {"rows": done, "key": cipher.writes}
                await append(db, self._now(), ACTOR, "encryption.rewritten", "database", None, detail)
        return done

    async def _table(
        self,
        table: Table,
        columns: tuple[Column[Any], ...],
        cipher: TextCipher,
        progress: Progress,
        batch: int,
    ) -> int:
        done = 0
        while True:
            missed = 0
            async for rows in self._starts(table, columns, batch):
                ids = [row[0] for row in rows if _is_stale(row[1:], cipher.writes)]
                if ids:
                    rewritten = await self._rewrite(table, columns, ids)
                    missed += len(ids) - rewritten
                    done += rewritten
                    progress(table.name, done)
            if not missed:
                return done
            await asyncio.sleep(_PAUSE_S)

    async def _starts(
        self, table: Table, columns: tuple[Column[Any], ...], batch: int
    ) -> AsyncGenerator[Sequence[Any]]:
        """Ids and the first characters of the texts as stored, in batches, in the order of the ids."""
        key = _key(table)
        # A function's result is not decrypted.
        starts = [func.substr(column, 1, FORM_LENGTH) for column in columns]
        query = select(key, *starts).where(or_(*(column.is_not(None) for column in columns)))
        query = query.order_by(key).limit(batch)
        page = query
        while True:
            async with self._read() as db:
                rows = (await db.execute(page)).all()
            if rows:
                yield rows
            if len(rows) < batch:
                return
            page = query.where(key > rows[-1][0])

    async def _rewrite(self, table: Table, columns: tuple[Column[Any], ...], ids: list[str]) -> int:
        """Read and write the rows again, which decrypts and encrypts them; how many could be had."""
        key = _key(table)
        query = select(key, *columns).where(key.in_(ids))
        query = query.with_for_update(key_share=True, skip_locked=True)
        names = [f"new_{column.name}" for column in columns]
        values: dict[Any, Any] = {
            column: bindparam(name) for column, name in zip(columns, names, strict=True)
        }
        statement = update(table).where(key == bindparam("row")).values(values)
        async with self._write() as db:
            rows = (await db.execute(query)).all()
            if rows:
                new = [{"row": row[0], **dict(zip(names, row[1:], strict=True))} for row in rows]
                await (await db.connection()).execute(statement, new)
        return len(rows)


async def shred_leftovers(engine: AsyncEngine) -> None:
    """SQLite: rebuild the file, so that old forms of rewritten rows are nowhere in it.

    PostgreSQL's own vacuum does this by and by; there is nothing to do.

    Raises:
        sqlalchemy.exc.SQLAlchemyError, sqlite3.Error: The file is in use for too long.
    """
    if engine.dialect.name != "sqlite":
        return
    async with engine.connect() as connection:
        # Below SQLAlchemy, because this may not run in a transaction.
        driver: Any = (await connection.get_raw_connection()).driver_connection
        for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            cursor = await driver.execute(statement)
            await cursor.close()


def _key(table: Table) -> Column[Any]:
    [key] = table.primary_key.columns
    return key


def _is_stale(starts: Sequence[str | None], writes: str | None) -> bool:
    return any(start is not None and form_of(start) != writes for start in starts)
