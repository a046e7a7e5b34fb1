"""Runs migrations: on a connection handed over by the caller, or on an address of its own."""

import asyncio

from alembic import context
from alembic.util import CommandError
from sqlalchemy import URL, Connection, text

from app.db.engine import WRITES, create_engine, normalise_url
from app.db.schema import METADATA
from app.settings import load_settings

_LOCK = 0x4845_4152  # the same for every process that migrates; any number would do


def _address() -> str | URL:
    """From the caller, from ``alembic -x url=…``, else from the settings."""
    if "url" in context.config.attributes:
        return context.config.attributes["url"]
    return context.get_x_argument(as_dictionary=True).get("url") or load_settings().database_url


def _migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        compare_type=True,
        render_as_batch=connection.dialect.name == "sqlite",
        # SQLite can roll back a change of tables too, because the engine begins transactions itself.
        transactional_ddl=True,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            # Two processes that start at once migrate one after the other.
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        context.run_migrations()
        if connection.dialect.name == "sqlite":
            broken = connection.execute(text("PRAGMA foreign_key_check")).all()
            if broken:
                raise CommandError(f"{len(broken)} rows refer to rows that do not exist")


async def _migrate_at(address: str | URL) -> None:
    # Without foreign keys, because rebuilding a table on SQLite would delete what refers to it.
    engine = create_engine(address, foreign_keys=False, statement_timeout_s=3600)
    try:
        async with engine.connect() as connection:
            connection = await connection.execution_options(**{WRITES: True})
            await connection.run_sync(_migrate)
            await connection.commit()
    finally:
        await engine.dispose()


def _print_sql(address: str | URL) -> None:
    context.configure(
        url=normalise_url(address),
        target_metadata=METADATA,
        literal_binds=True,
        dialect_opts={"paramstyle": "named"},
    )
    with context.begin_transaction():
        context.run_migrations()


def _run() -> None:
    connection: Connection | None = context.config.attributes.get("connection")
    if connection is not None:
        _migrate(connection)
    elif context.is_offline_mode():
        _print_sql(_address())
    else:
        asyncio.run(_migrate_at(_address()))


_run()
