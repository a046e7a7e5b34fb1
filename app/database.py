"""The database that the settings name, opened as they say."""

from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.encryption_keys import claim_keys
from app.db.engine import create_engine, session_factory
from app.db.persons import PersonRepository
from app.settings import Settings


def configured_engine(settings: Settings) -> AsyncEngine:
    """An engine that encrypts and decrypts with the keys of the settings; nothing is connected yet."""
    storage = settings.storage
    return create_engine(settings.database_url, pool_size=storage.pool_size, cipher=storage.cipher)


async def check_keys(settings: Settings) -> None:
    """See :func:`app.db.encryption_keys.claim_keys`, for a process that has opened nothing yet.

    Raises:
        EncryptionError: Stored text needs a key that the settings lack.
    """
    engine = configured_engine(settings)
    try:
        await claim_keys(session_factory(engine), settings.storage.cipher)
    finally:
        await engine.dispose()


async def has_persons(settings: Settings) -> bool:
    """Whether anybody's conversations are stored, for a process that has opened nothing yet."""
    engine = configured_engine(settings)
    try:
        return not await PersonRepository(session_factory(engine)).is_empty()
    finally:
        await engine.dispose()
