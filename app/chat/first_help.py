"""Help that waits for no database: a message is read in memory while its turn is written down."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from app.chat.crisis import CrisisVerdict
from app.chat.events import HelplineShown
from app.chat.sampling import Emit

_T = TypeVar("_T")
PATIENCE_S = 0.5
"""Seconds that a step of storage may take before help is shown without it."""


class FirstHelp:
    """Shows a message's card as soon as storage is slow or fails, and in any case only once.

    Args:
        look: The verdict on the message, which reads no database; begins at once.
        emit: Takes the events of the turn.
        patience_s: See :data:`PATIENCE_S`.
    """

    def __init__(self, look: Awaitable[CrisisVerdict], emit: Emit, patience_s: float = PATIENCE_S) -> None:
        self._look = asyncio.ensure_future(look)
        self._emit = emit
        self._patience_s = patience_s
        self._shown = False

    async def verdict(self) -> CrisisVerdict:
        """What was found in the message."""
        return await asyncio.shield(self._look)

    async def during(self, work: Awaitable[_T], message_id: str | None = None) -> _T:
        """Await a step of storage; if it fails or takes long, the card comes before its end.

        Args:
            work: The step.
            message_id: The message, once it is stored.
        """
        late = asyncio.ensure_future(self._later(message_id))
        try:
            return await work
        except Exception:
            await self._show(message_id)
            raise
        finally:
            late.cancel()

    async def _later(self, message_id: str | None) -> None:
        await asyncio.sleep(self._patience_s)
        await self._show(message_id)

    async def _show(self, message_id: str | None) -> None:
        seen = await self.verdict()
        if seen.card is not None and not self._shown:
            self._shown = True
            self._emit(HelplineShown(message_id, seen.card, seen.carried))
