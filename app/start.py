"""Brings the database up to date and serves the application until it is stopped."""

import asyncio
import logging
import socket
import sys
from datetime import date
from pathlib import Path

import uvicorn
from pydantic import ValidationError
from starlette.types import ASGIApp

from app.auth.secret import FILE, KeyFileError, signing_key
from app.database import check_keys, has_persons
from app.db.cipher import EncryptionError
from app.db.engine import normalise_url
from app.db.file_identity import file_of
from app.db.migrate import MigrationError, upgrade_configured
from app.leaving import Leaving
from app.logs import configure_logging
from app.main import create_app
from app.private_files import tighten
from app.settings import SafetySettings, Settings
from app.sole_process import SecondProcessError, sole_process
from safety.helplines import load_directory

_log = logging.getLogger(__name__)

_FAULTS_TOLD = 5
"""Faults of a file that are named one by one."""


class StartError(Exception):
    """The application can't start; the text is one line for an operator."""


class _AnnouncingServer(uvicorn.Server):
    """Prints the address once the port is really open, and lets turns and pages end before it stops."""

    def __init__(self, config: uvicorn.Config, address: str, leaving: Leaving) -> None:
        super().__init__(config)
        self._address = address
        self._leaving = leaving

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the port, then say where."""
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Hearken is listening: {self._address}\n")
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more requests, end what is going on, close."""
        ending = asyncio.ensure_future(self._leaving.leave())
        try:
            await super().shutdown(sockets)
        finally:
            ending.cancel()


def start(settings: Settings) -> None:
    """Migrate and serve.

    Raises:
        StartError: When the database can't be used or the helplines can't be shown.
    """
    configure_logging(settings.server.log_level)
    try:
        database = _sqlite_file(settings)
        named = settings.storage.database_url is not None
        with sole_process(database, f"HEARKEN_STORAGE__{'DATABASE_URL' if named else 'FOLDER'}"):
            tighten(settings.storage.folder, database)
            _serve(settings)
    except SecondProcessError as error:
        raise StartError(str(error)) from None


def _serve(settings: Settings) -> None:
    try:
        upgrade_configured(settings.storage, settings.database_url)
    except MigrationError as error:
        raise StartError(str(error)) from None
    _check_keys(settings)
    _check_cookie_key(settings)
    _check_helplines(settings.safety)
    app = create_app(settings)
    _AnnouncingServer(server_config(app, settings), address_of(settings), app.state.leaving).run()


def server_config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How the web server runs the application."""
    return uvicorn.Config(
        app,
        host=settings.server.host,
        port=settings.server.port,
        # It warns of requests that can't be read or ask for another protocol: anybody can send those.
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=settings.server.public_url is not None,
        timeout_graceful_shutdown=10,
    )


def _sqlite_file(settings: Settings) -> Path | None:
    """The file, in a folder that is there; only the data folder and what is below it is made.

    Raises:
        StartError: Its folder is missing elsewhere: a mistyped path would look as if all were lost.
    """
    try:
        file = file_of(normalise_url(settings.database_url))
    except ValueError:  # told with the name of its setting when it is opened
        return None
    if file is None:
        return None
    if file.is_relative_to(settings.storage.folder.absolute()):
        file.parent.mkdir(parents=True, exist_ok=True)
    elif not file.parent.is_dir():
        raise StartError(
            f"HEARKEN_STORAGE__DATABASE_URL: the folder {file.parent} is missing: make it or correct the "
            "path of the database."
        )
    return file


def _check_keys(settings: Settings) -> None:
    """Text that can't be decrypted must be found now, not in the middle of a conversation."""
    try:
        asyncio.run(check_keys(settings))
    except EncryptionError as error:
        raise StartError(str(error)) from None


def _check_cookie_key(settings: Settings) -> None:
    """With another key no browser finds its conversations: a lost one must be missed, not made anew."""
    if settings.server.secret_key is not None:
        return
    folder = settings.storage.folder
    try:
        if not (folder / FILE).exists() and asyncio.run(has_persons(settings)):
            raise StartError(
                f"{folder / FILE} is missing, and without it nobody finds the conversations in the database "
                "again: put it back from a backup, or set HEARKEN_SERVER__SECRET_KEY if that was used. If it "
                "is lost for good, run `python -m app.cookie_key` for a new one."
            )
        signing_key(folder, None)
    except KeyFileError as error:
        raise StartError(str(error)) from None
    except OSError as error:
        raise StartError(f"{folder / FILE} can't be read or written ({error.strerror}).") from None


def _check_helplines(chosen: SafetySettings) -> None:
    """An operator's helplines must be readable, and there must be some for the country that is assumed.

    Entries that nobody has checked for a year are told, by their ids.
    """
    try:
        directory = load_directory(chosen.helplines_file)
    except (OSError, ValueError) as error:
        raise StartError(
            f"HEARKEN_SAFETY__HELPLINES_FILE: the file is no list of helplines in the form of "
            f"safety/helplines.json: {_wrong_helplines(error)}."
        ) from None
    if stale := directory.stale(date.today()):
        ids = ", ".join(line.id for line in stale)
        _log.warning("%d helplines bear no date or were checked over 12 months ago: %s", len(stale), ids)
    country = chosen.default_country
    if country is not None and country not in dict(directory.countries()):
        raise StartError(
            f"HEARKEN_SAFETY__DEFAULT_COUNTRY: there are no helplines for {country}; add some with "
            "HEARKEN_SAFETY__HELPLINES_FILE or leave it unset: international lines are shown then."
        )


def _wrong_helplines(error: OSError | ValueError) -> str:
    """Which entries of the file are wrong, and how."""
    if isinstance(error, OSError):
        return f"it can't be read ({error.strerror})"
    if not isinstance(error, ValidationError):
        return str(error)
    found = error.errors(include_url=False, include_input=False)
    told = [
        f"{'.'.join(map(str, one['loc']))}: {one['msg']}" if one["loc"] else one["msg"]
        for one in found[:_FAULTS_TOLD]
    ]
    more = len(found) - len(told)
    return "; ".join([*told, f"and {more} more"] if more else told)


def address_of(settings: Settings) -> str:
    """The address a person opens in the browser."""
    if settings.server.public_url is not None:
        return str(settings.server.public_url)
    host = settings.server.host
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  only compared
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{settings.server.port}"
