"""Whether the database can be written now: asked of it rarely, with a row of its own."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from app.db.cipher import TextCipher
from app.db.engine import create_engine, normalise_url, session_factory
from app.db.errors import StoreError
from app.db.file_identity import FileIdentity, file_of
from app.db.repository import Repository, upsert_into
from app.db.upkeep_tables import JobRunRow
from app.logs import log_without_text

JOB = "write probe"
GOOD_S = 30.0
"""Seconds that a good answer holds; a bad one is asked again much sooner."""
BAD_S = 3.0
PATIENCE_S = 2.0
ROOM_BYTES = 1024**2
"""Free bytes below which a disk is full: the log of SQLite needs some before a message is written."""

_log = logging.getLogger(__name__)


class WriteProbe:
    """Asks whether a row can be written, with a connection of its own that waits for no lock for long.

    Args:
        url: Address of the database, the same as the application's.
        clock: Seconds that only go forward.
    """

    def __init__(self, url: str | URL, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = normalise_url(url)
        self._file = file_of(self._url)
        self._identity = None if self._file is None else FileIdentity(self._file)
        if self._identity is not None:
            self._identity.note()
        self._clock = clock
        self._asking = asyncio.Lock()
        self._until = float("-inf")
        self._problem: str | None = None

    async def problem(self) -> str | None:
        """Why nothing can be written, in a few words for an operator; ``None`` when all is well."""
        async with self._asking:
            gone = self._gone()
            if gone is not None:
                return gone
            if self._clock() >= self._until:
                self._problem = await self._ask()
                self._until = self._clock() + (GOOD_S if self._problem is None else BAD_S)
            return self._problem

    def _gone(self) -> str | None:
        """Looks at the file only, so it is asked every time."""
        if self._identity is None or self._file is None:
            return None
        try:
            self._identity.require()
            self._identity.note()
            free = shutil.disk_usage(self._file.parent).free
        except OSError:
            return "the file was removed or replaced under the running app: restart it"
        return f"the disk is full ({free // 1024} KB free)" if free < ROOM_BYTES else None

    async def _ask(self) -> str | None:
        engine = create_engine(
            self._url, pool_size=1, max_overflow=0, busy_timeout_s=PATIENCE_S / 2, cipher=TextCipher()
        )
        try:
            await asyncio.wait_for(_Row(session_factory(engine)).write(), PATIENCE_S)
        except (SQLAlchemyError, StoreError, OSError, TimeoutError) as error:
            if self._problem is None:
                log_without_text(_log, "the database can't be written", error)
            return f"it can't be written ({type(error).__name__})"
        finally:
            await engine.dispose()
        return None


class _Row(Repository):
    async def write(self) -> None:
        """Write the row of the probe."""
        now = self._now()
        values = {"name": JOB, "begun_at": now, "finished_at": now}
        async with self._write() as db:
            adding = upsert_into(db, JobRunRow).values(values)
            await db.execute(adding.on_conflict_do_update(index_elements=["name"], set_=values))
