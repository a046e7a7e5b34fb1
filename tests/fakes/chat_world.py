"""A whole chat world in memory: conversations, turns and helplines that need no model and no database.

What a turn does is read from its text, so that a browser test can ask for it:
``crisis`` shows helplines first, ``slowly`` takes long, ``queue`` waits behind two others, ``fail``
fails as a busy model does, ``long reply`` answers with many words, ``step by step`` waits before each
step until the test lets it go on (``FakeTurns.allowed``). See ``_CRISIS`` and ``_SLOW`` for
words that do the same in pictures.
"""

import asyncio
import datetime as dt
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, cast

from app.chat.conversation_name import kept_name
from app.chat.events import (
    Done,
    HelplineShown,
    MessageStored,
    Queued,
    ReplyText,
    TurnEvent,
    TurnFailed,
    Working,
)
from app.chat.session import NotYoursError, Shown, Transcript, first_young
from app.db.records import Person, Session
from models.styles import Style
from safety.helplines import Helpline, HelplineCard
from safety.levels import RiskCategory, RiskLevel, SessionRisk

_CRISIS = ("crisis", "want to be here anymore", "不想活")
_SLOW = ("slowly", "used to talk every evening")
_REPLIES = {
    "en": (
        "That sounds heavy, and I am glad that you wrote it down. What has been the hardest part of today?",
        "So the quiet came when she left. It makes sense that the evenings feel longest now.",
        "I'm really glad you told me this. You don't have to carry it alone: the people on the lines below "
        "can talk with you right now. Is there someone who could be near you tonight?",
    ),
    "zh": (
        "听起来这段时间很不容易，谢谢你愿意写下来。睡不着的时候，心里最常想到的是什么？",
        "谢谢你告诉我这些。你不必一个人扛着，下面的热线现在就有人可以听你说。今晚有人能陪在你身边吗？",
    ),
}


