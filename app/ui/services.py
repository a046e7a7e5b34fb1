"""What the chat page needs of the rest of the application; the composition root passes it in."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from app.chat.events import TurnEvent
from app.chat.own_memory import Kept
from app.chat.session import Transcript
from app.db.records import Person, Session
from models.styles import Style
from safety.helplines import Helpline, HelplineCard

Rating = Literal[1, -1]


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Numbers of the page.

    Attributes:
        max_message_chars: Longest message that can be sent.
        resume_hours: A conversation that was active so recently is opened again by a new tab.
        tick_s: Seconds between signs of life while a reply is made; also how soon a closed tab is noticed.
        exit_url: Where the quick exit leads; ``None`` takes the neutral page of the language.
    """

    max_message_chars: int = 4000
    resume_hours: float = 12.0
    tick_s: float = 1.0
    exit_url: str | None = None


class Turns(Protocol):
    """See ``app.chat.turn.TurnService``; closing an iterator stops the work."""

    def run(self, session_id: str, text: str, *, client_key: str | None = None) -> AsyncIterator[TurnEvent]:
        """Answer a new message."""
        ...

    def retry(self, session_id: str) -> AsyncIterator[TurnEvent]:
        """Answer the last message again."""
        ...

    async def sees_danger(self, text: str) -> bool:
        """Whether a first message shows that a person may be at risk."""
        ...

    async def help_for(self, text: str, country: str | None, locale: str) -> HelplineCard | None:
        """Help for a message of which nothing else could be read or stored, if it sounds like danger."""
        ...

    def edit_last(self, session_id: str, text: str) -> AsyncIterator[TurnEvent]:
        """Replace the last message and answer it."""
        ...


class Conversations(Protocol):
    """See ``app.chat.session.ConversationService``; every call checks whose the conversation is."""

    async def person(self, person_id: str) -> Person | None:
        """The person's row, if they have written anything."""
        ...

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
        """Begin a conversation."""
        ...

    async def list(self, person_id: str) -> "list[Session]":
        """Conversations, latest activity first."""
        ...

    async def transcript(self, person_id: str, session_id: str) -> Transcript:
        """Messages, ratings and the helpline card."""
        ...

    async def owns(self, person_id: str, session_id: str) -> bool:
        """Whether the conversation belongs to the person."""
        ...

    async def conversation_with(self, person_id: str, client_key: str) -> str | None:
        """The conversation that holds what a page sent with this key."""
        ...

    async def name(self, person_id: str, session_id: str, name: str) -> str | None:
        """Give a conversation a name of the person's own, or take it away; the name as it is kept."""
        ...

    async def delete(self, person_id: str, session_id: str) -> None:
        """Delete one conversation."""
        ...

    async def delete_all(self, person_id: str) -> None:
        """Delete everything."""
        ...

    async def rate(
        self,
        person_id: str,
        message_id: str,
        value: Rating | None,
        reasons: tuple[str, ...] = (),
        comment: str | None = None,
    ) -> None:
        """Set or take back a rating."""
        ...

    async def set_country(self, person_id: str, country: str | None) -> None:
        """Choose the country of the helplines."""
        ...

    async def set_locale(self, person_id: str, locale: str) -> None:
        """Choose the language."""
        ...

    async def set_consent(self, person_id: str, consent: bool) -> None:
        """Answer the research question."""
        ...

    async def ask_consent(self, person_id: str) -> bool:
        """Whether to put that question now."""
        ...

    async def notice_due(self, person_id: str, session_id: str) -> bool:
        """Whether the AI notice is to be shown again."""
        ...

    async def young_line(self, person_id: str) -> Helpline:
        """The line for children and young people of the person's country."""
        ...

    async def nudge_due(self, person_id: str, session_id: str) -> bool:
        """Whether a break is to be suggested now."""
        ...


class Memory(Protocol):
    """See ``app.chat.own_memory.OwnMemory``; every call checks whose the conversation is."""

    async def kept(self, person_id: str, session_id: str) -> Kept:
        """What is remembered."""
        ...

    async def change(self, person_id: str, session_id: str, fact_id: str, text: str) -> None:
        """Put a new wording in place of a fact."""
        ...

    async def forget(self, person_id: str, session_id: str, fact_id: str) -> None:
        """Delete a fact."""
        ...

    async def forget_all(self, person_id: str, session_id: str) -> None:
        """Delete all facts."""
        ...

    async def set_remember(self, person_id: str, session_id: str, *, remember: bool) -> None:
        """Turn the memory on or off."""
        ...

    async def set_style(self, person_id: str, session_id: str, style: Style) -> None:
        """Choose how replies are to be."""
        ...


class Cookie(Protocol):
    """See ``app.auth.person_cookie.PersonCookie``."""

    def read(self, cookies: Mapping[str, str]) -> str | None:
        """The person's id, or ``None``."""
        ...
