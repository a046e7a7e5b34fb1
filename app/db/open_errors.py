"""Why a database can't be opened, in words for whoever runs it: what it means and what to do.

The texts of the drivers can hold the address with its password; they are never passed on.
"""

import asyncio
import socket
import sqlite3
import ssl
from collections.abc import Iterator

import asyncpg
from alembic.script.revision import ResolutionError
from sqlalchemy import URL

_SQLITE = {
    sqlite3.SQLITE_NOTADB: "the file is damaged or no SQLite database: restore the backup or name another",
    sqlite3.SQLITE_CORRUPT: "the file is damaged: restore the backup",
    sqlite3.SQLITE_CANTOPEN: "the file can't be opened or made: change its owner, or name another file",
    sqlite3.SQLITE_PERM: "the file can't be opened: change its owner, or name another file",
    sqlite3.SQLITE_READONLY: "the file or its folder can't be written: change the owner or name another file",
    sqlite3.SQLITE_BUSY: "another process keeps the file locked: stop that process and start again",
    sqlite3.SQLITE_FULL: "the disk is full: make room and start again",
    sqlite3.SQLITE_IOERR: "the file can't be read or written: check the disk it lies on",
}
_POSTGRES: dict[type[BaseException], str] = {
    asyncpg.InvalidAuthorizationSpecificationError: "the server refuses user or password: correct them",
    asyncpg.InvalidCatalogNameError: "the server has no database {database}: create it or correct the name",
    asyncpg.InsufficientPrivilegeError: "the user may not make tables: let it own the database {database}",
    asyncpg.TooManyConnectionsError: "the server takes no more connections: allow it more, or close some",
    asyncpg.CannotConnectNowError: "the server is starting or stopping: start again in a moment",
    asyncpg.DuplicateTableError: "database {database} holds tables of something else: give Hearken its own",
}


def why_not_opened(error: BaseException, url: URL) -> str:
    """One sentence, without the user and the password of the address.

    Args:
        error: What opening the database or changing its schema ended with.
        url: Its address.
    """
    causes = list(_causes(error))
    for one in causes:
        found = _sqlite(one) or _postgres(one, url) or _schema(one)
        if found:
            return found
    for one in causes:
        if isinstance(one, OSError):
            return _network(one, url)
    return f"the database can't be opened ({type(error).__name__})"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it came from, the first cause last."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        yield error
        original = getattr(error, "orig", None)
        error = original if isinstance(original, BaseException) else error.__cause__ or error.__context__


def _sqlite(error: BaseException) -> str | None:
    if not isinstance(error, sqlite3.Error):
        return None
    # The lowest byte is the kind, those above say more.
    found = _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if found is None and "already exists" in str(error):
        return "the file holds tables of something else: name another file"
    return found


def _postgres(error: BaseException, url: URL) -> str | None:
    for kind, words in _POSTGRES.items():
        if isinstance(error, kind):
            return words.format(database=url.database or "of that name")
    return None


def _schema(error: BaseException) -> str | None:
    if not isinstance(error, ResolutionError):
        return None
    return (
        f"the database was made by a newer Hearken (its schema is {error.argument}): start that version, or "
        "restore the backup from before the upgrade"
    )


def _network(error: OSError, url: URL) -> str:
    host, at = url.host or "the host", f"{url.host or 'the address'}, port {url.port or 5432}"
    if isinstance(error, socket.gaierror):
        return f"the host name {host} is not known here: correct it, or check the network's name service"
    if isinstance(error, ssl.SSLError):
        return f"no secure connection with {at}: check the server's certificate and sslmode in the address"
    if isinstance(error, asyncio.TimeoutError | TimeoutError):
        return f"{at} does not answer in time: check the address, the network and that the server runs"
    if isinstance(error, PermissionError | FileNotFoundError | NotADirectoryError | IsADirectoryError):
        return f"a file or folder can't be used ({error.strerror}): change its owner, or name another one"
    return f"nothing answers at {at}: start the database server or correct the address"
