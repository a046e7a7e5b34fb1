"""How exports read: each batch is planned for the place that it begins at."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.repository import Repository


class ExportReads(Repository):
    """Base of the repositories whose rows are read batch by batch."""

    @asynccontextmanager
    async def _read(self) -> AsyncGenerator[AsyncSession]:
        """One transaction that only reads.

        The driver prepares statements, and from the sixth time on PostgreSQL may use one plan for any
        values. Of "what comes after this id, the first 200" it then knows neither how much comes after
        nor that it is few, and reads the whole rest for each batch.
        """
        async with super()._read() as db:
            if db.get_bind().dialect.name == "postgresql":
                await db.execute(text("SET LOCAL plan_cache_mode = force_custom_plan"))
            yield db
