"""Staff accounts: names, roles, lock-out after failed sign-ins."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, case, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.errors import LastAdminError
from app.db.repository import Repository, changed_row, columns_of, insert_row
from app.db.staff_records import SeenStaff, Staff, StaffRole
from app.db.staff_tables import AuditRow, StaffRow
from app.db.types import new_id

_NOT_SEEN = ("sign_in.failed", "sign_in.refused")
"""Audited under an account, but perhaps done by somebody else."""

STAFF_COLUMNS = columns_of(Staff, StaffRow)


class StaffRepository(Repository):
    """All SQL about staff accounts; passwords arrive here as hashes only."""

    async def create(self, username: str, password_hash: str | None, role: StaffRole) -> Staff:
        """Make an account; ``password_hash=None`` is for those who sign in elsewhere.

        Raises:
            ConflictError: The user name is taken.
        """
        values: dict[str, Any] = {
            "id": new_id(),
            "username": _folded(username),
            "password_hash": password_hash,
            "role": role,
            "created_at": self._now(),
            "disabled_at": None,
            "failed_logins": 0,
            "locked_until": None,
            "session_epoch": 1,
            "provider_subject": None,
        }
        async with self._write() as db:
            return Staff(*await insert_row(db, StaffRow, values, STAFF_COLUMNS))

    async def get(self, staff_id: str) -> Staff | None:
        """One account."""
        return await self._one(StaffRow.id == staff_id)

    async def by_username(self, username: str) -> Staff | None:
        """The account of a user name, in any case."""
        return await self._one(StaffRow.username == _folded(username))

    async def by_subject(self, subject: str) -> Staff | None:
        """The account that a provider's user is bound to."""
        return await self._one(StaffRow.provider_subject == subject)

    async def bind(self, staff_id: str, subject: str) -> Staff | None:
        """Bind an account to a provider's user; ``None`` if it is bound already, to whomever."""
        statement = (
            update(StaffRow)
            .where(StaffRow.id == staff_id, StaffRow.provider_subject.is_(None))
            .values(provider_subject=subject)
        )
        async with self._write() as db:
            row = await changed_row(db, statement, STAFF_COLUMNS)
        return None if row is None else Staff(*row)

    async def unbind(self, staff_id: str) -> Staff | None:
        """Let the next sign-in by the provider bind the account anew; ends all browser sessions."""
        epoch = StaffRow.session_epoch + 1
        return await self._change(staff_id, provider_subject=None, session_epoch=epoch)

    async def list_all(self) -> list[Staff]:
        """All accounts by user name, disabled ones too."""
        query = select(*STAFF_COLUMNS).order_by(StaffRow.username)
        async with self._read() as db:
            return [Staff(*row) for row in await db.execute(query)]

    async def list_seen(self) -> list[SeenStaff]:
        """All accounts by user name, with when each last did something that is audited."""
        query = select(*STAFF_COLUMNS).order_by(StaffRow.username)
        async with self._read() as db:
            accounts = [Staff(*row) for row in await db.execute(query)]
            # One look into the index an account: a join would read all that they ever did.
            return [SeenStaff(one, await db.scalar(_last_line(one.id))) for one in accounts]

    async def set_password(self, staff_id: str, password_hash: str) -> Staff | None:
        """Set a new password hash; ends all browser sessions and any lock-out."""
        return await self._change(
            staff_id,
            password_hash=password_hash,
            failed_logins=0,
            locked_until=None,
            session_epoch=StaffRow.session_epoch + 1,
        )

    async def set_role(self, staff_id: str, role: StaffRole) -> Staff | None:
        """Change the role; ends all browser sessions.

        Raises:
            LastAdminError: No other admin could sign in.
        """
        epoch = StaffRow.session_epoch + 1
        keep = role is not StaffRole.ADMIN
        return await self._change(staff_id, keep_an_admin=keep, role=role, session_epoch=epoch)

    async def disable(self, staff_id: str) -> Staff | None:
        """Shut the account and end all of its browser sessions.

        Raises:
            LastAdminError: No other admin could sign in.
        """
        epoch = StaffRow.session_epoch + 1
        return await self._change(staff_id, keep_an_admin=True, disabled_at=self._now(), session_epoch=epoch)

    async def enable(self, staff_id: str) -> Staff | None:
        """Open a disabled account again."""
        return await self._change(staff_id, disabled_at=None, failed_logins=0, locked_until=None)

    async def end_sessions(self, staff_id: str) -> Staff | None:
        """Sign out everywhere."""
        return await self._change(staff_id, session_epoch=StaffRow.session_epoch + 1)

    async def login_failed(self, staff_id: str, *, limit: int, lock_for: timedelta) -> Staff | None:
        """Count a failed sign-in; the ``limit``-th in a row locks the account for a while."""
        failed = StaffRow.failed_logins + 1
        until: datetime = self._now() + lock_for
        return await self._change(
            staff_id,
            failed_logins=case((failed >= limit, 0), else_=failed),
            locked_until=case((failed >= limit, until), else_=StaffRow.locked_until),
        )

    async def login_succeeded(self, staff_id: str) -> Staff | None:
        """Forget earlier failures."""
        return await self._change(staff_id, failed_logins=0, locked_until=None)

    async def _one(self, condition: ColumnElement[bool]) -> Staff | None:
        async with self._read() as db:
            row = (await db.execute(select(*STAFF_COLUMNS).where(condition))).one_or_none()
        return None if row is None else Staff(*row)

    async def _change(self, staff_id: str, *, keep_an_admin: bool = False, **values: Any) -> Staff | None:
        statement = update(StaffRow).where(StaffRow.id == staff_id).values(values)
        async with self._write() as db:
            if keep_an_admin and await _active_admins(db) == [staff_id]:
                raise LastAdminError
            row = await changed_row(db, statement, STAFF_COLUMNS)
        return None if row is None else Staff(*row)


async def _active_admins(db: AsyncSession) -> list[str]:
    """Ids of admins who can sign in; they stay as they are until the transaction ends.

    Two admins who demote each other at the same moment wait for one another here.
    """
    query = (
        select(StaffRow.id)
        .where(StaffRow.role == StaffRole.ADMIN, StaffRow.disabled_at.is_(None))
        .order_by(StaffRow.id)
        .with_for_update()
    )
    return list((await db.scalars(query)).all())


def _last_line(staff_id: str) -> Select[datetime]:
    """When an account last did something itself."""
    return (
        select(AuditRow.at)
        .where(AuditRow.actor == staff_id, AuditRow.action.not_in(_NOT_SEEN))
        .order_by(AuditRow.at.desc())
        .limit(1)
    )


def _folded(username: str) -> str:
    return username.strip().casefold()
