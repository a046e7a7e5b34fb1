"""Brings a database up to the newest schema: ``python -m app.db.migrate [address]``."""

import argparse
import logging
import os
import sys
from pathlib import Path

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import normalise_url
from app.db.open_errors import why_not_opened
from app.settings import SettingsError, load_settings
from app.settings_storage import StorageSettings

_FOLDER = Path(__file__).resolve().parents[2] / "migrations"

PRIVATE = 0o077
"""The umask of the app and its commands: new files are for their own account only."""

_log = logging.getLogger(__name__)


class MigrationError(Exception):
    """The schema can't be brought up to date; the text is one line for an operator."""


def config_for(url: str | URL) -> Config:
    """What Alembic needs to know to work on one database."""
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["url"] = normalise_url(url)
    return config


def upgrade(url: str | URL, revision: str = "head") -> None:
    """Make or update all tables; does nothing where they are up to date.

    Call it from synchronous code, or with ``asyncio.to_thread``, but not from two threads at once:
    Alembic keeps its state in a module. Processes that call it at the same time wait for each
    other. A failing migration is rolled back whole.

    Args:
        url: Address of the database; the folder of an SQLite file must be there.
        revision: Where to stop.

    Raises:
        MigrationError: The database does not answer, can't be used or is newer than this code.
        ValueError: The address can't be used.
    """
    target = normalise_url(url)
    folder = _folder_of(target)
    if folder is not None and not folder.is_dir():
        raise MigrationError(f"the folder {folder} is missing: make it or correct the path of the database.")
    try:
        command.upgrade(config_for(target), revision)
    except (CommandError, SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if isinstance(error, CommandError) and not isinstance(error.__cause__, ResolutionError):
            raise MigrationError(f"the database can't be brought up to date: {error}") from error
        # The error's text can hold the address with its password.
        raise MigrationError(f"{why_not_opened(error, target)}.") from None


def upgrade_configured(storage: StorageSettings, url: str) -> None:
    """Like :func:`upgrade`, for the address in the settings: a failure is one line that names it.

    Args:
        storage: Its data folder is made if it is missing and the database lies there; no other folder is.
        url: Address of the database, with the default filled in.

    Raises:
        MigrationError: The address is wrong, the database does not answer or is newer than this code.
    """
    name = "HEARKEN_STORAGE__DATABASE_URL"
    # Whoever runs the app or one of its commands is the only one to read what they make.
    os.umask(PRIVATE)
    try:
        if _folder_of(normalise_url(url)) == storage.folder.absolute():
            storage.folder.mkdir(parents=True, exist_ok=True)
        upgrade(url)
    except (ValueError, MigrationError) as error:
        raise MigrationError(f"{name}: {error}") from None
    except OSError as error:
        raise MigrationError(
            f"HEARKEN_STORAGE__FOLDER: {storage.folder.absolute()} can't be made ({error.strerror})."
        ) from None


def _folder_of(url: URL) -> Path | None:
    """Where an SQLite file lies; ``None`` for other databases, one in memory and SQLite's own addresses."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
        return None
    return Path(url.database).absolute().parent


def downgrade(url: str | URL, revision: str) -> None:
    """Go back to an older schema; what newer tables held is lost.

    Args:
        url: Address of the database.
        revision: Where to go back to; ``base`` removes every table.
    """
    command.downgrade(config_for(url), revision)


def main(arguments: list[str] | None = None) -> int:
    """Run from a command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m app.db.migrate", description=__doc__)
    parser.add_argument("url", nargs="?", help="address of the database; else the one of the settings")
    given: str | None = parser.parse_args(arguments).url
    try:
        if given:
            upgrade(given)
        else:
            settings = load_settings()
            upgrade_configured(settings.storage, settings.database_url)
    except (MigrationError, SettingsError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("The database is up to date.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
