"""A person's conversations as one HTML page to read, made one conversation at a time."""

from collections.abc import AsyncGenerator
from html import escape
from typing import Protocol

from app.chat.own_memory import Kept
from app.chat.session import NotYoursError, Shown, Transcript
from app.db.records import Person, Session
from app.ui.texts import DEFAULT_LOCALE, Texts, load_texts

_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}h2{margin-top:3rem}"
    "p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0 1rem}"
    ".who{font-weight:600;margin:0}.quiet{opacity:.75}"
)


class Conversations(Protocol):
    """See ``app.chat.session.ConversationService``."""

    async def person(self, person_id: str) -> Person | None:
        """The person's row, if they have written anything."""
        ...

    async def list(self, person_id: str) -> "list[Session]":
        """Conversations, latest activity first."""
        ...

    async def transcript(self, person_id: str, session_id: str) -> Transcript:
        """Messages and ratings."""
        ...


class Memory(Protocol):
    """See ``app.chat.own_memory.OwnMemory``."""

    async def kept(self, person_id: str, session_id: str) -> Kept:
        """What is remembered."""
        ...


async def readable(conversations: Conversations, memory: Memory, person_id: str) -> AsyncGenerator[str]:
    """The page in parts, in the person's language; one conversation is in memory at a time."""
    person = await conversations.person(person_id)
    texts = load_texts()[person.locale if person else DEFAULT_LOCALE]
    yield _head(texts, person)
    for session in await conversations.list(person_id):
        try:
            transcript = await conversations.transcript(person_id, session.id)
            kept = await memory.kept(person_id, session.id)
        except NotYoursError:
            continue  # Deleted in another tab meanwhile.
        yield _conversation(texts, transcript, kept)
    yield "</body></html>\n"


def _head(texts: Texts, person: Person | None) -> str:
    title = escape(texts("download.title"))
    state = "none" if person is None or person.consent_at is None else "yes" if person.consent else "no"
    date = "" if person is None or person.consent_at is None else f"{person.consent_at:%Y-%m-%d}"
    answer = escape(texts(f"settings.consent_{state}", date=date))
    about = escape(texts("download.about"))
    return (
        f'<!doctype html><html lang="{texts.locale}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>"
        f'<body><h1>{title}</h1><p class="quiet">{about}</p>'
        f'<p class="quiet">{escape(texts("settings.consent_title"))}: {answer}</p>\n'
    )


def _conversation(texts: Texts, transcript: Transcript, kept: Kept) -> str:
    session = transcript.session
    title = escape(session.title or texts("download.untitled"))
    when = f"{session.created_at:%Y-%m-%d %H:%M} – {session.last_activity_at:%Y-%m-%d %H:%M} UTC"
    messages = "".join(_message(texts, shown) for shown in transcript.messages)
    style = f"{texts('style.label')}: {texts(f'style.{session.style}')}"
    return f'<h2>{title}</h2><p class="quiet">{when} · {escape(style)}</p>\n{messages}{_kept(texts, kept)}'


def _kept(texts: Texts, kept: Kept) -> str:
    """What is kept in mind of the conversation, if anything."""
    if not kept.facts:
        return ""
    items = "".join(
        f"<li>{escape(texts(f'memory.kind.{fact.kind}'))}: {escape(fact.text)}</li>" for fact in kept.facts
    )
    return f"<h3>{escape(texts('memory.title'))}</h3><ul>{items}</ul>\n"


def _message(texts: Texts, shown: Shown) -> str:
    who = escape(texts("download.you" if shown.role == "user" else "page.name"))
    rating = ""
    if shown.rating is not None:
        words = texts("download.helped" if shown.rating > 0 else "download.did_not_help")
        rating = f'<p class="quiet">{escape(" ".join(filter(None, (words, shown.comment))))}</p>'
    return f'<p class="who">{who}</p><p>{escape(shown.text)}</p>{rating}\n'
