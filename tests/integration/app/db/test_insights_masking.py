"""What the insights page can be made of does not depend on what a masked cell holds."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert

from app.db.engine import WRITES, SessionFactory
from app.db.insights_read import Choice, InsightsRepository
from app.db.insights_records import MEASURED, Cell, Figure, counted
from app.db.insights_tables import DailyFigureRow
from tests.fakes.clock import FakeClock

K = 5
TODAY = datetime(2026, 3, 18, 12, tzinfo=UTC)
CHOICES = [
    Choice(days, model, language)
    for days in (7, 30, 90, None)
    for model in (None, "one")
    for language in (None, "en")
]


@dataclass(frozen=True)
class BaseCell:
    """A row of the table; one a week, so that a week's cell is this row alone."""

    day: date
    figure: Figure
    part: str
    model: str
    language: str
    count: int

    def values(self) -> dict[str, Any]:
        monday = self.day - timedelta(days=self.day.weekday())
        return {
            "day": self.day.isoformat(),
            "week": monday.isoformat(),
            "figure": self.figure.value,
            "part": self.part,
            "model": self.model,
            "language": self.language,
            "count": self.count,
            "amount": 0.5 * self.count,
            "basis": self.count,
        }


def a_table(chance: random.Random) -> list[BaseCell]:
    return [
        BaseCell(TODAY.date() - timedelta(weeks=week), figure, part, model, language, chance.randint(0, 12))
        for week in range(6)
        for figure in Figure
        for part in ("a", "b")
        for model in ("one", "two")
        for language in ("en", "zh")
    ]


def with_other_small_counts(cells: list[BaseCell], chance: random.Random) -> list[BaseCell]:
    return [replace(cell, count=chance.randint(1, K - 1)) if 0 < cell.count < K else cell for cell in cells]


async def all_that_can_be_read(factory: SessionFactory, cells: list[BaseCell]) -> list[list[Cell]]:
    async with factory.begin() as db:
        await db.connection(execution_options={WRITES: True})
        await db.execute(delete(DailyFigureRow))
        await db.execute(insert(DailyFigureRow), [cell.values() for cell in cells])
    figures = InsightsRepository(factory, K, FakeClock(TODAY))
    read: list[list[Cell]] = []
    for choice in CHOICES:
        read += [await figures.over_time(choice), await figures.by_model_and_language(choice)]
        read += [await figures.base_cells(choice, figure) for figure in Figure]
    return read


@pytest.mark.parametrize("seed", range(3))
async def test_other_numbers_in_masked_cells_change_nothing_that_can_be_read(
    factory: SessionFactory, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311
    cells = a_table(chance)
    changed = with_other_small_counts(cells, chance)
    assert changed != cells
    assert await all_that_can_be_read(factory, cells) == await all_that_can_be_read(factory, changed)


async def test_what_is_not_masked_is_read_as_it_is(factory: SessionFactory) -> None:
    cells = a_table(random.Random(7))  # noqa: S311
    await all_that_can_be_read(factory, cells)
    figures = InsightsRepository(factory, K, FakeClock(TODAY))
    read = await figures.over_time(Choice(days=None))
    for figure in set(Figure) - MEASURED:
        wanted = [cell for cell in cells if cell.figure is figure]
        got = [cell for cell in read if cell.figure is figure]
        assert sum(cell.count for cell in got) == sum(cell.count for cell in wanted if cell.count >= K)
        assert sum(cell.masked for cell in got) == sum(0 < cell.count < K for cell in wanted)


async def test_the_days_of_a_week_of_rare_events_are_masked_together(factory: SessionFactory) -> None:
    monday = date(2026, 3, 16)
    days = [
        BaseCell(monday + timedelta(days=day), figure, "a", "one", "en", 3)
        for day in range(2)
        for figure in (Figure.THUMBS, Figure.REPLIES)
    ]
    await all_that_can_be_read(factory, days)
    read = await InsightsRepository(factory, K, FakeClock(TODAY)).over_time(Choice())
    assert [(cell.figure, cell.bin, cell.count, cell.masked) for cell in read] == [
        (Figure.REPLIES, "2026-03-16", 0, 1),
        (Figure.REPLIES, "2026-03-17", 0, 1),
        (Figure.THUMBS, "2026-03-16", 6, 0),
    ]


@pytest.mark.parametrize(
    ("count", "masked", "said"),
    [(0, 0, "0"), (12, 0, "12"), (0, 1, "<5"), (0, 2, "2–8"), (12, 2, "14–20"), (5, 1, "6–9")],
)
def test_a_masked_count_is_told_as_what_it_can_be(count: int, masked: int, said: str) -> None:
    assert counted(Cell(Figure.THUMBS, "", "", "", "", count, 0.0, masked), K) == said
