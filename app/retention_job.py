"""Deletes what is older than the operator allows, once a day while the application runs.

Every process asks each hour whether the run of the day is due; the database gives it to one of them.
So nothing is missed when the application was down at the usual time, and a run that died is repeated.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

from app.background import running
from app.db.engine import SessionFactory
from app.db.job_runs import JobRunRepository
from app.db.retention import RetentionReport, delete_expired
from app.db.types import Clock, utc_now
from app.logs import log_without_text
from app.settings_storage import StorageSettings

JOB = "retention"
_ASK_EVERY_S = 3600
# An hour less than a day: asked hourly, the job then keeps to its time of day.
_EVERY = timedelta(hours=23)
_GIVE_UP = timedelta(hours=1)
_log = logging.getLogger(__name__)


async def delete_daily(sessions: SessionFactory, keep_days: int, ask_every_s: float = _ASK_EVERY_S) -> None:
    """Run until cancelled; a run that fails is logged and tried again after an hour.

    Args:
        sessions: Makes database sessions.
        keep_days: Days a conversation may be idle.
        ask_every_s: Seconds between two questions whether a run is due; the first is at once.
    """
    while True:
        try:
            report = await delete_if_due(sessions, keep_days)
        except Exception as error:
            log_without_text(_log, "old conversations could not be deleted", error)
        else:
            if report is not None:
                _log.info("deleted %s old conversations, %s are held", report.sessions, report.held)
        await asyncio.sleep(ask_every_s)


@asynccontextmanager
async def deleting_daily(sessions: SessionFactory, storage: StorageSettings) -> AsyncGenerator[None]:
    """Do it as long as the block runs, unless the operator left it to cron."""
    if not storage.retention_job:
        yield
        return
    async with running(delete_daily(sessions, storage.retention_days)):
        yield


async def delete_if_due(
    sessions: SessionFactory, keep_days: int, clock: Clock = utc_now
) -> RetentionReport | None:
    """Delete what is old, unless that was done within a day or another process is at it."""
    runs = JobRunRepository(sessions, clock)
    begun = await runs.claim(JOB, _EVERY, _GIVE_UP)
    if begun is None:
        return None
    report = await delete_expired(sessions, keep_days, clock=clock)
    await runs.finish(JOB, begun)
    return report


async def delete_now(sessions: SessionFactory, keep_days: int, clock: Clock = utc_now) -> RetentionReport:
    """Delete what is old, whenever that was last done; two at once do no harm."""
    runs = JobRunRepository(sessions, clock)
    begun = await runs.claim(JOB, timedelta(0), _GIVE_UP)
    report = await delete_expired(sessions, keep_days, clock=clock)
    if begun is not None:
        await runs.finish(JOB, begun)
    return report
