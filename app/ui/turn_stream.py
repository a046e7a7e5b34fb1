"""Takes a turn for a page: whose is it, what to show while it runs, how it ends."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from app.address_limit import AddressLimit
from app.chat.events import MessageStored, TurnEvent
from app.chat.limits import normalise_text
from app.chat.session import NotYoursError, Transcript, first_young
from app.logs import log_without_text
from app.ui.browser_data import fields_of, locale_of, message_text, short, style_of, timezone_of
from app.ui.help_first import Progress, with_help
from app.ui.running import RunningTurn, RunningTurns, until_stopped
from app.ui.services import Conversations, PageLimits, Turns
from app.ui.texts import Texts
from app.ui.turn_view import TurnView
from app.ui.view import View, ViewBuilder
from models.styles import Style
from safety.levels import RiskLevel
from safety.own_age import says_minor

_log = logging.getLogger(__name__)
_READ_S = 2.0
"""Seconds to read a conversation once its turn has gone wrong."""
CountryGuess = Callable[[str | None, str | None], str | None]


class _TooManyNewError(Exception):
    """Very many conversations were begun from the address of this one."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A turn that a browser asks for; only ``person_id`` is certain.

    Attributes:
        person_id: From the signed cookie.
        action: ``send``, ``retry`` or ``edit``.
        session_id: The conversation the browser names, or ``None`` for a new one.
        text: The message, for ``send`` and ``edit``; for ``retry`` the one on screen, read for danger only.
        key: The browser's own name for this message, against storing it twice.
        seen: Id of the last message that the tab shows; another tab may have gone on meanwhile.
        locale: Language of the page.
        country: Country picked before there was a person to store it with.
        timezone: As the browser tells it.
        accept_language: Header of that name.
        address: Where the request comes from, for the limit of new conversations; kept nowhere.
        style: How replies are to be, picked before there was a conversation to store it with.
        remember: The same for its memory.
    """

    person_id: str
    action: str
    session_id: str | None
    text: str
    key: str | None
    seen: str | None
    locale: str
    country: str | None
    timezone: str | None
    accept_language: str | None
    address: str | None = None
    style: Style = Style.BALANCED
    remember: bool = True


def turn_request(
    person_id: str, data: object, accept_language: str | None, address: str | None = None
) -> TurnRequest:
    """Read what the page's script sent."""
    fields = fields_of(data)
    return TurnRequest(
        person_id=person_id,
        action=short(fields, "action") or "",
        session_id=short(fields, "conversation"),
        text=normalise_text(message_text(fields)),
        key=short(fields, "key"),
        seen=short(fields, "seen"),
        locale=locale_of(fields),
        country=short(fields, "country", 2),
        timezone=timezone_of(fields),
        accept_language=accept_language,
        address=address,
        style=style_of(fields) or Style.BALANCED,
        remember=fields.get("remember") is not False,
    )


