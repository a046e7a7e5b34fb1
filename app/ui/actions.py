"""What a person does beside taking a turn: open, rate, stop, settings, download, delete.

Each is called by the page's script and answers with plain data. Whose data it is about, the
signed cookie says; ids in the request are checked by the conversation service.
"""

import functools
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import gradio as gr

from app.chat.session import NotYoursError
from app.db.records import Person
from app.logs import log_without_text
from app.ui.browser_data import fields_of, locale_of, rating_of, short, timezone_of
from app.ui.card_markup import Helplines
from app.ui.kept_help import KeptHelp, kept_help
from app.ui.running import RunningTurns
from app.ui.services import Conversations, Cookie, Rating
from app.ui.view import ViewBuilder

_log = logging.getLogger(__name__)
Answer = dict[str, Any]
CountryGuess = Callable[[str | None, str | None], str | None]


class NoSuchChoiceError(Exception):
    """The page never offers what was chosen: the request was not made by it."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and what they sent."""

    person_id: str
    fields: Mapping[str, Any]
    locale: str
    accept_language: str | None


class KnowsCaller(Protocol):
    """Calls of the page that know whose they are."""

    def person(self, request: gr.Request) -> str | None:
        """The person that the request's cookie belongs to."""
        ...


class Action(Protocol):
    """One call that the page may make by its name."""

    __name__: str

    async def __call__(self, data: Any, request: gr.Request) -> Answer:
        """Answer the page; never raises."""
        ...


def accept_language(request: gr.Request) -> str | None:
    """The languages that the browser asks for."""
    headers = cast("Mapping[str, str]", cast("Any", request).headers)
    return headers.get("accept-language")


_Calls = TypeVar("_Calls", bound=KnowsCaller)


def for_caller(
    work: Callable[[_Calls, Caller], Awaitable[Answer]],
) -> Callable[[_Calls, Any, gr.Request], Awaitable[Answer]]:
    """Give ``work`` its caller, and turn every error into a kind answer."""

    @functools.wraps(work)
    async def answer(self: _Calls, data: Any, request: gr.Request) -> Answer:
        fields = fields_of(data)
        person_id = self.person(request)
        if person_id is None:
            return {"ok": False, "error": "no_cookie"}
        caller = Caller(person_id, fields, locale_of(fields), accept_language(request))
        try:
            return {"ok": True, **await work(self, caller)}
        except NotYoursError:
            return {"ok": False, "error": "gone"}
        except NoSuchChoiceError:
            return {"ok": False, "error": "refused"}
        except Exception as error:
            log_without_text(_log, f"the page's {work.__name__} failed", error)
            return {"ok": False, "error": "internal"}

    return answer


def _research(person: Person | None) -> Answer:
    """What the person answered to the research question and when, and whether it may still be put."""
    if person is None:
        return {"ask": True, "consent": False, "at": None}
    return {
        "ask": person.consent_at is None and person.consent_asked_at is None,
        "consent": person.consent,
        "at": person.consent_at and person.consent_at.isoformat(),
    }


