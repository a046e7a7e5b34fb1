"""The generator of large databases, and that no page reads a whole big table; at a small size."""

import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.engine import create_engine
from evals.fill_database import fill
from evals.fill_rows import batches
from evals.scale import failures, measure

UNTIL = datetime(2026, 3, 18, 12, tzinfo=UTC)


@pytest.fixture
async def small(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An empty SQLite database."""
    shutil.copy(sqlite_template, tmp_path / "small.sqlite3")
    engine = create_engine(f"sqlite:///{tmp_path / 'small.sqlite3'}")
    yield engine
    await engine.dispose()


def test_the_same_seed_gives_the_same_rows() -> None:
    assert list(batches(300, 1, UNTIL)) == list(batches(300, 1, UNTIL))
    assert list(batches(300, 1, UNTIL)) != list(batches(300, 2, UNTIL))


async def test_so_many_messages_are_made_and_every_conversation_has_its_persons_rows(
    small: AsyncEngine,
) -> None:
    rows = await fill(small, 1200, 1, until=UNTIL, days=10)
    assert 1150 <= rows["messages"] <= 1200
    async with small.connect() as connection:
        wrong = await connection.execute(text("PRAGMA foreign_key_check"))
        assert wrong.all() == []
        counted = await connection.execute(text("SELECT count(DISTINCT day) FROM daily_figures"))
        assert counted.scalar_one() >= 10


async def test_made_up_rows_never_go_into_a_database_in_use(small: AsyncEngine) -> None:
    await fill(small, 20, 1, until=UNTIL, days=1)
    with pytest.raises(ValueError, match="holds conversations already"):
        await fill(small, 20, 1, until=UNTIL, days=1)


@pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
async def test_no_page_reads_all_of_a_big_table(engine: AsyncEngine, database_url: URL) -> None:
    assert database_url.get_backend_name() == "postgresql"
    rows = await fill(engine, 20_000, 1, days=60, candidates=2)
    assert rows["candidates"] > 10_000
    report = await measure(engine)
    assert {name: facts["whole_tables"] for name, facts in report["pages"].items() if name != "annotate"} == {
        name: [] for name in report["pages"] if name != "annotate"
    }
    assert all(facts["lines"] > 1 for facts in report["exports"].values())


def test_slow_pages_late_files_and_whole_tables_are_failures_but_all_figures_are_read_for_all_of_time() -> (
    None
):
    quick = {"median_ms": 20.0, "whole_tables": []}
    pages = {
        "quick": quick,
        "slow": quick | {"median_ms": 501.0},
        "whole": quick | {"whole_tables": ["messages"]},
        "annotate": quick | {"median_ms": 9000.0},
        "insights, all": quick | {"whole_tables": ["daily_figures"]},
        "insights": quick | {"whole_tables": ["daily_figures"]},
    }
    exports = {"ratings.csv": {"first_ms": 20.0}, "late.csv": {"first_ms": 501.0}}
    found = [line.partition(":")[0] for line in failures(pages, exports)]
    assert found == ["slow", "whole", "annotate", "insights", "late.csv"]