class TurnStream:
    """Yields views from the moment a message arrives until its turn is over."""

    def __init__(
        self,
        conversations: Conversations,
        turns: Turns,
        builder: ViewBuilder,
        running: RunningTurns,
        limits: PageLimits,
        guess_country: CountryGuess,
        newcomers: AddressLimit,
    ) -> None:
        self._conversations = conversations
        self._turns = turns
        self._builder = builder
        self._running = running
        self._limits = limits
        self._guess_country = guess_country
        self._newcomers = newcomers

    async def views(self, request: TurnRequest) -> AsyncGenerator[View]:
        """Views of one turn, marked with its key; the last one says how it ended."""
        texts, progress = self._builder.texts(request.locale), Progress()
        views = with_help(
            self._safe(request, texts, progress),
            progress,
            lambda: self._help(request),
            self._builder,
            texts("turn.thinking"),
            self._limits.tick_s,
        )
        # Closed here and now when the reader goes: the turn must not wait for the garbage collector.
        async with aclosing(views) as helped:
            async for view in helped:
                yield {**view, "turn": request.key}

    async def of_nobody(self, data: object, accept_language: str | None) -> View:
        """The answer to a browser without its cookie: nothing is stored, danger is noticed all the same."""
        request = turn_request("", data, accept_language)
        texts = self._builder.texts(request.locale)
        refused = self._builder.numbered(
            busy=False, turn=request.key, outcome=outcome("unsent", "no_cookie", texts)
        )
        card = await self._card_for(request)
        return refused if card is None else {**refused, "card": card}

    async def _safe(self, request: TurnRequest, texts: Texts, progress: Progress) -> AsyncGenerator[View]:
        try:
            async with aclosing(self._turn(request, texts, progress)) as views:
                async for view in views:
                    yield view
        except _TooManyNewError:
            refused = outcome("unsent", "too_many_new", texts)
            yield self._builder.numbered(conversation=None, items=[], busy=False, outcome=refused)
        except NotYoursError:
            nothing = await self._builder.empty(request.person_id, request.locale)
            yield {**nothing, "outcome": outcome("unsent", "gone", texts)}
        except Exception as error:
            log_without_text(_log, "the page could not take a turn", error)
            yield await self._broken(request, texts, progress)

    async def _help(self, request: TurnRequest) -> dict[str, Any] | None:
        """The card for the message alone; the conversation's own may be open already and stays then."""
        try:
            card = await self._card_for(request)
        except Exception as error:
            log_without_text(_log, "no card for a message", error)
            return None
        return None if card is None else {**card, "repeated": card["level"] != RiskLevel.IMMINENT.label}

    async def _card_for(self, request: TurnRequest) -> dict[str, Any] | None:
        """The card that a message calls for by itself, as the page takes it."""
        country = request.country or self._guess_country(request.accept_language, request.timezone)
        card = await self._turns.help_for(request.text, country, request.locale)
        return None if card is None else self._builder.card(card, request.locale).data()

    async def _broken(self, request: TurnRequest, texts: Texts, progress: Progress) -> View:
        """The view after a fault: what is stored, if that can be read, and what became of the message."""
        kind, code = "unsent", _unsent_code(request, "internal")
        if progress.stored:
            kind, code = "failed", "unanswered"
        told = outcome(kind, code, texts)
        if progress.session_id is not None:
            reading = self._builder.conversation(request.person_id, progress.session_id, request.locale)
            try:
                return {**await asyncio.wait_for(reading, _READ_S), "outcome": told}
            except Exception as error:
                log_without_text(_log, "a conversation could not be read", error)
        if progress.view is not None and progress.stored:
            return {**progress.view.broken(code), "outcome": told}
        return self._builder.numbered(items=[], busy=False, outcome=told)

    async def _turn(self, request: TurnRequest, texts: Texts, progress: Progress) -> AsyncGenerator[View]:
        if request.action not in ("send", "retry", "edit") or (
            request.action != "retry" and not request.text
        ):
            yield self._builder.numbered(
                conversation=request.session_id,
                items=[],
                busy=False,
                outcome=outcome("unsent", "empty", texts),
            )
            return
        is_new = request.session_id is None
        session_id = request.session_id or await self._create(request)
        # Before anything of a conversation is waited for: messages are answered in the order they came in.
        turn = self._running.begin(request.person_id, session_id)
        try:
            # Anyone can name any id.
            if not is_new and not await self._conversations.owns(request.person_id, session_id):
                raise NotYoursError
            progress.session_id = session_id
            # A new message does not wait for the reply to the one before: that reply ends here.
            waited = request.action == "send" and await turn.stop_earlier()
            before = None if is_new else await self._conversations.transcript(request.person_id, session_id)
            whole = None
            if before is not None and (waited or _went_on(request, before)):
                whole = await self._builder.read(request.person_id, before, request.locale, mine=turn)
                if request.action != "send":
                    # What was to be changed is no longer the last: the person decides anew.
                    yield {**whole, "outcome": outcome("unsent", "went_on", texts)}
                    return
            text = _last_of_person(before) if request.action == "retry" else request.text
            view = progress.view = TurnView(self._builder, request.locale, session_id, text, before=whole)
            await self._notices(view, request, session_id, before)
            if _tells_age(request.action, text, before):
                view.young(await self._conversations.young_line(request.person_id))
            yield view.view()
            events = until_stopped(self._events(request, session_id), turn.signal, self._limits.tick_s)
            async with aclosing(events) as steps:
                async for event in steps:
                    if isinstance(event, MessageStored):
                        turn.stored()
                        if is_new:
                            await self._list(view, request, session_id)
                    yield view.view() if event is None else view.apply(event)
        finally:
            self._running.end(request.person_id, session_id, turn)
        if not view.finished:
            yield await self._unfinished(view, request, session_id, is_new, turn)

    async def _notices(
        self, view: TurnView, request: TurnRequest, session_id: str, before: Transcript | None
    ) -> None:
        """What is said before this message in a conversation that goes on for long."""
        if before is None:
            return
        if await self._conversations.notice_due(request.person_id, session_id):
            view.remind(self._builder.numbered()["number"])
        if await self._conversations.nudge_due(request.person_id, session_id):
            view.nudge(self._builder.numbered()["number"])

    async def _create(self, request: TurnRequest) -> str:
        """A new conversation."""
        # Whoever may be in danger is never kept out, however many were here before.
        if self._newcomers.wait(request.address) and not await self._turns.sees_danger(request.text):
            raise _TooManyNewError
        country = request.country or self._guess_country(request.accept_language, request.timezone)
        session = await self._conversations.create(
            request.person_id,
            request.locale,
            country=country,
            timezone=request.timezone,
            style=request.style,
            remember=request.remember,
        )
        return session.id

    def _events(self, request: TurnRequest, session_id: str) -> AsyncIterator[TurnEvent]:
        if request.action == "retry":
            return self._turns.retry(session_id)
        if request.action == "edit":
            return self._turns.edit_last(session_id, request.text)
        return self._turns.run(session_id, request.text, client_key=request.key)

    async def _unfinished(
        self, view: TurnView, request: TurnRequest, session_id: str, is_new: bool, turn: RunningTurn
    ) -> View:
        """Stopped or failed: show what the database holds."""
        texts = self._builder.texts(request.locale)
        failure = view.failure
        code = None if failure is None else _unsent_code(request, failure.code)
        if code is not None and not view.stored and is_new:
            await self._discard(request, session_id)
            return {**view.last(None), "outcome": outcome("unsent", code, texts)}
        whole = await self._builder.conversation(request.person_id, session_id, request.locale)
        if code is not None and not view.stored:
            return {**whole, **view.card(), "outcome": outcome("unsent", code, texts)}
        if failure is not None:
            # What could not be recorded of this turn is not in the conversation that was read.
            return {**whole, **view.card(), "outcome": outcome("failed", failure.code, texts)}
        stopped = turn.signal.is_set()
        spoken = texts("turn.gave_way" if turn.given_way else "turn.stopped") if stopped else ""
        return {**whole, "outcome": {"kind": "stopped" if stopped else "done", "text": spoken, "code": None}}

    async def _list(self, view: TurnView, request: TurnRequest, session_id: str) -> None:
        """Show a new conversation in the list; a turn does not fail for want of it."""
        try:
            view.listing(await self._builder.listing(request.person_id, session_id, request.locale))
        except Exception as error:
            log_without_text(_log, "the conversations could not be listed", error)

    async def _discard(self, request: TurnRequest, session_id: str) -> None:
        """Delete a conversation without a message; one that can't be deleted stays empty in the list."""
        try:
            await self._conversations.delete(request.person_id, session_id)
        except Exception as error:
            log_without_text(_log, "an empty conversation stays", error)


