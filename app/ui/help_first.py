"""Watches over a turn: whatever storage does, help is shown and the page hears from the server.

The turn itself shows the card as soon as it has read the message (``app.chat.first_help``). What comes
before, opening the conversation, waits for the database: a card that is missing after a moment, or at an
end that went wrong, is brought here, found in the message alone.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from app.ui.running import until_stopped
from app.ui.turn_view import TurnView
from app.ui.view import View, ViewBuilder

PATIENCE_S = 0.7
"""Seconds after which a card is brought from here, unless the message was stored meanwhile."""
_WENT_WRONG = ("unsent", "failed")
Card = dict[str, Any]


@dataclass(slots=True)
class Progress:
    """How far a turn has come.

    Attributes:
        session_id: The conversation, once it is known to be the person's own.
        view: What the page was shown of the turn, once it began.
    """

    session_id: str | None = None
    view: TurnView | None = None

    @property
    def stored(self) -> bool:
        """Whether the message is in the database."""
        return self.view is not None and self.view.stored


async def with_help(
    views: AsyncGenerator[View],
    progress: Progress,
    find: Callable[[], Awaitable[Card | None]],
    builder: ViewBuilder,
    waiting: str,
    tick_s: float,
) -> AsyncGenerator[View]:
    """The views of a turn with a card in them where it needs one, and a sign of life at every tick.

    Args:
        views: Views of the turn.
        progress: Kept up by whoever makes these views.
        find: Reads the message and gives the card for it, or ``None``.
        builder: Numbers views.
        waiting: Words for a turn that has not begun.
        tick_s: Seconds of silence after which a sign of life is given.
    """
    late = time.monotonic() + PATIENCE_S
    watching, card = True, None
    last: View = {"status": waiting}
    async with aclosing(until_stopped(views, asyncio.Event(), tick_s)) as steps:
        async for step in steps:
            view = _sign_of_life(last, builder) if step is None else step
            last = view
            # A conversation that is shown whole may hold the card of an earlier message.
            if view.get("card") and not view.get("replace"):
                watching, card = False, None
            if watching and (_went_wrong(view) or (time.monotonic() >= late and not progress.stored)):
                watching, card = False, await find()
            yield view if card is None else _with(view, card)


def _sign_of_life(last: View, builder: ViewBuilder) -> View:
    return builder.numbered(busy=True, items=[], status=None if last.get("replying") else last.get("status"))


def _went_wrong(view: View) -> bool:
    outcome = view.get("outcome")
    return outcome is not None and outcome["kind"] in _WENT_WRONG


def _with(view: View, card: Card) -> View:
    """The view with this card, unless it shows one that says as much."""
    shown = view.get("card")
    if shown and (shown["level"] == "imminent" or card["level"] != "imminent"):
        return view
    return {**view, "card": card}
