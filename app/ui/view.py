"""What the browser shows: one plain value for the page's script, built from a conversation."""

import datetime as dt
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from app.chat.session import Transcript
from app.db.records import Session
from app.ui.card_markup import CardView, Helplines, card_view
from app.ui.running import RunningTurn, RunningTurns
from app.ui.services import Conversations
from app.ui.texts import Texts
from app.ui.turn_markup import conversation_list, transcript_items
from models.styles import Style

View = dict[str, Any]


class ViewBuilder:
    """Builds whole views; the turn in progress is the business of ``app.ui.turn_view``."""

    def __init__(
        self,
        conversations: Conversations,
        helplines: Helplines,
        texts: Mapping[str, Texts],
        resume_hours: float,
        running: RunningTurns,
    ) -> None:
        self._conversations = conversations
        self._helplines = helplines
        self._texts = texts
        self._resume = dt.timedelta(hours=resume_hours)
        self._running = running
        self._numbers = itertools.count(1)

    def texts(self, locale: str) -> Texts:
        """Texts of a language."""
        return self._texts[locale]

    async def conversation(self, person_id: str, session_id: str, locale: str) -> View:
        """A whole conversation in place of whatever is shown.

        Raises:
            NotYoursError: For another person's or no conversation.
        """
        transcript = await self._conversations.transcript(person_id, session_id)
        return await self.read(person_id, transcript, locale)

    async def read(
        self, person_id: str, transcript: Transcript, locale: str, *, mine: RunningTurn | None = None
    ) -> View:
        """A whole conversation whose transcript was read already; ``mine`` is the turn that asks for it."""
        sessions = await self._conversations.list(person_id)
        goes_on = self._running.goes_on(person_id, transcript.session.id, besides=mine)
        return self.shown(transcript, sessions, locale, goes_on=goes_on)

    async def empty(self, person_id: str, locale: str) -> View:
        """The welcome, with the earlier conversations beside it."""
        sessions = await self._conversations.list(person_id)
        texts = self._texts[locale]
        latest = sessions[0] if sessions else None
        return self.numbered(
            conversation=None,
            style=Style.BALANCED if latest is None else latest.style,
            remember=latest is None or latest.remember,
            replace=True,
            items=[],
            card=None,
            list=str(conversation_list(sessions, None, texts)),
            busy=False,
        )

    async def recent(self, person_id: str) -> str | None:
        """The conversation that a new tab goes on with, if one was active recently."""
        sessions = await self._conversations.list(person_id)
        if not sessions or dt.datetime.now(dt.UTC) - sessions[0].last_activity_at > self._resume:
            return None
        return sessions[0].id

    def shown(
        self, transcript: Transcript, sessions: Sequence[Session], locale: str, *, goes_on: bool = False
    ) -> View:
        """The view of a transcript and a list; ``goes_on``: another tab waits for a reply in it."""
        texts = self._texts[locale]
        current = transcript.session.id
        card = None if transcript.card is None else self.card(transcript.card, locale).data()
        return self.numbered(
            conversation=current,
            style=transcript.session.style,
            remember=transcript.session.remember,
            replace=True,
            items=[item.data() for item in transcript_items(transcript, texts, goes_on)],
            card=card,
            list=str(conversation_list(sessions, current, texts)),
            busy=False,
            elsewhere=goes_on,
        )

    def card(self, card: Any, locale: str) -> CardView:
        """A helpline card in a language of the page."""
        return card_view(card, self._helplines.countries(locale), self._texts[locale])

    async def listing(self, person_id: str, current: str | None, locale: str) -> str:
        """The list of conversations alone."""
        sessions = await self._conversations.list(person_id)
        return str(conversation_list(sessions, current, self._texts[locale]))

    def numbered(self, **fields: Any) -> View:
        """A view with a number of its own: two views are never equal, so none is taken for old."""
        return {"number": next(self._numbers), **fields}