def _unsent_code(request: TurnRequest, code: str) -> str:
    """A fault while a message was stored is told as what it is to the person: it is not saved."""
    return "not_saved" if code == "internal" and request.action != "retry" else code


def _went_on(request: TurnRequest, now: Transcript) -> bool:
    """Whether another tab added to the conversation what this one doesn't show."""
    last = now.messages[-1].message_id if now.messages else None
    return request.seen is not None and last is not None and request.seen != last


def _tells_age(action: str, text: str | None, before: Transcript | None) -> bool:
    """Whether this message is the first of its conversation to say an age under 18."""
    mine = [one for one in (before.messages if before else ()) if one.role == "user"]
    earlier = mine if action == "send" else mine[:-1]
    return text is not None and says_minor(text) and first_young(earlier) is None


def _last_of_person(before: Transcript | None) -> str | None:
    """The message that is tried again."""
    messages = before.messages if before else ()
    return next((one.text for one in reversed(messages) if one.role == "user"), None)


def outcome(kind: str, code: str, texts: Texts) -> dict[str, Any]:
    """How a turn ended: ``unsent`` (not stored), ``failed`` (stored, no reply) or ``unknown``."""
    other = "internal_saved" if kind == "failed" else "internal"
    name = code if code != "internal" and texts.has(f"errors.{code}") else other
    return {"kind": kind, "text": texts(f"errors.{name}"), "code": code}
