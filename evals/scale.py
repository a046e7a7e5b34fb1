"""Times the first view of every page for staff, a person's own list, and exports, over a large database.

python -m evals.scale --url postgresql://… --messages 1000000 --json evals/results/scale.json

Fills the database unless it holds conversations already (see ``evals.fill_database``), runs the
questions of each page five times and takes the median, and asks the planner how it would answer
them: reading a whole table of more than 10,000 rows from one end to the other is a failure, but for
the figures by day when all of time is asked for. Then downloads every export (``evals.scale_exports``):
its first byte must come as soon as a page.
"""

import argparse
import asyncio
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event, func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.engine import create_engine, session_factory
from app.db.schema import METADATA
from evals.fill_database import fill
from evals.provenance import provenance, write_results
from evals.scale_exports import downloads
from evals.scale_pages import pages

LIMIT_MS = 500.0
BIG = 10_000
_TIMES = 5
_HOPELESS_MS = 10_000.0
_READING_ALL = re.compile(r"Seq Scan on (\w+)")
_ALL_OF_TIME = {"insights, all": {"daily_figures"}}
"""Tables of which a page shows every row."""

Page = Callable[[], Awaitable[object]]


async def measure(engine: AsyncEngine, also: dict[str, Page] | None = None) -> dict[str, Any]:
    """Milliseconds and whole-table reads of each page.

    Args:
        engine: Of a filled PostgreSQL database.
        also: More pages by name.
    """
    factory = session_factory(engine)
    sizes = await _sizes(engine)
    found: dict[str, Any] = {}
    for name, page in ((await pages(factory)) | (also or {})).items():
        with _Recorded(engine) as recorded:
            first = await _milliseconds(page)
        # Once is enough to know that a page is hopeless.
        times = [first] if first > _HOPELESS_MS else [await _milliseconds(page) for _ in range(_TIMES)]
        plans = [await _plan(engine, *asked) for asked in recorded.asked]
        read = {table for plan in plans for table in _READING_ALL.findall(plan)}
        found[name] = {
            "median_ms": round(statistics.median(times), 1),
            "max_ms": round(max(times), 1),
            "queries": len(recorded.asked),
            "whole_tables": sorted(table for table in read if sizes.get(table, 0) > BIG),
        }
    exports = await downloads(factory)
    return {"rows": sizes, "pages": found, "exports": exports, "failures": failures(found, exports)}


def failures(pages: dict[str, Any], exports: dict[str, Any]) -> list[str]:
    """What is too slow or reads a whole big table."""
    return [
        f"{name}: {facts['median_ms']} ms, reads all of {facts['whole_tables'] or 'nothing'}"
        for name, facts in pages.items()
        if facts["median_ms"] > LIMIT_MS or set(facts["whole_tables"]) - _ALL_OF_TIME.get(name, set())
    ] + [
        f"{name}: first byte after {facts['first_ms']} ms"
        for name, facts in exports.items()
        if facts["first_ms"] > LIMIT_MS
    ]


async def _milliseconds(page: Page) -> float:
    start = time.perf_counter()
    await page()
    return (time.perf_counter() - start) * 1000


async def _sizes(engine: AsyncEngine) -> dict[str, int]:
    async with engine.connect() as connection:
        return {
            table.name: (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for table in METADATA.sorted_tables
        }


async def _plan(engine: AsyncEngine, statement: str, parameters: Any) -> str:
    async with engine.connect() as connection:
        rows = await connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
        return "\n".join(row[0] for row in rows)


class _Recorded:
    """All SELECTs sent meanwhile, with their parameters."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.sync_engine
        self.asked: list[tuple[str, Any]] = []

    def __enter__(self) -> "_Recorded":
        event.listen(self._engine, "before_cursor_execute", self._note)
        return self

    def __exit__(self, *_: object) -> None:
        event.remove(self._engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.lstrip().startswith(("SELECT", "WITH")):
            self.asked.append((statement, parameters))


async def _main(url: str, messages: int, seed: int, candidates: int) -> dict[str, Any]:
    engine = create_engine(url, statement_timeout_s=600)
    try:
        async with engine.connect() as connection:
            used = (await connection.execute(text("SELECT count(*) FROM sessions"))).scalar_one()
        start = time.perf_counter()
        if not used:
            await fill(engine, messages, seed, candidates=candidates)
        filled_s = round(time.perf_counter() - start, 1)
        return {"filled_s": None if used else filled_s, **await measure(engine)}
    finally:
        await engine.dispose()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", required=True, help="address of a migrated PostgreSQL database")
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--candidates", type=int, default=4, help="sampled replies for each turn")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    given = parser.parse_args()
    results = asyncio.run(_main(given.url, given.messages, given.seed, given.candidates))
    for page_name, facts in results["pages"].items():
        print(f"{page_name:28}{facts['median_ms']:>9} ms  {', '.join(facts['whole_tables'])}")
    for name, facts in results["exports"].items():
        first, whole = f"{facts['first_ms']} ms", f"{facts['whole_s']} s"
        print(f"{name:28}{first:>12}{whole:>10}{facts['mb']:>9} MB, {facts['grown_mb']} MB in memory")
    if given.json:
        data = "made-up rows of evals/fill_rows.py"
        about = provenance(seed=given.seed, data=data)
        # The address can hold a password.
        about["command"] = f"python -m evals.scale --url … --messages {given.messages} --seed {given.seed}"
        write_results(given.json, results, about)
    sys.exit("\n".join(results["failures"]) or None)
