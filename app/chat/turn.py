"""The one way to take a turn: store and assess, sample, choose, store, show.

A message is assessed in memory while it is stored: help waits for no database, see ``first_help``.

The work runs in a task of its own that reports events through a queue. Whoever reads the
events may stop at any moment (a stop button, a closed tab): closing the iterator cancels the
task, which aborts the model's work and leaves a stored state that can be tried again.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress

from app.chat.crisis import CrisisDesk, CrisisVerdict
from app.chat.emotions import MessageEmotions
from app.chat.events import (
    Done,
    HelplineShown,
    MessageStored,
    ReplyStatus,
    ReplyText,
    TurnEvent,
    TurnFailed,
    Working,
)
from app.chat.first_help import FirstHelp
from app.chat.limits import excerpt, normalise_text, rejection
from app.chat.memory import MessageMemory
from app.chat.reply import ReplyMaker
from app.chat.reveal import reveal_steps
from app.chat.sampling import Emit
from app.chat.stores import TurnStores, UnknownSessionError
from app.chat.tasks import to_the_end
from app.chat.unanswered import unanswered_before
from app.chat.written import calls_anew
from app.db.messages import INTERRUPTED
from app.db.records import Message, MessageRole, MessageStatus, Person, Session
from app.logs import log_without_text
from app.metrics import Metrics
from models.chat_model import ChatModelError
from safety.helplines import HelplineCard
from safety.levels import RiskLevel

_log = logging.getLogger(__name__)


class PersonBusyError(ChatModelError):
    """This person has as many turns going on as one may have at a time."""

    code = "person_busy"


_REVEAL_DELAY_S = 0.02
_LOOK_S = 0.1
_MESSAGES_LOOKED_AT = 60
"""Messages in which a person at risk may have told their age, or in which one has no reply yet."""


class TurnService:
    """Takes turns for all sessions; one at a time in each session."""

    def __init__(
        self,
        stores: TurnStores,
        desk: CrisisDesk,
        maker: ReplyMaker,
        metrics: Metrics,
        max_message_chars: int,
        reveal_delay_s: float = _REVEAL_DELAY_S,
        max_turns_of_person: int = 3,
        emotions: MessageEmotions | None = None,
        memory: MessageMemory | None = None,
    ) -> None:
        self._stores = stores
        self._desk = desk
        self._maker = maker
        self._metrics = metrics
        self._max_chars = max_message_chars
        self._reveal_delay_s = reveal_delay_s
        self._max_of_person = max_turns_of_person
        self._emotions = emotions or MessageEmotions(None, stores.messages, metrics)
        self._memory = memory
        self._running: set[str] = set()
        self._tasks: set[asyncio.Future[None]] = set()
        self._leaving = False
        self._of_person: Counter[str] = Counter()

    def run(self, session_id: str, text: str, *, client_key: str | None = None) -> AsyncIterator[TurnEvent]:
        """Answer a new message of the person.

        Args:
            session_id: A session whose owner the caller has checked.
            text: What the person wrote.
            client_key: Same key, same message: a repeated send is stored once.

        Yields:
            Events in order; the last is ``Done`` or ``TurnFailed``.
        """
        return self._events(session_id, lambda emit: self._new(session_id, text, client_key, emit))

    def retry(self, session_id: str) -> AsyncIterator[TurnEvent]:
        """Answer the person's last message (again); an earlier reply to it is set aside, not lost."""
        return self._events(session_id, lambda emit: self._again(session_id, emit))

    def edit_last(self, session_id: str, text: str) -> AsyncIterator[TurnEvent]:
        """Replace the person's last message; the old one and its reply are set aside, not lost."""
        return self._events(session_id, lambda emit: self._edited(session_id, text, emit))

    async def help_for(self, text: str, country: str | None, locale: str) -> HelplineCard | None:
        """Help for a message that can't be stored, if it sounds like danger; nothing is stored."""
        return await self._desk.help_for(excerpt(normalise_text(text), self._max_chars), country, locale)

    async def sees_danger(self, text: str) -> bool:
        """Whether a first message shows that a person may be at risk; nothing is stored."""
        return await self._desk.sees_danger(excerpt(normalise_text(text), self._max_chars))

    def is_running(self, session_id: str) -> bool:
        """Whether a turn of this session is going on."""
        return session_id in self._running

    async def finished(self) -> None:
        """Wait until no turn is going on."""
        while self._tasks:
            await asyncio.sleep(_LOOK_S)

    async def interrupt(self) -> None:
        """End the turns that are going on, because the server stops: each can be tried again.

        A reply that was being shown stays whole. Turns that are cancelled later count as interrupted, too.
        """
        self._leaving = True
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _events(
        self, session_id: str, work: Callable[[Emit], Awaitable[None]]
    ) -> AsyncIterator[TurnEvent]:
        if session_id in self._running:
            yield TurnFailed(None, "turn_running", retryable=True)
            return
        self._running.add(session_id)
        self._metrics.turns_running.inc()
        queue: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
        task = asyncio.ensure_future(self._guarded(work, queue))
        self._tasks.add(task)
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await to_the_end(task)
            self._tasks.discard(task)
            self._running.discard(session_id)
            self._metrics.turns_running.dec()

    async def _guarded(
        self, work: Callable[[Emit], Awaitable[None]], queue: asyncio.Queue[TurnEvent | None]
    ) -> None:
        """Run the work; whatever happens, the reader gets an end."""
        stored = False

        def emit(event: TurnEvent) -> None:
            nonlocal stored
            stored = stored or isinstance(event, MessageStored)
            queue.put_nowait(event)

        try:
            await work(emit)
        except asyncio.CancelledError:
            if self._leaving and not stored:
                emit(TurnFailed(None, "internal", retryable=True))
            raise
        except UnknownSessionError:
            queue.put_nowait(TurnFailed(None, "unknown_session", retryable=False))
        except Exception as error:
            log_without_text(_log, "turn failed before its message was stored", error)
            queue.put_nowait(TurnFailed(None, "internal", retryable=True))
        finally:
            queue.put_nowait(None)

    async def _new(self, session_id: str, text: str, client_key: str | None, emit: Emit) -> None:
        text = normalise_text(text)
        person, session = await self._stores.owner_and_session(session_id)
        if await self._refused(text, person, session, emit):
            return
        lately = await self._lately(session_id)
        first = FirstHelp(self._desk.look(text, person, session, lately), emit)
        message = await first.during(self._stores.add_message(session, text, client_key))
        emit(MessageStored(message.id))
        if message.status is not MessageStatus.ANSWERED:
            await self._answer(message, person, session, first, emit)

    async def _again(self, session_id: str, emit: Emit) -> None:
        person, session = await self._stores.owner_and_session(session_id)
        message = await self._stores.messages.last_user(session_id)
        if message is None:
            emit(TurnFailed(None, "nothing_to_retry", retryable=False))
            return
        lately = await self._lately(session_id, message)
        first = FirstHelp(self._desk.look(message.text, person, session, lately), emit)
        await first.during(self._stores.set_aside_reply(session_id, message), message.id)
        emit(MessageStored(message.id))
        await self._answer(message, person, session, first, emit)

    async def _edited(self, session_id: str, text: str, emit: Emit) -> None:
        person, session = await self._stores.owner_and_session(session_id)
        text = normalise_text(text)
        if await self._refused(text, person, session, emit):
            return
        lately = await self._lately(session_id, await self._stores.messages.last_user(session_id))
        first = FirstHelp(self._desk.look(text, person, session, lately), emit)
        message = await first.during(self._stores.messages.edit_last(session_id, text))
        emit(MessageStored(message.id))
        await self._answer(message, person, session, first, emit)

    async def _lately(self, session_id: str, before: Message | None = None) -> list[str]:
        """What the person wrote last; nothing where that can't be read: the message is then read alone."""
        try:
            return await self._stores.lately(session_id, before)
        except Exception as error:
            log_without_text(_log, "a message was read without those before it", error)
            return []

    async def _refused(self, text: str, person: Person, session: Session, emit: Emit) -> bool:
        """Whether the text can't be taken; help is shown for a text that is only too long."""
        reason = rejection(text, self._max_chars)
        if reason is None:
            return False
        if reason == "too_long":
            verdict = await self._desk.look(excerpt(text, self._max_chars), person, session)
            if verdict.card is not None:
                emit(HelplineShown(None, verdict.card, repeated=False))
        emit(TurnFailed(None, reason, retryable=False))
        return True

    async def _answer(
        self, message: Message, person: Person, session: Session, first: FirstHelp, emit: Emit
    ) -> None:
        """From a stored message to a shown reply."""
        self._of_person[person.id] += 1
        try:
            made = await self._made(message, person, session, first, emit)
        finally:
            self._of_person[person.id] -= 1
            if not self._of_person[person.id]:
                del self._of_person[person.id]
        if made is not None:
            await self._show(message, *made, emit)

    def _require_turn(self, person: Person) -> None:
        """Keep one person with many pages from filling the queue of everybody; nobody at risk is refused.

        Raises:
            PersonBusyError: More turns of this person are going on than one may have at a time.
        """
        if self._of_person[person.id] > self._max_of_person:
            raise PersonBusyError

    async def _made(
        self, message: Message, person: Person, session: Session, first: FirstHelp, emit: Emit
    ) -> tuple[Message, ReplyStatus] | None:
        """Assess and reply; ``None`` when the turn has failed and was reported."""
        try:
            verdict = await self._attend(message, person, session, first, emit)
            if verdict.assessment.level < RiskLevel.MODERATE:
                self._require_turn(person)
            later = asyncio.ensure_future(self._reconsider(message, person, session, verdict, emit))
            try:
                if self._memory is not None:
                    await self._memory.note(message, verdict)
                emotion = await self._emotions.of(message.id, message.text)
                latest = verdict

                async def heed(replies: Sequence[str], heard: CrisisVerdict) -> CrisisVerdict:
                    nonlocal latest
                    latest = await self._heed(message, replies, person, session, heard, emit)
                    return latest

                made = await self._maker.make(message, person, verdict, emit, later, emotion, heed)
                if self._memory is not None:
                    self._memory.read_later(message, _highest(latest, _latest(later, verdict)))
                return made
            finally:
                later.cancel()
        except asyncio.CancelledError:
            if self._leaving:
                await self._settle(message, MessageStatus.FAILED, INTERRUPTED)
                emit(TurnFailed(message.id, INTERRUPTED, retryable=True))
            else:
                await self._settle(message, MessageStatus.STOPPED, "stopped")
            raise
        except ChatModelError as error:
            await self._settle(message, MessageStatus.FAILED, error.code)
            emit(TurnFailed(message.id, error.code, error.retryable))
        except Exception as error:
            log_without_text(_log, "turn failed", error)
            await self._settle(message, MessageStatus.FAILED, "internal")
            emit(TurnFailed(message.id, "internal", retryable=True))
        return None

    async def _attend(
        self, message: Message, person: Person, session: Session, first: FirstHelp, emit: Emit
    ) -> CrisisVerdict:
        """Notice a crisis and show help; a stop does not interrupt it."""
        start = time.perf_counter()
        verdict = await to_the_end(self._kept(message, session, first))
        self._metrics.observe("risk", time.perf_counter() - start)
        if verdict.card is not None:
            verdict = await self._in_view_of(message, verdict, person)
        if verdict.card is not None:
            again = calls_anew(message.text, verdict)
            emit(HelplineShown(message.id, verdict.card, verdict.repeated, again))
        emit(Working("thinking"))
        await to_the_end(self._stores.messages.set_status(message.id, MessageStatus.ANSWERING))
        return verdict

    async def _in_view_of(self, message: Message, verdict: CrisisVerdict, person: Person) -> CrisisVerdict:
        """See a message at risk beside those before it; where they can't be read, by itself."""
        try:
            past = await self._stores.messages.recent_history(message.session_id, _MESSAGES_LOOKED_AT)
            mine = [one.text for one in past if one.role is MessageRole.USER]
            return await self._desk.in_view_of(verdict, mine, unanswered_before(past, message), person)
        except Exception as error:
            log_without_text(_log, "a message at risk was read by itself", error)
            return verdict

    async def _kept(self, message: Message, session: Session, first: FirstHelp) -> CrisisVerdict:
        seen = await first.verdict()
        return await first.during(self._desk.keep(message.id, seen, session), message.id)

    async def _reconsider(
        self, message: Message, person: Person, session: Session, verdict: CrisisVerdict, emit: Emit
    ) -> CrisisVerdict:
        """Hear the judge beside the model's work; more help is shown before any text of the model."""
        found = await self._desk.reconsider(message.text, person, verdict)
        return await self._raised(message, session, verdict, found, emit)

    async def _heed(
        self,
        message: Message,
        replies: Sequence[str],
        person: Person,
        session: Session,
        verdict: CrisisVerdict,
        emit: Emit,
    ) -> CrisisVerdict:
        """Read the sampled replies for a danger that no layer found; a stop does not interrupt it."""
        try:
            found = await to_the_end(self._desk.heed(message.text, replies, person, verdict))
        except Exception as error:
            log_without_text(_log, "the sampled replies could not be read for danger", error)
            self._metrics.layer_failures.labels("echo").inc()
            return verdict
        return await to_the_end(self._raised(message, session, verdict, found, emit))

    async def _raised(
        self,
        message: Message,
        session: Session,
        verdict: CrisisVerdict,
        found: CrisisVerdict,
        emit: Emit,
    ) -> CrisisVerdict:
        """Store a second look, show the help of a level that rose, forget what was noted from the message."""
        raised = found.assessment.level > verdict.assessment.level
        keeping = self._desk.keep_opinion(message.id, found, verdict, session)
        if raised:
            found = await FirstHelp(_ready(found), emit).during(keeping, message.id)
        else:
            found = await keeping
        if found.card is not None and raised:
            emit(HelplineShown(message.id, found.card, found.repeated))
        if self._memory is not None and found.assessment.level > max(RiskLevel.LOW, verdict.assessment.level):
            await self._memory.take_back(message)
        return found

    async def _show(self, message: Message, reply: Message, status: ReplyStatus, emit: Emit) -> None:
        """Reveal the stored reply a few words at a time; a stop keeps what was read so far."""
        shown = ""
        try:
            for shown in reveal_steps(reply.text):
                emit(ReplyText(shown))
                await asyncio.sleep(self._reveal_delay_s)
        except asyncio.CancelledError:
            if self._leaving:
                emit(Done(message.id, reply.id, status, reply.text))
                raise
            await to_the_end(self._stores.messages.cut_reply(reply.id, shown))
            self._metrics.turns.labels("stopped").inc()
            raise
        emit(Done(message.id, reply.id, status, reply.text))
        self._metrics.turns.labels(status).inc()

    async def _settle(self, message: Message, status: MessageStatus, error: str) -> None:
        """Store how the turn ended unless a reply was stored already; works while being cancelled."""
        self._metrics.turns.labels(error).inc()
        try:
            await to_the_end(self._stores.messages.settle(message.id, status, error))
        except Exception as failure:
            # The page is told how the turn ended; the row is marked at the next start.
            log_without_text(_log, "the end of a turn could not be stored", failure)


async def _ready(verdict: CrisisVerdict) -> CrisisVerdict:
    return verdict


def _highest(one: CrisisVerdict, other: CrisisVerdict) -> CrisisVerdict:
    return max(one, other, key=lambda verdict: verdict.assessment.level)


def _latest(later: "asyncio.Task[CrisisVerdict]", verdict: CrisisVerdict) -> CrisisVerdict:
    """What the judge made of the verdict, if it has spoken."""
    if not later.done() or later.cancelled() or later.exception() is not None:
        return verdict
    return later.result()
