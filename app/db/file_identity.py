"""Notices an SQLite file that was removed or replaced under the running application.

On Unix an open file that was removed can still be written: everything seems to be stored, and all of it
is gone with the process. So every transaction first asks whether the file of the address is still the
one that was opened, which costs a few microseconds.
"""

import os
from pathlib import Path

from sqlalchemy import URL


class VanishedFileError(OSError):
    """The database file is not the one that was opened (any more); nothing is written."""


class FileIdentity:
    """The file that an engine opened first.

    Args:
        path: Where it lies.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: tuple[int, int] | None = None

    def note(self) -> None:
        """Call it after each connect; the first one counts."""
        if self._opened is None:
            self._opened = self._now()

    def require(self) -> None:
        """Make sure that the file is the one that was opened.

        Raises:
            VanishedFileError: It was removed or replaced.
        """
        if self._opened is not None and self._now() != self._opened:
            raise VanishedFileError("the database file was removed or replaced while the app runs")

    def _now(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino


def file_of(url: URL) -> Path | None:
    """The file of an SQLite address; ``None`` for one in memory and for another database."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or name.startswith((":memory:", "file:")):
        return None
    return Path(name).absolute()
