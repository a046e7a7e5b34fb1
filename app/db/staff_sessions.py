"""Browser sessions of staff; ended by expiry, sign-out, or a new epoch of the account."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, or_, select, update

from app.db.repository import Repository, columns_of, insert_row
from app.db.staff import STAFF_COLUMNS
from app.db.staff_records import Staff, StaffSession
from app.db.staff_tables import StaffRow, StaffSessionRow
from app.db.types import new_id

_COLUMNS = columns_of(StaffSession, StaffSessionRow)


class StaffSessionRepository(Repository):
    """All SQL about signed-in browsers; only SHA-256 hashes (hex) of tokens come here."""

    async def open(self, staff: Staff, token_hash: str, expires_at: datetime) -> StaffSession:
        """Store that a browser signed in.

        Raises:
            GoneError: The account does not exist (any more).
        """
        now = self._now()
        values: dict[str, Any] = {
            "id": new_id(),
            "staff_id": staff.id,
            "token_hash": token_hash,
            "epoch": staff.session_epoch,
            "created_at": now,
            "last_seen_at": now,
            "expires_at": expires_at,
        }
        async with self._write() as db:
            return StaffSession(*await insert_row(db, StaffSessionRow, values, _COLUMNS))

    async def find(self, token_hash: str, idle: timedelta | None = None) -> tuple[Staff, StaffSession] | None:
        """The account and session of a token, if both are still good and it was seen within ``idle``."""
        query = (
            select(*STAFF_COLUMNS, *_COLUMNS)
            .join(StaffRow, StaffRow.id == StaffSessionRow.staff_id)
            .where(
                StaffSessionRow.token_hash == token_hash,
                StaffSessionRow.expires_at > self._now(),
                StaffSessionRow.epoch == StaffRow.session_epoch,
                StaffRow.disabled_at.is_(None),
            )
        )
        if idle is not None:
            query = query.where(StaffSessionRow.last_seen_at > self._now() - idle)
        async with self._read() as db:
            row = (await db.execute(query)).one_or_none()
        if row is None:
            return None
        values: list[Any] = list(row)
        split = len(STAFF_COLUMNS)
        return Staff(*values[:split]), StaffSession(*values[split:])

    async def extend(self, session_id: str, expires_at: datetime) -> None:
        """Note that the browser was seen now, and when it will be signed out otherwise."""
        statement = (
            update(StaffSessionRow)
            .where(StaffSessionRow.id == session_id)
            .values(last_seen_at=self._now(), expires_at=expires_at)
        )
        async with self._write() as db:
            await db.execute(statement)

    async def close(self, token_hash: str) -> None:
        """Sign this browser out."""
        async with self._write() as db:
            await db.execute(delete(StaffSessionRow).where(StaffSessionRow.token_hash == token_hash))

    async def delete_ended(self) -> int:
        """Delete what expired or belongs to an older epoch; how many rows that were."""
        older = (
            select(StaffSessionRow.id)
            .join(StaffRow, StaffRow.id == StaffSessionRow.staff_id)
            .where(StaffSessionRow.epoch < StaffRow.session_epoch)
        )
        statement = (
            delete(StaffSessionRow)
            .where(or_(StaffSessionRow.expires_at <= self._now(), StaffSessionRow.id.in_(older)))
            .returning(StaffSessionRow.id)
        )
        async with self._write() as db:
            return len((await db.execute(statement)).all())
