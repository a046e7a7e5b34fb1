"""SQLite: takes deleted text out of the write-ahead log too, at once or as soon as readers let go of it.

``secure_delete`` overwrites what is deleted in the database file. But the pages that held it stand in the
log beside the file until the log is begun anew, which otherwise may take until the application stops.
"""

import asyncio
import logging
import sqlite3
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.file_identity import file_of
from app.logs import log_without_text

INFO_KEY = "hearken_log_eraser"
"""Where a database session carries the eraser of its engine."""
PATIENCE_S = 0.25
"""Seconds that a deletion waits for readers; writers wait for it as long."""
_FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 60.0

_log = logging.getLogger(__name__)


class LogEraser:
    """Empties the log of one database file; does nothing for other databases.

    Args:
        url: Address of the database.
        first_wait_s: Seconds before it is tried again, when readers held the log; doubled each time.
    """

    def __init__(self, url: URL, first_wait_s: float = _FIRST_WAIT_S) -> None:
        self._file = file_of(url)
        self._first_wait_s = first_wait_s
        self._later: asyncio.Task[None] | None = None

    async def erase(self) -> None:
        """Empty the log now, or in the background as soon as that can be done; never raises."""
        if self._file is None or await self._erased(self._file):
            return
        if self._later is None or self._later.done():
            self._later = asyncio.ensure_future(self._until_erased(self._file))

    async def settled(self) -> None:
        """Wait until nothing is left to be done."""
        if self._later is not None:
            await self._later

    async def _until_erased(self, file: Path) -> None:
        wait = self._first_wait_s
        while True:
            await asyncio.sleep(wait)
            if await self._erased(file):
                return
            wait = min(2 * wait, _LONGEST_WAIT_S)

    async def _erased(self, file: Path) -> bool:
        try:
            return await asyncio.to_thread(empty_log, file)
        except sqlite3.Error as error:
            log_without_text(_log, "the database's log could not be emptied", error)
            return False


def empty_log(file: Path, patience_s: float = PATIENCE_S) -> bool:
    """Move everything from the log to the file, and cut the log to nothing.

    Returns:
        Whether that was done; not while somebody reads an older state, or writes.
    """
    # A connection of its own: those of the application wait much longer for a lock.
    connection = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=patience_s)
    try:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.close()
    return not busy


async def erase_log(session: AsyncSession) -> None:
    """Empty the log of a session's database, after a transaction that deleted text."""
    eraser: LogEraser | None = session.info.get(INFO_KEY)
    if eraser is not None:
        await eraser.erase()
