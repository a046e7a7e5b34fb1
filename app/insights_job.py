"""Counts the figures of the insights page again and again while the application runs."""

import asyncio
import logging

from app.db.engine import SessionFactory
from app.db.errors import ConflictError
from app.db.insights_fill import InsightsCounter
from app.logs import log_without_text

_log = logging.getLogger(__name__)


async def count_figures(sessions: SessionFactory, every_s: float) -> None:
    """Run until cancelled; a run that fails is logged and tried again the next time.

    Args:
        sessions: Makes database sessions.
        every_s: Seconds between two runs; the first is at once.
    """
    counter = InsightsCounter(sessions)
    while True:
        try:
            await counter.count()
        except ConflictError:
            _log.debug("another process counts the figures")
        except Exception as error:
            log_without_text(_log, "the figures of the insights page could not be counted", error)
        await asyncio.sleep(every_s)
