"""Everything a person does beside taking a turn; each call checks that the conversation is theirs."""

import datetime as dt
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from app.chat.conversation_name import kept_name
from app.chat.long_use import first_beyond
from app.db.feedback import FeedbackRepository
from app.db.messages import MessageRepository
from app.db.persons import PersonRepository
from app.db.records import Message, MessageRole, Person, Session
from app.db.risk import RiskRepository
from app.db.sessions import SessionRepository
from models.styles import Style
from safety.helplines import Helpline, HelplineCard, HelplineDirectory
from safety.levels import RiskCategory, RiskLevel
from safety.own_age import says_minor

Rating = Literal[1, -1]
_NUDGE_MESSAGES = 600
"""Messages looked at for a long stretch of use; more in one stretch are beyond any limit."""

_ASK_AFTER = 3
"""Replies after which the research question is put: the person then knows what it is about."""


class NotYoursError(Exception):
    """No such conversation or message for this person; whose it may be is not told."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as the page shows it.

    Attributes:
        message_id: Id for ratings.
        role: ``user`` or ``assistant``.
        text: As written.
        status: See the message statuses of ``app.db.records``.
        error: Why there is no reply, a stable code.
        rating: The person's own rating, if any.
        reasons: Reasons they gave.
        comment: What they added to it.
    """

    message_id: str
    role: Literal["user", "assistant"]
    text: str
    status: str
    error: str | None
    rating: Rating | None
    reasons: tuple[str, ...]
    comment: str | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation as the page shows it; the card belongs to the latest message at risk.

    Attributes:
        session: The conversation.
        messages: What was said.
        card: Help that is due, if any.
        notice_before: The message before which the AI notice was last repeated, if it was.
        nudge_before: Messages before which a break was suggested.
        young_after: The first message that says an age under 18, if one does.
        young_line: The line for young people that is named after it.
    """

    session: Session
    messages: tuple[Shown, ...]
    card: HelplineCard | None
    notice_before: str | None = None
    nudge_before: frozenset[str] = frozenset()
    young_after: str | None = None
    young_line: Helpline | None = None


def first_young(messages: Iterable[Shown]) -> Shown | None:
    """The first message with which the person says that they are under 18."""
    return next((one for one in messages if one.role == "user" and says_minor(one.text)), None)


class ConversationService:
    """Conversations, ratings, settings and data of one person at a time."""

    def __init__(
        self,
        persons: PersonRepository,
        sessions: SessionRepository,
        messages: MessageRepository,
        feedback: FeedbackRepository,
        risk: RiskRepository,
        helplines: HelplineDirectory,
        *,
        model_name: str,
        notice_minutes: int,
        nudge_minutes: int = 0,
        max_sessions: int,
        default_country: str | None = None,
    ) -> None:
        self._persons = persons
        self._sessions = sessions
        self._messages = messages
        self._feedback = feedback
        self._risk = risk
        self._helplines = helplines
        self._model_name = model_name
        self._notice_every = dt.timedelta(minutes=notice_minutes)
        self._nudge_after = dt.timedelta(minutes=nudge_minutes)
        self._max_sessions = max_sessions
        self._default_country = default_country

    async def person(self, person_id: str) -> Person | None:
        """The person's row, or ``None`` as long as they have written nothing."""
        return await self._persons.get(person_id)

    async def create(
        self,
        person_id: str,
        locale: str,
        *,
        country: str | None = None,
        timezone: str | None = None,
        style: Style = Style.BALANCED,
        remember: bool = True,
    ) -> Session:
        """Begin a conversation; the person's row is made with the first one."""
        await self._persons.ensure(person_id, locale=locale, country=country, timezone=timezone)
        return await self._sessions.create(person_id, locale, self._model_name, style, remember=remember)

    async def list(self, person_id: str) -> list[Session]:
        """The person's conversations, latest activity first."""
        return await self._sessions.list_for(person_id, self._max_sessions)

    async def transcript(self, person_id: str, session_id: str) -> Transcript:
        """All shown messages with the person's ratings, and the helpline card if one is due.

        Raises:
            NotYoursError: For another person's or no session.
        """
        session = await self._own_session(person_id, session_id)
        messages = await self._messages.history(session_id)
        ratings = await self._feedback.for_session(session_id, _rater(person_id))
        shown: list[Shown] = []
        for message in messages:
            rated = ratings.get(message.id)
            shown.append(
                Shown(
                    message_id=message.id,
                    role="user" if message.role is MessageRole.USER else "assistant",
                    text=message.text,
                    status=message.status,
                    error=message.error,
                    rating=None if rated is None else (1 if rated.value > 0 else -1),
                    reasons=() if rated is None else tuple(rated.reasons),
                    comment=None if rated is None else rated.comment,
                )
            )
        mine = [message for message in messages if message.role is MessageRole.USER]
        beyond = first_beyond([message.created_at for message in mine], self._nudge_after)
        noticed = session.notice_at
        young = first_young(shown)
        return Transcript(
            session,
            tuple(shown),
            await self._card(person_id, session_id, young=young is not None),
            next((m.id for m in mine if noticed is not None and m.created_at >= noticed), None),
            frozenset(mine[place].id for place in beyond),
            None if young is None else young.message_id,
            None if young is None else await self.young_line(person_id),
        )

    async def young_line(self, person_id: str) -> Helpline:
        """The line for children and young people of the person's country, in their language."""
        person = await self._persons.get(person_id)
        country = (person and person.country) or self._default_country
        return self._helplines.for_young(country, person.locale if person else "en")

    async def name(self, person_id: str, session_id: str, name: str) -> str | None:
        """Give a conversation a name of the person's own; an empty one takes it away, a longer one is cut.

        Returns:
            The name as it is kept.

        Raises:
            NotYoursError: For another person's or no session.
        """
        title = kept_name(name)
        if not await self._sessions.set_title(session_id, person_id, title):
            raise NotYoursError
        return title

    async def delete(self, person_id: str, session_id: str) -> None:
        """Delete one conversation and everything that hangs on it.

        Raises:
            NotYoursError: For another person's or no session.
        """
        if not await self._sessions.delete(session_id, person_id):
            raise NotYoursError

    async def delete_all(self, person_id: str) -> None:
        """Delete the person and everything about them; a second call does nothing."""
        await self._persons.delete_everything(person_id)

    def export(self, person_id: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Everything stored about the person, row by row, with the name of its table."""
        return self._persons.stream(person_id)

    async def rate(
        self,
        person_id: str,
        message_id: str,
        value: Rating | None,
        reasons: tuple[str, ...] = (),
        comment: str | None = None,
    ) -> None:
        """Set or take back (``value=None``) the person's own rating of a reply.

        Raises:
            NotYoursError: When the message is not a reply in a conversation of this person.
        """
        await self._own_reply(person_id, message_id)
        await self._feedback.set_rating(message_id, _rater(person_id), value, list(reasons), comment)

    async def set_country(self, person_id: str, country: str | None) -> None:
        """The country whose helplines are shown, chosen by the person.

        Raises:
            ValueError: When the directory knows no such country.
        """
        known = {code for code, _ in self._helplines.countries()}
        if country is not None and country not in known:
            raise ValueError("unknown country")
        await self._persons.update(person_id, country=country)

    async def set_locale(self, person_id: str, locale: str) -> None:
        """The language of pages, cards and written replies."""
        await self._persons.update(person_id, locale=locale)

    async def set_consent(self, person_id: str, consent: bool) -> None:
        """Whether conversations may be used for research; off until the person turns it on."""
        await self._persons.update(person_id, consent=consent)

    async def ask_consent(self, person_id: str) -> bool:
        """Whether to put the research question now: at most once, after some replies, never near a crisis."""
        return await self._persons.ask_consent(person_id, _ASK_AFTER)

    async def notice_due(self, person_id: str, session_id: str) -> bool:
        """Whether the AI notice must be shown again; when it is, the time is taken anew.

        Raises:
            NotYoursError: For another person's or no session.
        """
        session = await self._own_session(person_id, session_id)
        now = dt.datetime.now(dt.UTC)
        if now - (session.notice_at or session.created_at) < self._notice_every:
            return False
        await self._sessions.mark_notice(session_id, now)
        return True

    async def nudge_due(self, person_id: str, session_id: str) -> bool:
        """Whether the message that is being written now makes a stretch of use long; once a stretch.

        Raises:
            NotYoursError: For another person's or no session.
        """
        await self._own_session(person_id, session_id)
        if not self._nudge_after:
            return False
        messages = await self._messages.recent_history(session_id, _NUDGE_MESSAGES)
        times = [message.created_at for message in messages if message.role is MessageRole.USER]
        times.append(dt.datetime.now(dt.UTC))
        return len(times) - 1 in first_beyond(times, self._nudge_after)

    async def owns(self, person_id: str, session_id: str) -> bool:
        """Whether the session belongs to the person."""
        return await self._sessions.get_owned(session_id, person_id) is not None

    async def conversation_with(self, person_id: str, client_key: str) -> str | None:
        """The person's conversation that holds what a page sent with this key, or ``None``: it never came."""
        return await self._messages.conversation_with(person_id, client_key)

    async def _own_session(self, person_id: str, session_id: str) -> Session:
        session = await self._sessions.get_owned(session_id, person_id)
        if session is None:
            raise NotYoursError
        return session

    async def _own_reply(self, person_id: str, message_id: str) -> Message:
        message = await self._messages.get_owned(message_id, person_id)
        if message is None or message.role is not MessageRole.ASSISTANT:
            raise NotYoursError
        return message

    async def _card(self, person_id: str, session_id: str, *, young: bool) -> HelplineCard | None:
        """The card of the latest assessment of at least moderate risk; the ``young`` see their line first."""
        latest = await self._risk.latest(session_id, at_least=RiskLevel.MODERATE)
        person = await self._persons.get(person_id)
        if latest is None or person is None:
            return None
        return self._helplines.card(
            person.country or self._default_country,
            RiskLevel(latest.level),
            RiskCategory(latest.category),
            person.locale,
            young=young,
        )


def _rater(person_id: str) -> str:
    """The rater's name of a person, apart from those of staff."""
    return f"person:{person_id}"
