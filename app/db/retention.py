"""Retention: conversations are deleted some days after their last message, unless they are held.

The rule, for people to read, is in docs/people.md and on the page: a conversation is deleted, with all
that belongs to it, once it has been quiet for the set number of days. One that a reviewer still has to
look at (an open flag) is kept until the flag is closed. A person without conversations who has not been
here for as long is deleted as well. Logins of staff go when they have expired. Running the job twice, or
in two processes at once, changes nothing more.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, exists, func, or_, select

from app.db.audit import Detail, append
from app.db.engine import SessionFactory
from app.db.ownership import owned_tables
from app.db.repository import Repository
from app.db.review_records import FlagStatus
from app.db.review_tables import FlagRow
from app.db.staff_tables import StaffSessionRow
from app.db.tables import PersonRow, SessionRow
from app.db.types import Clock, utc_now

ACTOR = "system:retention"


@dataclass(frozen=True, slots=True)
class RetentionReport:
    """What one run did.

    Attributes:
        sessions: Conversations deleted.
        persons: Persons deleted.
        held: Quiet conversations kept for a reviewer.
        staff_sessions: Expired logins of staff deleted.
        orphans: Rows deleted whose person or conversation is gone.
    """

    sessions: int
    persons: int
    held: int
    staff_sessions: int = 0
    orphans: int = 0


async def delete_expired(
    sessions: SessionFactory, keep_days: int, *, batch: int = 500, clock: Clock = utc_now
) -> RetentionReport:
    """Apply the rule above, in batches, so that nobody waits long for the tables.

    Args:
        sessions: Makes database sessions.
        keep_days: Days that a quiet conversation is kept, at least 1.
        batch: Most rows deleted in one transaction.
        clock: Tells the time.

    Returns:
        What was done; the audit log has a line for each batch, written with it.

    Raises:
        ValueError: ``keep_days`` or ``batch`` is below 1.
    """
    if keep_days < 1 or batch < 1:
        raise ValueError("keep_days and batch must be at least 1")
    return await _Retention(sessions, clock).run(keep_days, batch)


class _Retention(Repository):
    async def run(self, keep_days: int, batch: int) -> RetentionReport:
        now = self._now()
        before = now - timedelta(days=keep_days)
        quiet = SessionRow.last_activity_at < before
        has_open_flag = exists().where(FlagRow.session_id == SessionRow.id, FlagRow.status == FlagStatus.OPEN)
        gone = PersonRow.last_seen_at < before
        has_session = exists().where(SessionRow.person_id == PersonRow.id)
        expired = StaffSessionRow.expires_at < now
        held = select(func.count()).select_from(SessionRow).where(quiet, has_open_flag)
        async with self._read() as db:
            held_count = (await db.execute(held)).scalar_one()
        rule: Detail = {"keep_days": keep_days}
        return RetentionReport(
            sessions=await self._delete(_table(SessionRow), (quiet, ~has_open_flag), batch, rule),
            persons=await self._delete(_table(PersonRow), (gone, ~has_session), batch, rule),
            held=held_count,
            staff_sessions=await self._delete(_table(StaffSessionRow), (expired,), batch, {}),
            orphans=await self._delete_orphans(batch),
        )

    async def _delete_orphans(self, batch: int) -> int:
        """Rows whose owner is not there: SQLite checks that only on connections that ask for it."""
        async with self._read() as db:
            if db.get_bind().dialect.name != "sqlite":
                return 0
        deleted = 0
        for table in owned_tables():
            lost = _has_lost_its_owner(table)
            if lost is not None:
                deleted += await self._delete(table, (lost,), batch, {})
        return deleted

    async def _delete(
        self, table: Table, conditions: tuple[ColumnElement[bool], ...], batch: int, rule: Detail
    ) -> int:
        keys = list(table.primary_key.columns)
        deleted = 0
        while True:
            # Looked for without the lock of a writer: most days there is nothing to delete.
            async with self._read() as db:
                found = (await db.execute(select(*keys).where(*conditions).limit(batch))).all()
            if not found:
                return deleted
            deleted += await self._delete_rows(table, found, conditions, rule)

    async def _delete_rows(
        self, table: Table, found: Any, conditions: tuple[ColumnElement[bool], ...], rule: Detail
    ) -> int:
        keys = list(table.primary_key.columns)
        these = keys[0].in_([row[0] for row in found])
        # The conditions stand here too: a row that somebody changed in the meantime is looked at
        # again, so a person who comes back is safe.
        statement = delete(table).where(these, *conditions).returning(keys[0])
        async with self._erase() as db:
            count = len((await db.execute(statement)).all())
            if count:
                detail: Detail = {"rows": count, **rule}
                await append(db, self._now(), ACTOR, "retention.deleted", str(table.name), None, detail)
        return count


def _table(row: Any) -> Table:
    table: Table = row.__table__
    return table


def _has_lost_its_owner(table: Table) -> ColumnElement[bool] | None:
    """The condition that a row refers to a row it would have been deleted with, and that is not there."""
    lost = [
        ~exists().where(constraint.referred_table.c.id == table.c[constraint.column_keys[0]])
        & table.c[constraint.column_keys[0]].is_not(None)
        for constraint in table.foreign_key_constraints
        if constraint.ondelete == "CASCADE" and constraint.referred_table is not table
    ]
    return or_(*lost) if lost else None
