"""Work that must not be cut in two by a cancellation, such as a database transaction."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

_T = TypeVar("_T")


async def to_the_end(work: Awaitable[_T]) -> _T:
    """Await ``work`` to its end even if the caller is cancelled; the cancellation comes after it.

    Raises:
        asyncio.CancelledError: After the work is done, when the caller was cancelled meanwhile.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
