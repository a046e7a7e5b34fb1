"""Which keys the stored text may need: noted by id, so that a missing one is found before the start."""

from collections.abc import Collection

from sqlalchemy import delete, select

from app.db.cipher import SETTING, EncryptionError, TextCipher
from app.db.engine import SessionFactory
from app.db.repository import Repository, upsert_into
from app.db.upkeep_tables import EncryptionKeyRow


class EncryptionKeyRepository(Repository):
    """All SQL about the ids of keys."""

    async def known(self) -> frozenset[str]:
        """Ids of all keys that some text may be encrypted with."""
        async with self._read() as db:
            return frozenset((await db.execute(select(EncryptionKeyRow.id))).scalars())

    async def add(self, key_id: str) -> None:
        """Note that text is encrypted with this key from now on."""
        values = {"id": key_id, "first_used_at": self._now()}
        async with self._write() as db:
            statement = upsert_into(db, EncryptionKeyRow).values(values)
            await db.execute(statement.on_conflict_do_nothing(index_elements=["id"]))

    async def remove(self, key_ids: Collection[str]) -> None:
        """Forget keys that no stored text needs any more."""
        async with self._write() as db:
            await db.execute(delete(EncryptionKeyRow).where(EncryptionKeyRow.id.in_(list(key_ids))))


async def claim_keys(sessions: SessionFactory, cipher: TextCipher) -> None:
    """Make sure that all stored text can be read, and note the key that new text gets.

    Must run before the first text is written with a key, or a later start could not miss it.

    Raises:
        EncryptionError: Text may be encrypted with a key that the settings lack; nothing was changed.
    """
    keys = EncryptionKeyRepository(sessions)
    known = await keys.known()
    missing = sorted(known - cipher.key_ids)
    if missing:
        raise EncryptionError(
            f"{SETTING}: stored text is encrypted with key {', '.join(missing)}, which is not among the keys "
            "of this setting; add the key again. Nothing was changed."
        )
    if cipher.writes is not None and cipher.writes not in known:
        await keys.add(cipher.writes)
