"""Messages, notices and the list of conversations as HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.session import Shown, Transcript
from app.db.records import Session
from app.ui.markup import Markup, icon, join, reply_paragraphs, tag, text
from app.ui.texts import Texts
from safety.helplines import Helpline

_UNANSWERED = ("stored", "answering", "stopped", "failed")


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the transcript; the page replaces an entry that has the same id."""

    id: str
    html: Markup

    def data(self) -> dict[str, str]:
        """As the browser gets it."""
        return {"id": self.id, "html": str(self.html)}


def message_item(message: Shown, texts: Texts) -> Item:
    """A message of either side with its controls."""
    render = _person_message if message.role == "user" else _reply
    return Item(message.message_id, render(message, texts))


def reply_so_far(message_id: str, reply: str, texts: Texts) -> Item:
    """A reply that is still being written: no controls yet."""
    return Item(
        message_id,
        tag(
            "article",
            tag("h3", texts("turn.hearken"), attributes={"class": "hk-sr"}),
            tag("div", reply_paragraphs(reply), attributes={"class": "hk-bubble"}),
            attributes={"class": "hk-item hk-reply", "data-role": "assistant"},
        ),
    )


def notice_item(item_id: str, notice: str) -> Item:
    """A line between the messages, such as the reminder that this is an AI."""
    return Item(
        item_id, tag("p", icon("info"), tag("span", notice), attributes={"class": "hk-item hk-notice"})
    )


def young_item(message_id: str, line: Helpline, texts: Texts) -> Item:
    """Where young people find help, after the message with which somebody said that they are under 18."""
    before, after = texts("notice.young").split("{line}")
    address = line.call_href or line.text_href or line.url
    link = tag("a", young_words(line), attributes={"href": address, "rel": "noreferrer"})
    notice = tag("span", before, link, after)
    return Item(
        f"young-{message_id}", tag("p", icon("info"), notice, attributes={"class": "hk-item hk-notice"})
    )


def young_words(line: Helpline) -> str:
    """A line by its name and its number, or its page."""
    return f"{line.name}, {line.call or line.text or line.url}"


def transcript_items(transcript: Transcript, texts: Texts, goes_on: bool = False) -> list[Item]:
    """All messages, oldest first, with the notices that stood between them.

    Args:
        transcript: The conversation as stored.
        texts: Texts of the page's language.
        goes_on: The last message is being answered, for another tab.
    """
    items: list[Item] = []
    for message in transcript.messages:
        if message.message_id == transcript.notice_before:
            items.append(notice_item("notice-stored", texts("notice.again")))
        if message.message_id in transcript.nudge_before:
            items.append(notice_item(f"nudge-{message.message_id}", texts("notice.nudge")))
        items.append(message_item(message, texts))
        if message.message_id == transcript.young_after and transcript.young_line is not None:
            items.append(young_item(message.message_id, transcript.young_line, texts))
    last = transcript.messages[-1] if transcript.messages else None
    if goes_on and last is not None and last.role == "user":
        items[-1] = Item(last.message_id, _being_answered(last, texts))
    return items


def conversation_list(sessions: Sequence[Session], current: str | None, texts: Texts) -> Markup:
    """The person's conversations, latest first; the open one is marked."""
    if not sessions:
        return tag("p", texts("page.no_earlier"), attributes={"class": "hk-quiet"})
    return tag(
        "ul",
        *(_conversation(session, session.id == current, texts) for session in sessions),
        attributes={"class": "hk-list", "role": "list"},
    )


