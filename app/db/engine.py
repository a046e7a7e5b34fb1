"""The database engine: which driver, which pool, and how SQLite is set up."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from app.db.cipher import TextCipher, attach
from app.db.file_identity import FileIdentity, file_of
from app.db.log_erasure import INFO_KEY, LogEraser
from app.db.types import dump_json

SessionFactory = async_sessionmaker[AsyncSession]

WRITES = "hearken_writes"
"""Execution option of a transaction that writes; SQLite then takes its lock at the start."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}


def normalise_url(url: str | URL) -> URL:
    """Turn the usual ways to write a database address into one for the drivers used here.

    ``postgres://`` and ``postgresql://`` get asyncpg, ``sqlite://`` gets aiosqlite, and libpq's
    ``sslmode`` becomes asyncpg's ``ssl``.

    Raises:
        ValueError: The address can't be read or names another database or driver.
    """
    try:
        parsed = make_url(url)
    except Exception as error:
        # The address may hold a password, so it is not repeated.
        raise ValueError("the database address can't be read") from error
    driver = _DRIVERS.get(parsed.drivername)
    if driver is None:
        raise ValueError(
            f"databases of kind {parsed.drivername!r} are not supported, use sqlite or postgresql"
        )
    parsed = parsed.set(drivername=driver)
    mode = parsed.query.get("sslmode")
    if mode is not None:
        parsed = parsed.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    return parsed


def create_engine(
    url: str | URL,
    *,
    pool_size: int = 10,
    max_overflow: int = 10,
    pool_timeout_s: float = 15.0,
    busy_timeout_s: float = 15.0,
    statement_timeout_s: float = 30.0,
    connect_timeout_s: float = 10.0,
    foreign_keys: bool = True,
    cipher: TextCipher | None = None,
) -> AsyncEngine:
    """Make an engine; nothing is connected yet.

    Args:
        url: See :func:`normalise_url`.
        pool_size: Connections kept open.
        max_overflow: Connections opened beyond that under load.
        pool_timeout_s: Seconds a caller waits for a free connection.
        busy_timeout_s: SQLite: seconds a writer waits for another one.
        statement_timeout_s: PostgreSQL: seconds after which a statement is given up.
        connect_timeout_s: PostgreSQL: seconds for connecting.
        foreign_keys: SQLite: off only for migrations, which rebuild tables.
        cipher: Encrypts and decrypts private text; ``None`` stores it plain and can read plain text only.
    """
    target = normalise_url(url)
    options: dict[str, Any] = {
        "json_serializer": dump_json,
        # Parameters are people's texts; they must not reach a log with an error.
        "hide_parameters": True,
    }
    if not _in_memory(target):
        options |= {"pool_size": pool_size, "max_overflow": max_overflow, "pool_timeout": pool_timeout_s}
    if target.get_backend_name() == "sqlite":
        engine = create_async_engine(target, **options)
        _set_up_sqlite(engine, busy_timeout_s, foreign_keys)
        file = file_of(target)
        if file is not None:
            _watch(engine, FileIdentity(file))
        attach(engine.dialect, cipher or TextCipher())
        return engine
    engine = create_async_engine(
        target,
        # A server or a proxy may have closed a connection that was idle.
        pool_pre_ping=True,
        pool_recycle=1800,
        connect_args={
            "timeout": connect_timeout_s,
            "command_timeout": statement_timeout_s,
            "server_settings": {"application_name": "hearken", "timezone": "UTC"},
        },
        **options,
    )
    attach(engine.dialect, cipher or TextCipher())
    return engine


def session_factory(engine: AsyncEngine) -> SessionFactory:
    """What repositories are built with."""
    return async_sessionmaker(engine, expire_on_commit=False, info={INFO_KEY: LogEraser(engine.url)})


def _in_memory(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _set_up_sqlite(engine: AsyncEngine, busy_timeout_s: float, foreign_keys: bool) -> None:
    pragmas: Mapping[str, str | int] = {
        # First, because changing the journal mode can itself meet a lock.
        "busy_timeout": int(busy_timeout_s * 1000),
        "journal_mode": "WAL",
        "synchronous": "NORMAL",
        "foreign_keys": "ON" if foreign_keys else "OFF",
        # What a person deletes, and plain text that is encrypted, is overwritten in the file as well.
        "secure_delete": "ON",
    }
    # At its lowest level the driver logs every statement with its parameters, people's texts.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    event.listen(engine.sync_engine, "connect", _on_connect(pragmas))
    event.listen(engine.sync_engine, "begin", _on_begin)


def _watch(engine: AsyncEngine, identity: FileIdentity) -> None:
    """Let nothing be written to a file that is gone."""

    def connected(_connection: Any, _record: Any) -> None:
        identity.note()

    def begun(_connection: Connection) -> None:
        identity.require()

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun, insert=True)


def _on_connect(pragmas: Mapping[str, str | int]) -> Callable[[Any, Any], None]:
    def connect(connection: Any, _record: Any) -> None:
        # The driver's own idea of when a transaction starts is turned off; see _on_begin.
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            for name, value in pragmas.items():
                cursor.execute(f"PRAGMA {name} = {value}")
        except BaseException:
            # Nobody else closes it: the file is damaged, and the driver's thread would outlive the loop.
            connection.close()
            raise
        cursor.close()

    return connect


def _on_begin(connection: Connection) -> None:
    # A transaction that reads first and writes later would fail at once, without waiting, when
    # another one wrote in between. So a writer takes the lock when it begins.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
