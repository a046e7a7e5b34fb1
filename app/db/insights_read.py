"""Reads figures for the insights page; masked in SQL, so that nothing else ever sees a small count.

A base cell is one figure, day (week for rare events), part, model and language. A base cell with a
basis between 1 and k − 1 adds nothing but the fact that it exists. All that is shown, for any
period and filter, is made of base cells in that state, on one fixed grid: so no total, no other
period and no filter can be used to work out what a masked cell holds.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, func, select, union_all

from app.db.engine import SessionFactory
from app.db.insights_records import BY_WEEK, Cell, Figure
from app.db.insights_tables import DailyFigureRow
from app.db.repository import AnySelect, Repository
from app.db.types import Clock, utc_now

_LONG_PERIOD_DAYS = 92
_PLACE = (
    DailyFigureRow.week,
    DailyFigureRow.figure,
    DailyFigureRow.part,
    DailyFigureRow.model,
    DailyFigureRow.language,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reader asked for.

    Attributes:
        days: Length of the period up to today; ``None`` is all.
        model: Only this checkpoint, or all.
        language: Only this one, or all.
    """

    days: int | None = 30
    model: str | None = None
    language: str | None = None

    def first_day(self, today: date) -> date:
        """First day of the period; the week of rare events that it lies in counts as a whole."""
        return date(1970, 1, 5) if self.days is None else today - timedelta(days=self.days - 1)

    def binned_by_week(self) -> bool:
        """Whether points of the plots are weeks in all figures: a long period has too many days."""
        return self.days is None or self.days > _LONG_PERIOD_DAYS


class InsightsRepository(Repository):
    """All SQL that reads figures of days.

    Args:
        sessions: Makes database sessions.
        least_shown: k: counts from 1 to k − 1 are masked.
        clock: Tells which day is today.
    """

    def __init__(self, sessions: SessionFactory, least_shown: int, clock: Clock = utc_now) -> None:
        super().__init__(sessions, clock)
        self.least_shown = least_shown

    def now(self) -> datetime:
        """The moment by which periods are reckoned."""
        return self._now()

    async def over_time(self, choice: Choice) -> list[Cell]:
        """Figures by day or week and part, oldest first."""
        return await self._cells(choice, ("week" if choice.binned_by_week() else "bin", "part"))

    async def by_model_and_language(self, choice: Choice) -> list[Cell]:
        """Figures of the whole period by part, model and language."""
        return await self._cells(choice, ("part", "model", "language"))

    async def base_cells(self, choice: Choice, figure: Figure) -> list[Cell]:
        """Every base cell of one figure, for its file."""
        return await self._cells(choice, ("bin", "part", "model", "language"), figure)

    async def choices(self) -> tuple[list[str], list[str]]:
        """Models and languages of which there are figures."""
        row = DailyFigureRow
        query = select(row.model, row.language).where(row.figure == Figure.CONVERSATIONS).distinct()
        async with self._read() as db:
            found = (await db.execute(query)).all()
        return sorted({model for model, _ in found}), sorted({language for _, language in found})

    async def last_day(self) -> str | None:
        """The last day that was counted."""
        async with self._read() as db:
            return (await db.execute(select(func.max(DailyFigureRow.day)))).scalar_one()

    async def _cells(
        self, choice: Choice, places: tuple[str, ...], figure: Figure | None = None
    ) -> list[Cell]:
        # A figure is in one of the bases only, so each is summed by itself and nothing is summed twice.
        sums = [self._summed(base, places) for base in self._bases(choice, figure)]
        query = union_all(*sums)
        query = query.order_by(*(query.selected_columns[name] for name in ("figure", *places)))
        async with self._read() as db:
            rows = (await db.execute(query)).all()
        names = tuple("bin" if name == "week" else name for name in places)
        return [_cell(row, names) for row in rows]

    def _bases(self, choice: Choice, figure: Figure | None) -> list[Any]:
        """The base cells of a period: those of days, and those of weeks."""
        row = DailyFigureRow
        first = choice.first_day(self._now().date())
        monday = (first - timedelta(days=first.weekday())).isoformat()
        wanted: list[ColumnElement[bool]] = []
        if choice.model is not None:
            wanted.append(row.model == choice.model)
        if choice.language is not None:
            wanted.append(row.language == choice.language)
        days = [one for one in sorted(Figure) if one not in BY_WEEK and figure in (None, one)]
        weeks = [one for one in sorted(BY_WEEK) if figure in (None, one)]
        since = monday if choice.binned_by_week() else first.isoformat()
        found: list[Any] = []
        if days:
            # A row of the table is such a cell already; summing all of them would take most of the time.
            cell = (row.day.label("bin"), *_PLACE, row.count, row.amount, row.basis)
            found.append(select(*cell).where(row.day >= since, row.figure.in_(days), *wanted).subquery())
        if weeks:
            sums = [
                func.sum(column).label(name)
                for name, column in (("count", row.count), ("amount", row.amount), ("basis", row.basis))
            ]
            found.append(
                select(row.week.label("bin"), *_PLACE, *sums)
                .where(row.day >= monday, row.figure.in_(weeks), *wanted)
                .group_by(*_PLACE)
                .subquery()
            )
        return found

    def _summed(self, base: Any, places: tuple[str, ...]) -> AnySelect:
        """Masked sums of base cells."""
        enough = base.c.basis >= self.least_shown
        keys = [base.c[name] for name in ("figure", *places)]
        return (
            select(
                *keys,
                func.sum(case((enough, base.c.count), else_=0)),
                func.sum(case((enough, base.c.amount), else_=0.0)),
                func.sum(case((enough, 0), else_=1)),
            )
            .where(base.c.basis > 0)
            .group_by(*keys)
        )


def _cell(row: Any, names: tuple[str, ...]) -> Cell:
    figure, *values = row
    *keys, count, amount, masked = values
    where = {"bin": "", "part": "", "model": "", "language": ""} | dict(zip(names, keys, strict=True))
    return Cell(figure=Figure(figure), count=int(count), amount=float(amount), masked=int(masked), **where)
