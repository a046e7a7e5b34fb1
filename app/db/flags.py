"""Flags: sessions a reviewer should look at, one open flag a session."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, or_, select, update
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotation_queue import dequeue_session
from app.db.errors import ConflictError, GoneError
from app.db.flag_order import MOST_URGENT_FIRST
from app.db.repository import AnyRow, AnySelect, Repository, changed_row, columns_of, insert_row, upsert_into
from app.db.review_records import Flag, FlagNote, FlagOutcome, FlagStatus
from app.db.review_tables import IS_OPEN, FlagNoteRow, FlagRow
from app.db.sessions import lock_session
from app.db.types import new_id
from safety.levels import RiskCategory, RiskLevel

_COLUMNS = columns_of(Flag, FlagRow)
_NOTE_COLUMNS = columns_of(FlagNote, FlagNoteRow)


class FlagRepository(Repository):
    """All SQL that changes flags, and reviewers' notes; the list on the page is ``FlagQueueRepository``'s.

    Changes by staff name the ``version`` they saw; if the flag has changed since, nothing is
    written and :class:`ConflictError` asks to look again. A new alarm does not count as a change
    of version unless it raises the level.
    """

    async def raise_flag(
        self, session_id: str, message_id: str, level: RiskLevel, category: RiskCategory
    ) -> Flag:
        """Open a flag for the session, or add to the open one, whose level can only rise.

        Raises:
            GoneError: The message or the conversation does not exist (any more).
        """
        async with self._write() as db:
            await lock_session(db, session_id)
            opening = open_or_raise(db, session_id, message_id, level, category, self._now())
            row = await changed_row(db, opening, _COLUMNS)
            await dequeue_session(db, session_id)
        if row is None:
            raise GoneError("the flag was not stored")
        return _flag(row)

    async def get(self, flag_id: str) -> Flag | None:
        """One flag."""
        async with self._read() as db:
            row = (await db.execute(_by_id(flag_id))).one_or_none()
        return None if row is None else _flag(row)

    async def open_for(self, session_id: str) -> Flag | None:
        """The open flag of a session."""
        query = select(*_COLUMNS).where(FlagRow.session_id == session_id, FlagRow.status == FlagStatus.OPEN)
        async with self._read() as db:
            row = (await db.execute(query)).one_or_none()
        return None if row is None else _flag(row)

    async def for_session(self, session_id: str) -> list[Flag]:
        """All flags a session has had, the oldest first."""
        query = (
            select(*_COLUMNS).where(FlagRow.session_id == session_id).order_by(FlagRow.opened_at, FlagRow.id)
        )
        async with self._read() as db:
            return [_flag(row) for row in await db.execute(query)]

    async def list_open(self, limit: int = 200) -> list[Flag]:
        """Open flags: highest level first, then the earliest deadline."""
        query = (
            select(*_COLUMNS)
            .where(FlagRow.status == FlagStatus.OPEN)
            .order_by(*MOST_URGENT_FIRST)
            .limit(limit)
        )
        async with self._read() as db:
            return [_flag(row) for row in await db.execute(query)]

    async def list_closed(self, limit: int = 200) -> list[Flag]:
        """Closed flags, the latest first."""
        query = (
            select(*_COLUMNS)
            .where(FlagRow.status == FlagStatus.CLOSED)
            .order_by(FlagRow.closed_at.desc(), FlagRow.id)
            .limit(limit)
        )
        async with self._read() as db:
            return [_flag(row) for row in await db.execute(query)]

    async def assign(self, flag_id: str, staff_id: str | None, version: int) -> Flag:
        """Give the flag to a reviewer, or to nobody.

        Raises:
            ConflictError: The flag is not as it was in ``version``, or is closed: it is reopened first.
            GoneError: The flag or the staff account does not exist (any more).
        """
        return await self._change(flag_id, version, FlagRow.status == FlagStatus.OPEN, assigned_to=staff_id)

    async def set_outcome(self, flag_id: str, outcome: FlagOutcome, staff_id: str, version: int) -> Flag:
        """Store what a reviewer found; closes the flag unless the outcome asks for a follow-up.

        Raises:
            ConflictError: The flag is not as it was in ``version``.
            GoneError: The flag does not exist (any more).
        """
        now = self._now()
        if outcome is FlagOutcome.NEEDS_FOLLOW_UP:
            return await self._change(
                flag_id, version, outcome=outcome, assigned_to=staff_id, answered_at=now
            )
        return await self._change(
            flag_id,
            version,
            outcome=outcome,
            status=FlagStatus.CLOSED,
            closed_at=now,
            closed_by=staff_id,
            answered_at=now,
        )

    async def reopen(self, flag_id: str, version: int) -> Flag:
        """Open a closed flag again; its outcome stays until a new one is set, its clock begins anew.

        Raises:
            ConflictError: The flag is not as it was in ``version``, or its session has another
                open flag by now, which is the one to work on.
            GoneError: The flag does not exist (any more).
        """
        return await self._change(
            flag_id,
            version,
            FlagRow.status == FlagStatus.CLOSED,
            status=FlagStatus.OPEN,
            closed_at=None,
            closed_by=None,
            answered_at=None,
            restarted_at=self._now(),
        )

    async def add_note(self, flag_id: str, author_id: str, text: str) -> FlagNote:
        """Store a reviewer's note.

        Raises:
            GoneError: The flag or the staff account does not exist (any more).
        """
        values: dict[str, Any] = {
            "id": new_id(),
            "flag_id": flag_id,
            "author_id": author_id,
            "text": text,
            "created_at": self._now(),
        }
        async with self._write() as db:
            return FlagNote(*await insert_row(db, FlagNoteRow, values, _NOTE_COLUMNS))

    async def notes(self, *flag_ids: str) -> list[FlagNote]:
        """The notes on these flags, oldest first."""
        query = (
            select(*_NOTE_COLUMNS)
            .where(FlagNoteRow.flag_id.in_(flag_ids))
            .order_by(FlagNoteRow.created_at, FlagNoteRow.id)
        )
        async with self._read() as db:
            return [FlagNote(*row) for row in await db.execute(query)]

    async def _change(
        self, flag_id: str, version: int, *conditions: ColumnElement[bool], **values: Any
    ) -> Flag:
        statement = (
            update(FlagRow)
            .where(FlagRow.id == flag_id, FlagRow.version == version, *conditions)
            .values(values | {"version": FlagRow.version + 1})
        )
        async with self._write() as db:
            row = await changed_row(db, statement, _COLUMNS)
            if row is not None:
                return _flag(row)
            if (await db.execute(_by_id(flag_id))).one_or_none() is None:
                raise GoneError("the flag does not exist")
        raise ConflictError("the flag has changed")


def open_or_raise(
    db: AsyncSession, session_id: str, message_id: str, level: RiskLevel, category: RiskCategory, at: datetime
) -> Insert:
    """One statement, so that two alarms at once neither open two flags nor lose the higher level.

    A flag that was answered and waits for a follow-up is unanswered again: the person is in danger
    anew, and whoever is on duty must hear of it.
    """
    values = {
        "id": new_id(),
        "session_id": session_id,
        "message_id": message_id,
        "level": level,
        "category": category,
        "status": FlagStatus.OPEN,
        "hits": 1,
        "version": 1,
        "opened_at": at,
        "raised_at": at,
    }
    opening = upsert_into(db, FlagRow).values(values)
    new = opening.excluded
    rises = new.level > FlagRow.level
    only_if_higher = ("message_id", "level", "category", "raised_at")
    changes: dict[str, Any] = {
        name: case((rises, new[name]), else_=getattr(FlagRow, name)) for name in only_if_higher
    }
    anew = FlagRow.answered_at.is_not(None)
    changes["version"] = case((or_(rises, anew), FlagRow.version + 1), else_=FlagRow.version)
    changes["restarted_at"] = case((rises, None), (anew, new.raised_at), else_=FlagRow.restarted_at)
    changes["answered_at"] = None
    changes["hits"] = FlagRow.hits + 1
    return opening.on_conflict_do_update(index_elements=["session_id"], index_where=IS_OPEN, set_=changes)


def _by_id(flag_id: str) -> AnySelect:
    return select(*_COLUMNS).where(FlagRow.id == flag_id)


def _flag(row: AnyRow) -> Flag:
    return Flag(*row)
