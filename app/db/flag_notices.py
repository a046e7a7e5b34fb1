"""What reviewers still have to be told of, channel by channel; derived from the flags themselves.

There is no list of messages to send that could get lost: a flag is due for a channel as long as the
channel's row does not name the moment from which the flag's clock runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import and_, or_, select, update

from app.db.flag_order import CLOCK, MOST_URGENT_FIRST
from app.db.repository import AnySelect, Repository, changed_row, columns_of, upsert_into
from app.db.review_records import Flag, FlagStatus
from app.db.review_tables import FlagNoticeRow, FlagRow
from safety.levels import RiskLevel

_FLAG = columns_of(Flag, FlagRow)


class NoticeKind(StrEnum):
    """Why reviewers are told."""

    OPENED = "opened"
    RAISED = "raised"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell; ``attempts`` is how often that failed so far."""

    flag: Flag
    kind: NoticeKind
    overdue: bool
    attempts: int


class FlagNoticeRepository(Repository):
    """All SQL about telling reviewers."""

    async def pending(
        self, channel: str, limits: Mapping[RiskLevel, timedelta], limit: int = 50
    ) -> list[Notice]:
        """What this channel has to tell now, the most urgent first.

        Args:
            channel: Such as ``mail``.
            limits: Time within which a flag of a level is to be answered.
            limit: Most notices returned.
        """
        now = self._now()
        row = FlagNoticeRow
        late = or_(*(and_(FlagRow.level == level, now - within >= CLOCK) for level, within in limits.items()))
        untold = or_(row.told_for.is_(None), row.told_for < CLOCK)
        unreminded = or_(row.reminded_for.is_(None), row.reminded_for < CLOCK)
        query: AnySelect = (
            select(*_FLAG, row.told_for, untold.label("untold"), late.label("late"), row.attempts)
            .outerjoin(row, and_(row.flag_id == FlagRow.id, row.channel == channel))
            .where(
                FlagRow.status == FlagStatus.OPEN,
                FlagRow.answered_at.is_(None),
                or_(row.next_try_at.is_(None), row.next_try_at <= now),
                or_(untold, and_(late, unreminded)),
            )
            .order_by(*MOST_URGENT_FIRST)
            .limit(limit)
        )
        async with self._read() as db:
            return [_notice(tuple(found)) for found in await db.execute(query)]

    async def claim(self, flag_id: str, channel: str, retry_at: datetime) -> bool:
        """Take a notice in hand until ``retry_at``, so that no other process sends it too.

        Returns:
            Whether it was free; the attempt counts from now on.

        Raises:
            GoneError: The flag does not exist (any more).
        """
        values: dict[str, Any] = {
            "flag_id": flag_id,
            "channel": channel,
            "attempts": 1,
            "next_try_at": retry_at,
        }
        async with self._write() as db:
            claiming = upsert_into(db, FlagNoticeRow).values(values)
            free = claiming.on_conflict_do_update(
                index_elements=["flag_id", "channel"],
                set_={"attempts": FlagNoticeRow.attempts + 1, "next_try_at": retry_at},
                where=FlagNoticeRow.next_try_at <= self._now(),
            )
            return await changed_row(db, free, [FlagNoticeRow.flag_id]) is not None

    async def sent(self, notice: Notice, channel: str) -> None:
        """Remember that a notice got through; one that was late already needs no reminder."""
        clock = notice.flag.clock_from
        values: dict[str, Any] = {"told_for": clock, "attempts": 0, "next_try_at": self._now()}
        if notice.overdue:
            values["reminded_for"] = clock
        row = FlagNoticeRow
        statement = update(row).where(row.flag_id == notice.flag.id, row.channel == channel)
        async with self._write() as db:
            await db.execute(statement.values(values))


def _notice(found: tuple[Any, ...]) -> Notice:
    *flag, told_for, untold, late, attempts = found
    first = NoticeKind.OPENED if told_for is None else NoticeKind.RAISED
    kind = first if untold else NoticeKind.OVERDUE
    return Notice(Flag(*flag), kind, bool(late), attempts or 0)
