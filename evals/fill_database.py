"""Fills a migrated, empty database with made-up rows for measurements at scale.

python -m evals.fill_database --url postgresql://… --messages 1000000 --seed 1

Then counts the figures of the insights page, as the running application does.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.db.annotation import AnnotationRepository
from app.db.engine import WRITES, create_engine, session_factory
from app.db.insights_fill import InsightsCounter
from app.db.schema import METADATA
from app.db.types import dump_json
from evals.fill_rows import Row, batches

_PIECE = 2000


async def fill(
    engine: AsyncEngine,
    messages: int,
    seed: int,
    *,
    until: datetime | None = None,
    days: int = 365,
    candidates: int = 4,
) -> dict[str, int]:
    """Store the rows, queue what may be rated, count the figures by day, gather the planner's statistics.

    Args:
        engine: Of a migrated database.
        messages: How many messages, about.
        seed: Of every random choice.
        until: End of the made-up time; now if not given.
        days: Length of that time.
        candidates: Sampled replies for each turn.

    Returns:
        Rows by table.

    Raises:
        ValueError: There are conversations in the database already.
    """
    await _refuse_a_used_one(engine)
    rows: dict[str, int] = {}
    for batch in batches(messages, seed, until or datetime.now(UTC), days=days, candidates=candidates):
        async with engine.connect() as connection:
            connection = await connection.execution_options(**{WRITES: True})
            async with connection.begin():
                for table in METADATA.sorted_tables:
                    if table.name in batch:
                        await _store(connection, table.name, batch[table.name])
                        rows[table.name] = rows.get(table.name, 0) + len(batch[table.name])
    await analyse(engine)
    await AnnotationRepository(session_factory(engine)).refill()
    await InsightsCounter(session_factory(engine), lambda: until or datetime.now(UTC)).count()
    await analyse(engine)
    return rows


async def analyse(engine: AsyncEngine) -> None:
    """Tell the planner how large the tables are."""
    async with engine.connect() as connection:
        connection = await connection.execution_options(**{WRITES: True})
        async with connection.begin():
            await connection.execute(text("ANALYZE"))


async def _refuse_a_used_one(engine: AsyncEngine) -> None:
    table = METADATA.tables["sessions"]
    async with engine.connect() as connection:
        if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
            raise ValueError("this database holds conversations already; made-up ones go into an empty one")


async def _store(connection: AsyncConnection, name: str, rows: Sequence[Row]) -> None:
    table = METADATA.tables[name]
    if connection.dialect.name == "postgresql":
        columns = list(rows[0])
        jsons = {column.name for column in table.columns if "json" in type(column.type).__name__.lower()}
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.copy_records_to_table(
            name,
            columns=columns,
            records=[
                tuple(dump_json(row[column]) if column in jsons else row[column] for column in columns)
                for row in rows
            ],
        )
        return
    for start in range(0, len(rows), _PIECE):
        await connection.execute(insert(table), _typed(table, rows[start : start + _PIECE]))


def _typed(table: Any, rows: Sequence[Row]) -> list[Row]:
    """Names and numbers as the members that the columns take."""
    kinds = {
        column.name: column.type.enum_class
        for column in table.columns
        if getattr(column.type, "enum_class", None)
    }
    return [
        {
            name: kinds[name](value) if name in kinds and value is not None else value
            for name, value in row.items()
        }
        for row in rows
    ]


async def _main(url: str, messages: int, seed: int, candidates: int) -> None:
    engine = create_engine(url, statement_timeout_s=600)
    start = time.perf_counter()
    try:
        rows = await fill(engine, messages, seed, candidates=candidates)
    finally:
        await engine.dispose()
    for name, number in rows.items():
        print(f"{name:20}{number:>12,}")
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", required=True, help="address of a migrated, empty database")
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--candidates", type=int, default=4, help="sampled replies for each turn")
    given = parser.parse_args()
    try:
        asyncio.run(_main(given.url, given.messages, given.seed, given.candidates))
    except ValueError as error:
        sys.exit(str(error))