class PersonActions:
    """The page's calls; :meth:`all` are those it may name."""

    def __init__(
        self,
        conversations: Conversations,
        builder: ViewBuilder,
        helplines: Helplines,
        running: RunningTurns,
        cookie: Cookie,
        guess_country: CountryGuess,
    ) -> None:
        self._conversations = conversations
        self._builder = builder
        self._helplines = helplines
        self._running = running
        self._cookie = cookie
        self._guess_country = guess_country

    def person(self, request: gr.Request) -> str | None:
        """The person that the request's cookie belongs to."""
        return self._cookie.read(cast("Mapping[str, str]", cast("Any", request).cookies))

    def all(self) -> "list[Action]":
        """Every call that the page may make."""
        calls = (
            self.start,
            self.open,
            self.find,
            self.stop,
            self.rate,
            self.set_locale,
            self.set_country,
            self.help,
            self.set_consent,
            self.ask_consent,
            self.delete,
            self.delete_all,
        )
        return [cast("Action", call) for call in calls]

    @for_caller
    async def start(self, caller: Caller) -> Answer:
        """A page was opened: settings, and the conversation it shows."""
        person = await self._conversations.person(caller.person_id)
        locale = person.locale if person else caller.locale
        named = short(caller.fields, "conversation")
        if named is None or not await self._conversations.owns(caller.person_id, named):
            named = await self._builder.recent(caller.person_id)
        country = (person and person.country) or self._guess(caller)
        return {
            "locale": locale,
            "known": person is not None,
            "research": _research(person),
            "country": country,
            "help": self._help(country),
            "view": await self._view(caller.person_id, named, locale),
        }

    @for_caller
    async def open(self, caller: Caller) -> Answer:
        """Show one conversation, or the welcome when none is named."""
        return {
            "view": await self._view(caller.person_id, short(caller.fields, "conversation"), caller.locale)
        }

    @for_caller
    async def find(self, caller: Caller) -> Answer:
        """Where a message is that the page sent and has not heard of since; nowhere when it never came."""
        key = short(caller.fields, "key")
        if key is None:
            return {"conversation": None}
        return {"conversation": await self._conversations.conversation_with(caller.person_id, key)}

    @for_caller
    async def stop(self, caller: Caller) -> Answer:
        """Stop the reply that is being made."""
        session_id = short(caller.fields, "conversation")
        return {"stopped": session_id is not None and self._running.stop(caller.person_id, session_id)}

    @for_caller
    async def rate(self, caller: Caller) -> Answer:
        """Set or take back a rating of a reply."""
        value, reasons, comment = rating_of(caller.fields)
        message_id = short(caller.fields, "message")
        if message_id is None:
            raise NotYoursError
        known = self._builder.texts(caller.locale).below("feedback.reasons")
        kept = tuple(reason for reason in reasons if reason in known)
        rating = cast("Rating | None", value)
        await self._conversations.rate(caller.person_id, message_id, rating, kept, comment)
        return {}

    @for_caller
    async def set_locale(self, caller: Caller) -> Answer:
        """The person switched the language: everything is shown anew in it."""
        await self._conversations.set_locale(caller.person_id, caller.locale)
        return {
            "view": await self._view(caller.person_id, short(caller.fields, "conversation"), caller.locale)
        }

    @for_caller
    async def set_country(self, caller: Caller) -> Answer:
        """The person picked the country of the helplines; the open card follows."""
        country = short(caller.fields, "country", 2)
        if country is not None and country not in dict(self._helplines.countries(caller.locale)):
            raise NoSuchChoiceError
        await self._conversations.set_country(caller.person_id, country)
        session_id = short(caller.fields, "conversation")
        card = None
        if session_id is not None:
            transcript = await self._conversations.transcript(caller.person_id, session_id)
            card = transcript.card and self._builder.card(transcript.card, caller.locale).data()
        return {"card": card, "help": self._help(country)}

    @for_caller
    async def help(self, caller: Caller) -> Answer:
        """Helplines for anyone who looks for them."""
        return {"help": self._help(short(caller.fields, "country", 2))}

    @for_caller
    async def set_consent(self, caller: Caller) -> Answer:
        """Answer the research question."""
        await self._conversations.set_consent(caller.person_id, caller.fields.get("consent") is True)
        return _research(await self._conversations.person(caller.person_id))

    @for_caller
    async def ask_consent(self, caller: Caller) -> Answer:
        """Whether to put the research question now; yes at most once."""
        return {"ask": await self._conversations.ask_consent(caller.person_id)}

    @for_caller
    async def delete(self, caller: Caller) -> Answer:
        """Delete one conversation."""
        session_id = short(caller.fields, "conversation")
        if session_id is None:
            raise NotYoursError
        self._running.stop(caller.person_id, session_id)
        await self._conversations.delete(caller.person_id, session_id)
        return {"view": await self._builder.empty(caller.person_id, caller.locale)}

    @for_caller
    async def delete_all(self, caller: Caller) -> Answer:
        """Delete everything about the person."""
        for session in await self._conversations.list(caller.person_id):
            self._running.stop(caller.person_id, session.id)
        await self._conversations.delete_all(caller.person_id)
        return {"view": await self._builder.empty(caller.person_id, caller.locale)}

    async def _view(self, person_id: str, session_id: str | None, locale: str) -> dict[str, Any]:
        if session_id is None:
            return await self._builder.empty(person_id, locale)
        return await self._builder.conversation(person_id, session_id, locale)

    def _guess(self, caller: Caller) -> str | None:
        return self._guess_country(caller.accept_language, timezone_of(caller.fields))

    def _help(self, country: str | None) -> KeptHelp:
        return kept_help(country, self._helplines, self._builder.texts)
