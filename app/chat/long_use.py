"""Notices that somebody has been writing for hours without a break; worked out from the messages alone."""

from collections.abc import Sequence
from datetime import datetime, timedelta

PAUSE = timedelta(minutes=45)
"""A silence as long as this ends a stretch of use."""


def first_beyond(times: Sequence[datetime], limit: timedelta) -> list[int]:
    """Places of the messages with which a stretch of use first reaches ``limit``; one for each stretch.

    Args:
        times: When the messages were written, oldest first.
        limit: How long a stretch may be; zero finds nothing.

    Example:
        >>> from datetime import UTC
        >>> start = datetime(2026, 1, 1, tzinfo=UTC)
        >>> first_beyond([start + timedelta(minutes=30 * n) for n in range(5)], timedelta(hours=1))
        [2]
    """
    found: list[int] = []
    began, told = None, False
    for place, time in enumerate(times):
        if began is None or time - times[place - 1] > PAUSE:
            began, told = time, False
        if limit and not told and time - began >= limit:
            found.append(place)
            told = True
    return found
