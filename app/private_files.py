"""Keeps the data folder for the account that runs the app: what people wrote is nobody else's to read."""

import logging
import os
import stat
from pathlib import Path

from app.auth.secret import FILE

_log = logging.getLogger(__name__)
_SQLITE = b"SQLite format 3\0"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def tighten(folder: Path, database: Path | None) -> None:
    """Take what exists already away from other accounts, with a line in the log for each change.

    New files are private by the process's umask (see ``app.db.migrate``). A folder of another owner, such
    as a container's volume, is left as it is; so is one that several accounts share on purpose, like /tmp.

    Args:
        folder: The data folder.
        database: The SQLite file, if there is one.
    """
    files = [folder / FILE]
    if database is not None and _may_be_ours(database):
        files += [database.with_name(database.name + end) for end in ("", "-wal", "-shm", "-journal")]
    for path in (folder, *files):
        _tighten(path)


def _may_be_ours(database: Path) -> bool:
    """Whether the file is an SQLite database or will become one: any other was named by mistake."""
    try:
        with database.open("rb") as file:
            return file.read(len(_SQLITE)) in (_SQLITE, b"")
    except OSError:
        return True


def _tighten(path: Path) -> None:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return
    if not mode & _OTHERS or mode & stat.S_ISVTX:
        return
    try:
        os.chmod(path, mode & ~_OTHERS)
    except OSError as error:
        _log.warning(
            "other accounts of this machine may read %s, and that can't be changed: %s", path, error.strerror
        )
    else:
        _log.warning("other accounts of this machine could read %s; now they can't any more", path)