def _conversation(session: Session, is_current: bool, texts: Texts) -> Markup:
    """An entry that holds nothing of what was said: the list may be seen by whoever stands beside.

    Without a name of the person's own, ``static/js/names.js`` says when the conversation began.
    """
    when = session.last_activity_at.isoformat()
    return tag(
        "li",
        tag(
            "button",
            tag(
                "span",
                session.title or texts("page.untitled"),
                attributes={
                    "class": "hk-list-title",
                    "data-begun": session.created_at.isoformat(),
                    "data-named": "" if session.title else None,
                },
            ),
            tag("time", when[:10], attributes={"datetime": when}),
            attributes={
                "type": "button",
                "data-open": session.id,
                "aria-current": "true" if is_current else None,
            },
        ),
        tag(
            "button",
            icon("pencil"),
            attributes={
                "type": "button",
                "class": "hk-icon-button hk-name",
                "data-name": session.id,
                "aria-label": texts("naming.change"),
                "title": texts("naming.change"),
            },
        ),
    )


def _person_message(message: Shown, texts: Texts) -> Markup:
    controls = [_button("edit", texts("turn.edit"), texts("turn.edit_label"), "pencil")]
    trouble: Markup | None = None
    if message.status in _UNANSWERED:
        trouble = tag("p", _why_unanswered(message, texts), attributes={"class": "hk-trouble hk-last-only"})
        controls.append(_button("retry", texts("turn.retry"), None, "again"))
    return tag(
        "article",
        tag("h3", texts("turn.you"), attributes={"class": "hk-sr"}),
        tag("div", message.text, attributes={"class": "hk-bubble hk-verbatim"}),
        trouble,
        tag("div", *controls, attributes={"class": "hk-controls hk-last-only"}),
        attributes={"class": "hk-item hk-mine", "data-role": "user"},
    )


def _being_answered(message: Shown, texts: Texts) -> Markup:
    """A message whose reply another tab waits for: nothing can be done to it here."""
    return tag(
        "article",
        tag("h3", texts("turn.you"), attributes={"class": "hk-sr"}),
        tag("div", message.text, attributes={"class": "hk-bubble hk-verbatim"}),
        tag("p", texts("turn.elsewhere"), attributes={"class": "hk-elsewhere"}),
        attributes={"class": "hk-item hk-mine", "data-role": "user"},
    )


def _why_unanswered(message: Shown, texts: Texts) -> str:
    if message.status == "stopped":
        return texts("turn.stopped_before")
    key = f"errors.{message.error}"
    return texts(key) if message.error and texts.has(key) else texts("turn.interrupted")


def _reply(message: Shown, texts: Texts) -> Markup:
    stopped = message.status == "stopped"
    return tag(
        "article",
        tag("h3", texts("turn.hearken"), attributes={"class": "hk-sr"}),
        tag("div", reply_paragraphs(message.text), attributes={"class": "hk-bubble"}),
        tag("p", texts("turn.stopped"), attributes={"class": "hk-trouble"}) if stopped else None,
        tag(
            "div",
            _thumbs(message, texts),
            tag(
                "span",
                _button("retry", texts("turn.retry_reply"), None, "again"),
                attributes={"class": "hk-last-only"},
            ),
            attributes={"class": "hk-controls"},
        ),
        attributes={"class": "hk-item hk-reply", "data-role": "assistant"},
    )


def _thumbs(message: Shown, texts: Texts) -> Markup:
    def thumb(value: int, name: str) -> Markup:
        return tag(
            "button",
            icon(f"thumb-{name}"),
            attributes={
                "type": "button",
                "class": "hk-thumb",
                "data-rate": value,
                "aria-pressed": "true" if message.rating == value else "false",
                "aria-label": texts(f"feedback.{name}"),
                "title": texts(f"feedback.{name}"),
            },
        )

    return tag(
        "span",
        thumb(1, "up"),
        thumb(-1, "down"),
        attributes={
            "class": "hk-thumbs",
            "role": "group",
            "aria-label": texts("feedback.group"),
            "data-message": message.message_id,
            "data-reasons": " ".join(message.reasons),
            "data-comment": message.comment or "",
        },
    )


def _button(action: str, label: str, spoken: str | None, picture: str) -> Markup:
    return tag(
        "button",
        join((icon(picture), text(label))),
        attributes={"type": "button", "class": "hk-small", "data-action": action, "aria-label": spoken},
    )
