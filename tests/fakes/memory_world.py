"""``OwnMemory`` over the conversations in memory; facts are found as the real turn finds them."""

import datetime as dt
import uuid
from dataclasses import dataclass, field, replace

from app.chat.own_memory import CantBeKeptError, Kept
from app.chat.session import NotYoursError
from app.db.memory_records import Fact
from models.fact_patterns import facts_in
from models.facts import may_be_kept
from models.styles import Style
from safety.levels import RiskLevel
from tests.fakes.chat_world import FakeConversations


@dataclass
class FakeMemory:
    """Style and facts of the conversations of a page in a test.

    Attributes:
        conversations: Where sessions and messages are.
        facts: By session.
        read: Messages that were looked at.
    """

    conversations: FakeConversations
    facts: dict[str, list[Fact]] = field(default_factory=dict[str, list[Fact]])
    read: set[str] = field(default_factory=set[str])

    async def kept(self, person_id: str, session_id: str) -> Kept:
        await self._own(person_id, session_id)
        session = self.conversations.sessions[session_id]
        known = self.facts.setdefault(session_id, [])
        for message in self.conversations.messages[session_id]:
            if message.role != "user" or message.message_id in self.read:
                continue
            self.read.add(message.message_id)
            now = dt.datetime.now(dt.UTC)
            found = facts_in(message.text) if session.remember else []
            known += [
                Fact(str(uuid.uuid4()), message.message_id, one.kind, one.text, RiskLevel.NONE, now, None)
                for one in found
            ]
        return Kept(session.remember, tuple(known))

    async def change(self, person_id: str, session_id: str, fact_id: str, text: str) -> None:
        known = await self._known(person_id, session_id)
        if not may_be_kept(text):
            raise CantBeKeptError
        place = next((at for at, fact in enumerate(known) if fact.id == fact_id), None)
        if place is None:
            raise NotYoursError
        known[place] = replace(known[place], text=text, edited_at=dt.datetime.now(dt.UTC))

    async def forget(self, person_id: str, session_id: str, fact_id: str) -> None:
        known = await self._known(person_id, session_id)
        known[:] = [fact for fact in known if fact.id != fact_id]

    async def forget_all(self, person_id: str, session_id: str) -> None:
        (await self._known(person_id, session_id)).clear()

    async def set_remember(self, person_id: str, session_id: str, *, remember: bool) -> None:
        await self._own(person_id, session_id)
        self._set(session_id, remember=remember)

    async def set_style(self, person_id: str, session_id: str, style: Style) -> None:
        await self._own(person_id, session_id)
        self._set(session_id, style=style)

    async def _known(self, person_id: str, session_id: str) -> list[Fact]:
        await self.kept(person_id, session_id)
        return self.facts[session_id]

    async def _own(self, person_id: str, session_id: str) -> None:
        if not await self.conversations.owns(person_id, session_id):
            raise NotYoursError

    def _set(self, session_id: str, **values: object) -> None:
        session = self.conversations.sessions[session_id]
        self.conversations.sessions[session_id] = replace(session, **values)  # pyright: ignore[reportArgumentType]
