"""How fast reviewers are: from a flag's opening to its first steps, and what waits right now.

These counts are not masked: each flag stands by itself on the review page of the same readers, and
a single one that waits too long has to be seen. They are told by level only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Float,
    String,
    and_,
    case,
    cast,
    exists,
    func,
    literal,
    select,
    union_all,
)

from app.db.insights_read import Choice
from app.db.records import FlagStatus
from app.db.repository import Repository
from app.db.review_tables import FlagRow
from app.db.staff_tables import AuditRow
from app.db.tables import IS_UNANSWERED, MessageRow, SessionRow
from safety.levels import RiskLevel

OPENED = "transcript.opened"
ASSIGNED = "flag.assigned"


class Step(StrEnum):
    """What a reviewer does with a flag, in this order."""

    OPENED = "opened"
    ASSIGNED = "assigned"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class ResponseTimes:
    """How long flags of one level waited for one step.

    Attributes:
        flags: All flags of the period.
        done: Those for which the step was made; a closed flag counts as opened and assigned.
        in_time: Those for which it was made within the time that the level allows.
        late: Made too late, or not made yet and the time is over.
        median_s: Median wait in seconds of those that are done; ``None`` when none is.
        slow_s: 95th percentile of the same.
    """

    level: RiskLevel
    step: Step
    flags: int
    done: int
    in_time: int
    late: int
    median_s: float | None
    slow_s: float | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits at this moment."""

    unanswered: int
    open_flags: Mapping[RiskLevel, int]


class FlagInsights(Repository):
    """All SQL about response times."""

    async def response_times(
        self, choice: Choice, allowed: Mapping[RiskLevel, timedelta]
    ) -> list[ResponseTimes]:
        """By level, highest first, and step, for flags that were opened in the period.

        Args:
            choice: Period, model and language of the conversation.
            allowed: Time for each level; levels without one are left out.
        """
        now = self._now()
        first = choice.first_day(now.date())
        since = now.replace(
            year=first.year, month=first.month, day=first.day, hour=0, minute=0, second=0, microsecond=0
        )
        async with self._read() as db:
            waits = _waits(choice, since, now, allowed, db.get_bind().dialect.name)
            rows: Any = (await db.execute(_summary(waits))).all()
        order = list(Step)
        found = [
            ResponseTimes(level, Step(step), flags, int(done), int(in_time), int(late), median, slow)
            for level, step, flags, done, in_time, late, median, slow in rows
        ]
        return sorted(found, key=lambda row: (-row.level, order.index(row.step)))

    async def waiting(self) -> Waiting:
        """Messages without an answer, and open flags by level."""
        unanswered = select(func.count()).select_from(MessageRow).where(IS_UNANSWERED)
        flags = (
            select(FlagRow.level, func.count())
            .where(FlagRow.status == FlagStatus.OPEN)
            .group_by(FlagRow.level)
        )
        async with self._read() as db:
            count = (await db.execute(unanswered)).scalar_one()
            return Waiting(count, {row[0]: row[1] for row in await db.execute(flags)})


def _waits(
    choice: Choice, since: datetime, now: datetime, allowed: Mapping[RiskLevel, timedelta], dialect: str
) -> Any:
    """A row for each flag and step: level, step, seconds (NULL if not made), seconds allowed, age."""
    wanted = [FlagRow.opened_at >= since, FlagRow.level.in_(list(allowed)), *_of_sessions(choice)]
    limits = ((FlagRow.level == level, time.total_seconds()) for level, time in allowed.items())
    limit = case(*limits, else_=0.0)
    made = {
        Step.OPENED: func.coalesce(_first("session", FlagRow.session_id, OPENED, dialect), FlagRow.closed_at),
        Step.ASSIGNED: func.coalesce(_first("flag", FlagRow.id, ASSIGNED, dialect), FlagRow.closed_at),
        Step.CLOSED: FlagRow.closed_at,
    }
    present = literal(now, FlagRow.opened_at.type)
    steps = [
        select(
            FlagRow.level.label("level"),
            literal(step.value).label("step"),
            _seconds(FlagRow.opened_at, at, dialect).label("seconds"),
            limit.label("allowed"),
            _seconds(FlagRow.opened_at, present, dialect).label("age"),
        ).where(and_(*wanted))
        for step, at in made.items()
    ]
    return union_all(*steps).subquery()


def _of_sessions(choice: Choice) -> list[ColumnElement[bool]]:
    """Conversations of the chosen model and language; without a choice they are not read at all."""
    wanted: list[ColumnElement[bool]] = []
    if choice.model is not None:
        wanted.append(SessionRow.model == choice.model)
    if choice.language is not None:
        wanted.append(SessionRow.locale == choice.language)
    return [exists().where(SessionRow.id == FlagRow.session_id, *wanted)] if wanted else []


def _summary(waits: Any) -> Any:
    group = (waits.c.level, waits.c.step)
    done = waits.c.seconds.is_not(None)
    # NULL comes last on one database and first on the other, so it is a group of its own.
    place = func.row_number().over(partition_by=(*group, done), order_by=waits.c.seconds)
    number = func.count().over(partition_by=(*group, done))
    row = select(waits, done.label("done"), place.label("place"), number.label("number")).subquery()
    in_time = and_(row.c.done, row.c.seconds <= row.c.allowed)
    late = func.coalesce(row.c.seconds, row.c.age) > row.c.allowed
    return select(
        row.c.level,
        row.c.step,
        func.count(),
        func.sum(case((row.c.done, 1), else_=0)),
        func.sum(case((in_time, 1), else_=0)),
        func.sum(case((late, 1), else_=0)),
        func.max(case((and_(row.c.done, row.c.place == (row.c.number + 1) // 2), row.c.seconds))),
        func.max(case((and_(row.c.done, row.c.place == (row.c.number * 95 + 99) // 100), row.c.seconds))),
    ).group_by(row.c.level, row.c.step)


def _first(kind: str, key: Any, action: str, dialect: str) -> Any:
    """When something was first done to an object after the flag was opened, from the audit log."""
    return (
        select(func.min(AuditRow.at))
        .where(
            AuditRow.object_type == kind,
            AuditRow.object_id == _as_text(key, dialect),
            AuditRow.at >= FlagRow.opened_at,
            AuditRow.action == action,
        )
        .correlate(FlagRow)
        .scalar_subquery()
    )


def _as_text(key: Any, dialect: str) -> ColumnElement[str]:
    """An id as the audit log writes it; SQLite keeps the columns themselves without dashes."""
    if dialect == "postgresql":
        return cast(key, String)
    plain = cast(key, String)
    parts = [func.substr(plain, at, length) for at, length in ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))]
    return parts[0] + "-" + parts[1] + "-" + parts[2] + "-" + parts[3] + "-" + parts[4]


def _seconds(begin: Any, end: Any, dialect: str) -> Any:
    if dialect == "postgresql":
        return cast(func.extract("epoch", end - begin), Float)
    return (func.julianday(end) - func.julianday(begin)) * 86400.0