def _says(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


@dataclass
class FakeConversations:
    """``ConversationService`` over dictionaries."""

    helplines: Any
    notices: set[str] = field(default_factory=set)
    persons: dict[str, Person] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    messages: dict[str, list[Shown]] = field(default_factory=dict)
    crises: set[str] = field(default_factory=set)
    category: RiskCategory = RiskCategory.SUICIDE
    keys: dict[str, str] = field(default_factory=dict[str, str])

    async def person(self, person_id: str) -> Person | None:
        return self.persons.get(person_id)

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
        now = _now()
        if person_id not in self.persons:
            self.persons[person_id] = Person(person_id, locale, country, timezone, False, None, now, now)
        session = Session(
            str(uuid.uuid4()),
            person_id,
            locale,
            "fake",
            None,
            now,
            now,
            0,
            None,
            SessionRisk(),
            style,
            remember,
        )
        self.sessions[session.id] = session
        self.messages[session.id] = []
        return session

    async def list(self, person_id: str) -> list[Session]:
        own = [session for session in self.sessions.values() if session.person_id == person_id]
        return sorted(own, key=lambda session: session.last_activity_at, reverse=True)

    async def owns(self, person_id: str, session_id: str) -> bool:
        session = self.sessions.get(session_id)
        return session is not None and session.person_id == person_id

    async def transcript(self, person_id: str, session_id: str) -> Transcript:
        session = await self._own(person_id, session_id)
        card = self.card(session_id) if session_id in self.crises else None
        young = first_young(self.messages[session_id])
        return Transcript(
            session,
            tuple(self.messages[session_id]),
            card,
            young_after=young and young.message_id,
            young_line=await self.young_line(person_id) if young else None,
        )

    async def young_line(self, person_id: str) -> Helpline:
        person = self.persons[person_id]
        line: Helpline = self.helplines.for_young(person.country, person.locale)
        return line

    async def conversation_with(self, person_id: str, client_key: str) -> str | None:
        session_id = self.keys.get(client_key)
        return session_id if session_id and await self.owns(person_id, session_id) else None

    async def name(self, person_id: str, session_id: str, name: str) -> str | None:
        title = kept_name(name)
        self.sessions[session_id] = replace(await self._own(person_id, session_id), title=title)
        return title

    async def delete(self, person_id: str, session_id: str) -> None:
        await self._own(person_id, session_id)
        del self.sessions[session_id]
        del self.messages[session_id]

    async def delete_all(self, person_id: str) -> None:
        for session in await self.list(person_id):
            await self.delete(person_id, session.id)
        self.persons.pop(person_id, None)

    async def export(self, person_id: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        for session in await self.list(person_id):
            for shown in self.messages[session.id]:
                yield "messages", {"text": shown.text}

    async def rate(
        self,
        person_id: str,
        message_id: str,
        value: Any,
        reasons: tuple[str, ...] = (),
        comment: str | None = None,
    ) -> None:
        for session in await self.list(person_id):
            for index, shown in enumerate(self.messages[session.id]):
                if shown.message_id == message_id and shown.role == "assistant":
                    rated = replace(shown, rating=value, reasons=reasons, comment=comment)
                    self.messages[session.id][index] = rated
                    return
        raise NotYoursError

    async def set_country(self, person_id: str, country: str | None) -> None:
        self._update(person_id, country=country)

    async def set_locale(self, person_id: str, locale: str) -> None:
        self._update(person_id, locale=locale)

    async def set_consent(self, person_id: str, consent: bool) -> None:
        self._update(person_id, consent=consent, consent_at=_now())

    async def ask_consent(self, person_id: str) -> bool:
        person = self.persons[person_id]
        own = await self.list(person_id)
        replies = sum(one.role == "assistant" for session in own for one in self.messages[session.id])
        open_question = person.consent_at is None and person.consent_asked_at is None
        if not open_question or replies < 3 or any(session.id in self.crises for session in own):
            return False
        self._update(person_id, consent_asked_at=_now())
        return True

    async def notice_due(self, person_id: str, session_id: str) -> bool:
        await self._own(person_id, session_id)
        due = session_id in self.notices
        self.notices.discard(session_id)
        return due

    async def nudge_due(self, person_id: str, session_id: str) -> bool:
        await self._own(person_id, session_id)
        return False

    def card(self, session_id: str) -> HelplineCard:
        person = self.persons[self.sessions[session_id].person_id]
        return self.helplines.card(person.country, RiskLevel.IMMINENT, self.category, person.locale)

    def _update(self, person_id: str, **values: Any) -> None:
        if person_id in self.persons:
            self.persons[person_id] = replace(self.persons[person_id], **values)

    async def _own(self, person_id: str, session_id: str) -> Session:
        if not await self.owns(person_id, session_id):
            raise NotYoursError
        return self.sessions[session_id]


@dataclass
class FakeTurns:
    """``TurnService`` with written replies.

    Attributes:
        conversations: What the turns write to.
        max_chars: Longer messages are refused.
        step_s: Between two parts of a reply.
        pause_s: Before a reply begins, and at each place of the queue.
        slow_s: Before a slow reply begins; somebody stops it before.
        aborted: Sessions whose turn was closed early, one entry a turn.
        allowed: How many steps a session's ``step by step`` may go on.
        going_on: Sessions that are being answered.
    """

    conversations: FakeConversations
    max_chars: int = 4000
    step_s: float = 0.03
    pause_s: float = 0.3
    slow_s: float = 600.0
    aborted: list[str] = field(default_factory=list[str])
    allowed: Counter[str] = field(default_factory=Counter[str])
    going_on: set[str] = field(default_factory=set[str])

    def run(self, session_id: str, text: str, *, client_key: str | None = None) -> AsyncIterator[TurnEvent]:
        return self._sent(session_id, text, client_key)

    def retry(self, session_id: str) -> AsyncIterator[TurnEvent]:
        if session_id in self.going_on:
            return _refused()
        shown = self.conversations.messages[session_id]
        last = max(index for index, one in enumerate(shown) if one.role == "user")
        del shown[last + 1 :]
        return self._answer(session_id, last, again=True)

    def edit_last(self, session_id: str, text: str) -> AsyncIterator[TurnEvent]:
        if session_id in self.going_on:
            return _refused()
        shown = self.conversations.messages[session_id]
        last = max(index for index, one in enumerate(shown) if one.role == "user")
        del shown[last:]
        return self._new(session_id, text)

    async def sees_danger(self, text: str) -> bool:
        return _says(text, _CRISIS)

    async def help_for(self, text: str, country: str | None, locale: str) -> HelplineCard | None:
        if not _says(text, _CRISIS):
            return None
        card: HelplineCard = self.conversations.helplines.card(
            country, RiskLevel.IMMINENT, self.conversations.category, locale
        )
        return card

    async def _sent(self, session_id: str, text: str, client_key: str | None) -> AsyncIterator[TurnEvent]:
        events = self._new(session_id, text)
        async with aclosing(cast("AsyncGenerator[TurnEvent]", events)):
            async for event in events:
                if isinstance(event, MessageStored) and client_key is not None:
                    self.conversations.keys[client_key] = session_id
                yield event

    async def _new(self, session_id: str, text: str) -> AsyncIterator[TurnEvent]:
        if len(text) > self.max_chars:
            if _says(text, _CRISIS):
                yield HelplineShown("", self.conversations.card(session_id), repeated=False)
            yield TurnFailed(None, "too_long", retryable=False)
            return
        if session_id in self.going_on:
            yield TurnFailed(None, "turn_running", retryable=True)
            return
        shown = self.conversations.messages[session_id]
        shown.append(Shown(str(uuid.uuid4()), "user", text, "answering", None, None, (), None))
        session = self.conversations.sessions[session_id]
        self.conversations.sessions[session_id] = replace(session, last_activity_at=_now())
        async with aclosing(self._answer(session_id, len(shown) - 1)) as events:
            async for event in events:
                yield event

    async def _answer(self, session_id: str, at: int, *, again: bool = False) -> AsyncGenerator[TurnEvent]:
        shown = self.conversations.messages[session_id]
        asked = shown[at]
        self.going_on.add(session_id)
        try:
            yield MessageStored(asked.message_id)
            async for event in self._work(session_id, asked, again):
                yield event
            if "fail" in asked.text and not again:
                shown[at] = replace(asked, status="failed", error="busy")
                yield TurnFailed(asked.message_id, "busy", retryable=True)
                return
            text = _reply(asked.text, again, sum(one.role == "assistant" for one in shown))
            words = text.split(" ")
            for end in range(3, len(words), 3):
                yield ReplyText(" ".join(words[:end]))
                await asyncio.sleep(self.step_s)
            yield ReplyText(text)
            reply = Shown(str(uuid.uuid4()), "assistant", text, "complete", None, None, (), None)
            shown[at] = replace(asked, status="answered")
            shown.append(reply)
            yield Done(asked.message_id, reply.message_id, "complete", text)
        except (GeneratorExit, asyncio.CancelledError):
            if session_id in self.conversations.messages:
                shown[at] = replace(asked, status="stopped")
            self.aborted.append(session_id)
            raise
        finally:
            self.going_on.discard(session_id)

    async def _work(self, session_id: str, asked: Shown, again: bool) -> AsyncIterator[TurnEvent]:
        if _says(asked.text, _CRISIS):
            repeated = session_id in self.conversations.crises
            self.conversations.crises.add(session_id)
            card, anew = self.conversations.card(session_id), "again" in asked.text
            yield HelplineShown(asked.message_id, card, repeated, anew)
        if "queue" in asked.text:
            for ahead in (2, 1, 0):
                yield Queued(ahead)
                await self._pause(session_id, asked, self.pause_s)
        yield Working("thinking")
        slow = _says(asked.text, _SLOW) and not again
        await self._pause(session_id, asked, self.slow_s if slow else self.pause_s)
        yield Working("choosing")
        await asyncio.sleep(self.pause_s / 3)

    async def _pause(self, session_id: str, asked: Shown, seconds: float) -> None:
        if "step by step" not in asked.text:
            await asyncio.sleep(seconds)
            return
        while not self.allowed[session_id]:
            await asyncio.sleep(0.01)
        self.allowed[session_id] -= 1


async def _refused() -> AsyncIterator[TurnEvent]:
    yield TurnFailed(None, "turn_running", retryable=True)


def _reply(text: str, again: bool, turn: int) -> str:
    if "long reply" in text:
        return "\n\n".join(f"This is part {index} of a long reply, word by word." for index in range(12))
    if again:
        return "Let me try to say that in another way. It sounds as if this has been with you for a while."
    replies = _REPLIES["zh" if any("一" <= character <= "鿿" for character in text) else "en"]
    return replies[-1] if _says(text, _CRISIS) else replies[turn % (len(replies) - 1)]
