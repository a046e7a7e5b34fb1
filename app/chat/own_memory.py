"""What a person does with the style and the memory of a conversation; each call checks that it is theirs."""

from dataclasses import dataclass

from app.chat.session import NotYoursError
from app.db.facts import FactRepository
from app.db.memory_records import Fact
from app.db.records import Session
from app.db.sessions import SessionRepository
from models.facts import may_be_kept
from models.styles import Style


class CantBeKeptError(Exception):
    """A text that is never remembered: means of harm, contact data, too long, or nothing."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is remembered of one conversation.

    Attributes:
        remember: Whether facts are noted and used.
        facts: Oldest first.
    """

    remember: bool
    facts: tuple[Fact, ...]


class OwnMemory:
    """Style and facts of one person's conversations.

    Args:
        sessions: The conversations.
        facts: What is remembered of them.
    """

    def __init__(self, sessions: SessionRepository, facts: FactRepository) -> None:
        self._sessions = sessions
        self._facts = facts

    async def kept(self, person_id: str, session_id: str) -> Kept:
        """What is remembered.

        Raises:
            NotYoursError: For another person's or no conversation; all other calls do so too.
        """
        session = await self._own(person_id, session_id)
        return Kept(session.remember, tuple(await self._facts.of_session(session_id)))

    async def change(self, person_id: str, session_id: str, fact_id: str, text: str) -> None:
        """Put the person's own wording in place of a fact.

        Raises:
            CantBeKeptError: The text may not be remembered.
        """
        await self._own(person_id, session_id)
        wording = " ".join(text.split())
        if not may_be_kept(wording):
            raise CantBeKeptError
        if not await self._facts.change(session_id, fact_id, wording):
            raise NotYoursError

    async def forget(self, person_id: str, session_id: str, fact_id: str) -> None:
        """Delete a fact; one that is gone already may be deleted again."""
        await self._own(person_id, session_id)
        await self._facts.forget(session_id, fact_id)

    async def forget_all(self, person_id: str, session_id: str) -> None:
        """Delete all facts; what was written so far is not read for facts again."""
        await self._own(person_id, session_id)
        await self._facts.forget_all(session_id)

    async def set_remember(self, person_id: str, session_id: str, *, remember: bool) -> None:
        """Whether facts are noted and used from now on; what is there stays until it is deleted."""
        await self._own(person_id, session_id)
        await self._sessions.set_remember(session_id, remember)

    async def set_style(self, person_id: str, session_id: str, style: Style) -> None:
        """How replies are to be from now on."""
        await self._own(person_id, session_id)
        await self._sessions.set_style(session_id, style)

    async def _own(self, person_id: str, session_id: str) -> Session:
        session = await self._sessions.get_owned(session_id, person_id)
        if session is None:
            raise NotYoursError
        return session
