"""The list on the review page: flags by urgency with the names of who has them, in one query."""

from dataclasses import dataclass, fields
from enum import StrEnum

from sqlalchemy import select

from app.db.flag_order import MOST_URGENT_FIRST
from app.db.repository import AnySelect, Repository, columns_of
from app.db.review_records import Flag, FlagStatus
from app.db.review_tables import FlagRow
from app.db.staff_tables import StaffRow

_COLUMNS = columns_of(Flag, FlagRow)
_FIELDS = len(fields(Flag))


class QueuePart(StrEnum):
    """Which flags the list shows."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class QueuedFlag:
    """A flag of the list; ``assignee`` is the user name of who has it."""

    flag: Flag
    assignee: str | None


class FlagQueueRepository(Repository):
    """All SQL of the list; every open page asks it every few seconds."""

    async def status_of(self, flag_id: str) -> FlagStatus | None:
        """Whether a flag is open; ``None`` when it was deleted with its conversation."""
        query = select(FlagRow.status).where(FlagRow.id == flag_id)
        async with self._read() as db:
            return (await db.execute(query)).scalar_one_or_none()

    async def list(self, part: QueuePart, limit: int = 300) -> list[QueuedFlag]:
        """Flags of a part: highest level first, then the earliest deadline; closed ones latest first.

        Args:
            part: Which flags.
            limit: Most flags returned.
        """
        query: AnySelect = (
            select(*_COLUMNS, StaffRow.username)
            .outerjoin(StaffRow, StaffRow.id == FlagRow.assigned_to)
            .limit(limit)
        )
        if part is QueuePart.CLOSED:
            query = query.where(FlagRow.status == FlagStatus.CLOSED).order_by(
                FlagRow.closed_at.desc(), FlagRow.id
            )
        else:
            query = query.where(FlagRow.status == FlagStatus.OPEN).order_by(*MOST_URGENT_FIRST)
        async with self._read() as db:
            return [QueuedFlag(Flag(*row[:_FIELDS]), row[_FIELDS]) for row in await db.execute(query)]
