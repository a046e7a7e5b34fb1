"""A turn in progress as the browser sees it: events go in, views come out."""

from typing import Any

from app.chat.events import (
    Done,
    HelplineShown,
    MessageStored,
    OtherModel,
    Queued,
    ReplyText,
    TurnEvent,
    TurnFailed,
    Working,
)
from app.chat.session import Shown
from app.ui.texts import Texts
from app.ui.turn_markup import Item, message_item, notice_item, reply_so_far, young_item, young_words
from app.ui.view import View, ViewBuilder
from safety.helplines import Helpline

# Entries whose id begins so belong to the turn in progress; the page drops them when it is over.
LIVE_REPLY = "~reply"


class TurnView:
    """Folds the events of one turn into views; each view is complete for this turn.

    A browser that is given several views at once shows the last one only.

    Args:
        builder: Numbers views and knows the texts.
        locale: Language of the page.
        session_id: The conversation.
        text: The person's message.
        before: The whole conversation as it was before this turn, if the page does not show all of it. It is
            part of every view, under this name; the page shows it once.
    """

    def __init__(
        self,
        builder: ViewBuilder,
        locale: str,
        session_id: str,
        text: str | None,
        *,
        before: View | None = None,
    ) -> None:
        self._builder = builder
        self._locale = locale
        self._texts: Texts = builder.texts(locale)
        self._session_id = session_id
        self._text = text
        self._message_id: str | None = None
        self._items: dict[str, Item] = {}
        self._status = self._texts("turn.thinking")
        self._extra: dict[str, Any] = {} if before is None else {"before": {**before, "elsewhere": False}}
        self._young: Helpline | None = None
        self.stored = False
        self.finished = False
        self.failure: TurnFailed | None = None

    def remind(self, number: int) -> None:
        """Put the AI notice before this turn's message."""
        self._notice("notice", number, "notice.again")

    def nudge(self, number: int) -> None:
        """Suggest a break before this turn's message."""
        self._notice("nudge", number, "notice.nudge")

    def young(self, line: Helpline) -> None:
        """Name the line for young people after this turn's message."""
        self._young = line

    def listing(self, html: str) -> None:
        """Show this list of conversations from the next view on."""
        self._extra["list"] = html

    def apply(self, event: TurnEvent) -> View:
        """The view after one more event."""
        match event:
            case MessageStored(message_id):
                self._message(message_id)
            case HelplineShown():
                card = self._builder.card(event.card, self._locale).data()
                again = event.message_id if event.again else None
                self._extra["card"] = {**card, "repeated": event.repeated, "again": again}
            case Queued(position):
                self._status = self._place(position)
            case Working(stage):
                self._status = self._texts(f"turn.{stage}")
            case OtherModel():
                self._notice("other-model", self._builder.numbered()["number"], "notice.other_model")
            case ReplyText(text):
                self._put(reply_so_far(LIVE_REPLY, text, self._texts))
            case Done():
                self._reply(event)
            case TurnFailed():
                self.failure = event
        return self.view()

    def view(self) -> View:
        """The view as things stand."""
        return self._builder.numbered(
            conversation=self._session_id,
            replace=False,
            items=[item.data() for item in self._items.values()],
            busy=not self.finished,
            stored=self.stored,
            status=self._status,
            replying=LIVE_REPLY in self._items,
            **self._extra,
        )

    def card(self) -> View:
        """The card that this turn brought, if any, as part of another view."""
        return {"card": self._extra["card"]} if "card" in self._extra else {}

    def last(self, conversation: str | None) -> View:
        """The view of a turn that left nothing behind but, perhaps, a card."""
        nothing = self._builder.numbered(conversation=conversation, replace=False, items=[], busy=False)
        return {**nothing, **self.card()}

    def broken(self, code: str) -> View:
        """The view of a turn whose conversation can't be read: its message, which can be tried again."""
        self._items.pop(LIVE_REPLY, None)
        self._mine("failed", code)
        self.finished = True
        return self.view()

    def _message(self, message_id: str) -> None:
        self.stored, self._message_id = True, message_id
        self._mine("answered", None)
        if self._young is not None:
            self._put(young_item(message_id, self._young, self._texts))

    def _mine(self, status: str, error: str | None) -> None:
        if self._text is not None and self._message_id is not None:
            shown = Shown(self._message_id, "user", self._text, status, error, None, (), None)
            self._put(message_item(shown, self._texts))

    def _reply(self, done: Done) -> None:
        self._items.pop(LIVE_REPLY, None)
        shown = Shown(done.reply_id, "assistant", done.text, done.status, None, None, (), None)
        self._put(message_item(shown, self._texts))
        self._extra["outcome"] = {
            "kind": "done",
            "text": self._spoken(done.text),
            "code": None,
        }
        self.finished = True

    def _spoken(self, reply: str) -> str:
        replied = self._texts("turn.replied", text=reply)
        if self._young is None:
            return replied
        return f"{self._texts('notice.young', line=young_words(self._young))} {replied}"

    def _notice(self, kind: str, number: int, key: str) -> None:
        self._put(notice_item(f"{kind}-{number}", self._texts(key)))

    def _put(self, item: Item) -> None:
        self._items[item.id] = item

    def _place(self, ahead: int) -> str:
        if ahead <= 0:
            return self._texts("turn.thinking")
        return self._texts("turn.queued_one") if ahead == 1 else self._texts("turn.queued", ahead=ahead)
