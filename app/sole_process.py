"""One process for one SQLite file: a second one would end the turns of the first and count limits anew."""

import errno
import fcntl
import logging
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_log = logging.getLogger(__name__)


class SecondProcessError(Exception):
    """Another process serves from the same file; the text is one line for an operator."""


@contextmanager
def sole_process(database: Path | None, setting: str = "HEARKEN_STORAGE__FOLDER") -> Generator[None]:
    """Hold the file as long as the block runs; the system lets go of it with the process, however it ends.

    Commands for staff accounts, retention and encryption don't ask: they work beside a running app.

    Args:
        database: The SQLite file, in a folder that is there; ``None`` for a database that several processes
            may share.
        setting: The one that says where the file is, for the error.

    Raises:
        SecondProcessError: Another process holds it.
    """
    if database is None:
        yield
        return
    handle = os.open(database.with_name(f"{database.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(handle, database, setting)
        yield
    finally:
        os.close(handle)


def _take(handle: int, database: Path, setting: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            # Some network file systems know no locks; the app worked there before and still does.
            _log.warning("a second process on %s would not be noticed: %s", database, error.strerror)
            return
        holder = os.read(handle, 32).decode("ascii", "replace").strip()
        which = f" (number {holder})" if holder else ""
        raise SecondProcessError(
            f"{database} is served by another process already{which}: SQLite is for one process. Stop that "
            f"one, give this one its own by {setting}, or use PostgreSQL "
            "(HEARKEN_STORAGE__DATABASE_URL) for several processes."
        ) from None
    os.ftruncate(handle, 0)
    os.write(handle, f"{os.getpid()}\n".encode("ascii"))
