"""The order in which open flags are worked on; the list, the notices and the tests share it."""

from typing import Any

from sqlalchemy import func

from app.db.review_tables import FlagRow

CLOCK = func.coalesce(FlagRow.restarted_at, FlagRow.raised_at)
"""Since when a flag waits, as :attr:`app.db.review_records.Flag.clock_from` says it."""

MOST_URGENT_FIRST: tuple[Any, ...] = (
    FlagRow.level.desc(),
    FlagRow.answered_at.is_not(None),
    CLOCK,
    FlagRow.assigned_to.is_not(None),
    FlagRow.opened_at,
    FlagRow.id,
)
"""Highest level, then the earliest deadline, then what nobody has taken.

All flags of a level have the same time to be answered in, so the order of their clocks is the order
of their deadlines. Answered flags have none; they come last within their level.
"""
