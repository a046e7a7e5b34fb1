"""Batches of an export are planned one by one on PostgreSQL, and nothing else is."""

import pytest
from sqlalchemy import URL, text

from app.db.engine import SessionFactory
from app.db.export_reads import ExportReads


@pytest.mark.parametrize(
    "database_url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
async def test_a_batch_gets_a_plan_of_its_own_and_the_connection_goes_back_as_it_was(
    factory: SessionFactory, database_url: URL
) -> None:
    assert database_url.get_backend_name() == "postgresql"
    asked = text("SHOW plan_cache_mode")
    async with ExportReads(factory)._read() as db:  # pyright: ignore[reportPrivateUsage]
        within = (await db.execute(asked)).scalar_one()
    async with factory() as db:
        after = (await db.execute(asked)).scalar_one()
    assert (within, after) == ("force_custom_plan", "auto")
