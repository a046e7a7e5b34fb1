"""When regular jobs last ran: one process at a time begins one, and a missed run is made up for."""

from datetime import datetime, timedelta

from sqlalchemy import and_, or_, select, update

from app.db.repository import Repository, upsert_into
from app.db.upkeep_tables import JobRunRow


class JobRunRepository(Repository):
    """All SQL about the runs of jobs."""

    async def claim(self, name: str, every: timedelta, give_up: timedelta) -> datetime | None:
        """Begin a job if it is due; of several processes that ask at once, one gets it.

        Args:
            name: The job.
            every: Time from the beginning of one run to that of the next.
            give_up: A run that has not ended after this time is taken for dead, and the job is due.

        Returns:
            The moment it was begun, for :meth:`finish`; ``None`` if it is not due.
        """
        now = self._now()
        values = {"name": name, "begun_at": now, "finished_at": None}
        dead = and_(JobRunRow.finished_at.is_(None), JobRunRow.begun_at <= now - give_up)
        async with self._write() as db:
            adding = upsert_into(db, JobRunRow).values(values)
            statement = adding.on_conflict_do_update(
                index_elements=["name"], set_=values, where=or_(JobRunRow.begun_at <= now - every, dead)
            )
            won = (await db.execute(statement.returning(JobRunRow.name))).one_or_none()
        return None if won is None else now

    async def finish(self, name: str, begun_at: datetime) -> None:
        """Note that the run begun at that moment has ended."""
        mine = (JobRunRow.name == name, JobRunRow.begun_at == begun_at)
        async with self._write() as db:
            await db.execute(update(JobRunRow).where(*mine).values(finished_at=self._now()))

    async def last_finished(self, name: str) -> datetime | None:
        """When the last run ended; ``None`` while one goes on or if there was none."""
        query = select(JobRunRow.finished_at).where(JobRunRow.name == name)
        async with self._read() as db:
            return (await db.execute(query)).scalar_one_or_none()
