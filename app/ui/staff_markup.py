"""HTML of what staff read; everything that a person or a colleague wrote is escaped."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from html import escape

from app.db.records import Message, MessageRole
from app.ui.review_desk import Note
from app.ui.texts import Texts

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_PLACE = "hk-message-"


def age(passed: timedelta, texts: Texts) -> str:
    """A length of time in its largest whole unit."""
    if passed >= 2 * _DAY:
        return texts("age.days", n=passed // _DAY)
    if passed >= 2 * _HOUR:
        return texts("age.hours", n=passed // _HOUR)
    return texts("age.minutes", n=max(0, passed // _MINUTE))


def layer_name(layer: str, texts: Texts) -> str:
    """What a crisis layer is called; a layer without a text goes by its own name."""
    key = f"layer.{layer}"
    return texts(key) if texts.has(key) else layer


def context_markup(messages: Sequence[Message], texts: Texts) -> str:
    """The part of a conversation that led to a reply."""
    return log_markup(messages, texts, lambda _: [])


def reply_markup(reply: Message) -> str:
    """The reply to rate."""
    return f'<blockquote class="hk-reply">{paragraphs(reply.text)}</blockquote>'


def notes_markup(notes: Sequence[Note], texts: Texts) -> str:
    """Notes, oldest first."""
    if not notes:
        return f"<p>{escape(texts('review.no_notes'))}</p>"
    return "<ul class='hk-notes'>" + "".join(_note(note, texts) for note in notes) + "</ul>"


def _note(note: Note, texts: Texts) -> str:
    author = note.author or texts("review.former_staff")
    return f"<li><div class='hk-facts'>{escape(author)} · {moment(note.at)}</div>{paragraphs(note.text)}</li>"


def message_link(seq: int) -> str:
    """The number of a message, leading to it in the conversation on the same page."""
    return f"<a href='#{_PLACE}{seq}'>#{seq}</a>"


def log_markup(
    messages: Sequence[Message],
    texts: Texts,
    facts: Callable[[Message], list[str]],
    marked: str = "",
    body: Callable[[Message], str] | None = None,
    *,
    anchored: bool = False,
) -> str:
    """Messages as a list.

    Args:
        messages: Oldest first.
        texts: The staff texts.
        facts: Plain words to say about a message.
        marked: Id of the message to stress.
        body: HTML of a message's text; without it the text is shown as it is.
        anchored: Whether :func:`message_link` leads to the messages; for one conversation on a page.
    """
    shown = body or _as_it_is
    items = "".join(
        _message(message, texts, facts(message), shown(message), message.id == marked, anchored)
        for message in messages
    )
    return f"<ol class='hk-log'>{items}</ol>"


def _as_it_is(message: Message) -> str:
    return paragraphs(message.text)


def _message(
    message: Message, texts: Texts, facts: list[str], body: str, marked: bool, anchored: bool
) -> str:
    who = texts("review.person" if message.role is MessageRole.USER else "review.reply")
    head = " · ".join([escape(who), moment(message.created_at), *(escape(fact) for fact in facts)])
    classes = f"hk-{message.role.value}" + (" hk-marked" if marked else "")
    place = f" id='{_PLACE}{message.seq}' tabindex='-1'" if anchored else ""
    return f"<li{place} class='{classes}'><div class='hk-facts'>{head}</div>{body}</li>"


def moment(at: datetime) -> str:
    """A time for people and for programs."""
    return f"<time datetime='{at.isoformat()}'>{at:%Y-%m-%d %H:%M} UTC</time>"


def paragraphs(text: str) -> str:
    """Text with its lines apart, escaped."""
    parts = [part for part in text.split("\n") if part.strip()]
    return "".join(f"<div>{escape(part)}</div>" for part in parts)
