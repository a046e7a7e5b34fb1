"""Counts the figures of whole days (UTC) into the table that the insights page reads."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Float, cast, delete, distinct, func, insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.insights_records import Figure
from app.db.insights_sources import events
from app.db.insights_stickiness import stickiness_rows
from app.db.insights_tables import DailyFigureRow
from app.db.repository import AnySelect, Repository
from app.db.tables import SessionRow

_DAY = timedelta(days=1)
_COLUMNS = ("day", "week", "figure", "part", "model", "language", "count", "amount", "basis")
_ZERO = cast(literal(0), Float)


class InsightsCounter(Repository):
    """All SQL that writes figures of days."""

    async def count(self) -> int:
        """Count today, the day that was counted last and the one before it, and all days since.

        Where nothing was counted yet, all days from the first conversation on are.

        Returns:
            How many days were counted.

        Raises:
            ConflictError: Another process counted the same day at the same time.
        """
        today = self._now().date()
        day = await self._first_day(today)
        days = 0
        while day <= today:
            await self.count_day(day)
            day, days = day + _DAY, days + 1
        return days

    async def count_day(self, day: date) -> None:
        """Replace the figures of one day by what the other tables say now.

        Raises:
            ConflictError: Another process counted this day at the same time.
        """
        begin = datetime.combine(day, time(), UTC)
        async with self._write() as db:
            dialect = db.get_bind().dialect.name
            await db.execute(delete(DailyFigureRow).where(DailyFigureRow.day == day.isoformat()))
            for figure, statement in events(begin, begin + _DAY, dialect).items():
                await _store(db, day, figure, _counted(figure, statement))
            await _store(db, day, Figure.STICKINESS, stickiness_rows(begin, begin + _DAY))

    async def _first_day(self, today: date) -> date:
        async with self._read() as db:
            last = (await db.execute(select(func.max(DailyFigureRow.day)))).scalar_one_or_none()
            if last is not None:
                return min(date.fromisoformat(last) - _DAY, today)
            earliest = select(SessionRow.created_at).order_by(SessionRow.created_at).limit(1)
            first = (await db.execute(earliest)).scalar_one_or_none()
        return today if first is None else first.date()


async def _store(db: AsyncSession, day: date, figure: Figure, rows: Any) -> None:
    monday = day - timedelta(days=day.weekday())
    found = rows.subquery()
    place = (literal(day.isoformat()), literal(monday.isoformat()), literal(figure.value))
    await db.execute(insert(DailyFigureRow).from_select(_COLUMNS, select(*place, *found.c)))


def _counted(figure: Figure, statement: AnySelect) -> Any:
    """Events by part, model and language: how many, the sum of their values, and the basis."""
    event = statement.subquery()
    place = (event.c.part, event.c.model, event.c.language)
    number: Any = func.count()
    amount: Any = _ZERO
    if figure is Figure.PERSONS:
        number = func.count(distinct(event.c.value))
    elif figure is Figure.QUALITY:
        amount = func.sum(event.c.value)
    basis = number
    if figure is Figure.LATENCY:
        # Over the groups: a bin of latencies may be shown if its model and language have enough in all.
        basis = func.sum(number).over(partition_by=(event.c.model, event.c.language))
    return select(*place, number.label("count"), amount.label("amount"), basis.label("basis")).group_by(
        *place
    )
