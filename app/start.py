"""Brings the database up to date and serves the application until it is stopped."""

import asyncio
import logging
import socket
import sys
from datetime import date

import uvicorn

from app.database import check_keys
from app.db.cipher import EncryptionError
from app.db.migrate import MigrationError, upgrade_configured
from app.logs import configure_logging
from app.main import create_app
from app.settings import SafetySettings, Settings
from safety.helplines import load_directory

_log = logging.getLogger(__name__)


class StartError(Exception):
    """The application can't start; the text is one line for an operator."""


class _AnnouncingServer(uvicorn.Server):
    """Prints the address once the port is really open."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the port, then say where."""
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Hearken is listening: {self._address}\n")
            sys.stdout.flush()


def start(settings: Settings) -> None:
    """Migrate and serve.

    Raises:
        StartError: When the database can't be used or the helplines can't be shown.
    """
    configure_logging(settings.server.log_level)
    try:
        upgrade_configured(settings.database_url)
    except MigrationError as error:
        raise StartError(str(error)) from None
    _check_keys(settings)
    _check_helplines(settings.safety)
    config = uvicorn.Config(
        create_app(settings),
        host=settings.server.host,
        port=settings.server.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=settings.server.public_url is not None,
        timeout_graceful_shutdown=10,
    )
    _AnnouncingServer(config, address_of(settings)).run()


def _check_keys(settings: Settings) -> None:
    """Text that can't be decrypted must be found now, not in the middle of a conversation."""
    try:
        asyncio.run(check_keys(settings))
    except EncryptionError as error:
        raise StartError(str(error)) from None


def _check_helplines(chosen: SafetySettings) -> None:
    """An operator's helplines must be readable, and there must be some for the country that is assumed.

    Entries that nobody has checked for a year are told, by their ids.
    """
    try:
        directory = load_directory(chosen.helplines_file)
    except (OSError, ValueError) as error:
        raise StartError(
            f"HEARKEN_SAFETY__HELPLINES_FILE: the file is no list of helplines in the form of "
            f"safety/helplines.json ({type(error).__name__})."
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


def address_of(settings: Settings) -> str:
    """The address a person opens in the browser."""
    if settings.server.public_url is not None:
        return str(settings.server.public_url)
    host = settings.server.host
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  only compared
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{settings.server.port}"
