"""What happens on the review page: facts of a flag, its conversation on request, what a reviewer decides."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple, cast

import gradio as gr

from app.auth.roles import StaffGate
from app.db.errors import ConflictError, GoneError, NotMissedError
from app.db.records import Flag, FlagOutcome, FlagStatus, MessageRole, Staff, StaffRole
from app.db.types import Clock, utc_now
from app.ui.emotion_plot import emotion_plot
from app.ui.markdown_text import as_text
from app.ui.review_desk import Brief, ReviewDesk, Transcript
from app.ui.review_markup import facts_markup, gone_markup, shown_markup, transcript_markup
from app.ui.risk_plot import risk_plot
from app.ui.staff_markup import notes_markup
from app.ui.staff_page import admitted, texts_for, unchanged
from app.ui.tactic_strip import strip_markup
from app.ui.texts import Texts
from app.ui.thoughts import thoughts_markup
from safety.levels import RiskCategory, RiskLevel

MAX_NOTE = 4000
NOBODY = "nobody"
_SAME: Any = unchanged()


class Opened(NamedTuple):
    """What is open in this visit; kept by the server, never sent by the browser.

    Attributes:
        flag_id: The chosen flag.
        version: Of the flag as the reviewer saw it.
        revealed: Whether the conversation was opened.
        drafts: Notes that were typed and not yet saved, by flag.
        waits: Whether the flag was open when it was last shown; only the person can delete it then.
    """

    flag_id: str | None = None
    version: int = 0
    revealed: bool = False
    drafts: Mapping[str, str] = {}
    waits: bool = False


class ReviewView(NamedTuple):
    """What the page shows; the order is that of the page's outputs. What is not named stays."""

    notice: Any = _SAME
    case: Any = _SAME
    facts: Any = _SAME
    hold: Any = _SAME
    assignee: Any = _SAME
    reveal: Any = _SAME
    told: Any = _SAME
    log: Any = _SAME
    shown: Any = _SAME
    risk: Any = _SAME
    emotions: Any = _SAME
    strip: Any = _SAME
    message: Any = _SAME
    notes: Any = _SAME
    note: Any = _SAME
    outcome: Any = _SAME
    decide: Any = _SAME
    reopen: Any = _SAME
    opened: Any = _SAME


class ReviewHandlers:
    """What happens on each event; every one of them asks the gate before anything else.

    Args:
        desk: The page's actions.
        gate: Knows who is asking.
        texts: Staff texts by language.
        limits: Time to answer a flag, by level.
        clock: Tells the time.
    """

    def __init__(
        self,
        desk: ReviewDesk,
        gate: StaffGate,
        texts: dict[str, Texts],
        limits: Mapping[RiskLevel, timedelta],
        clock: Clock = utc_now,
    ) -> None:
        self._desk = desk
        self._gate = gate
        self._texts = texts
        self._limits = limits
        self._now = clock

    async def begin(self, request: gr.Request) -> ReviewView:
        """Show no flag."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        return self._closed("", Opened(), texts)

    async def choose(self, event: gr.EventData, note: str, opened: Opened, request: gr.Request) -> ReviewView:
        """Show the facts of the flag that was pressed in the list."""
        await self._admin(request)
        data: Any = event._data  # pyright: ignore[reportPrivateUsage]
        flag_id = cast("dict[str, Any]", data).get("id") if isinstance(data, dict) else None
        return await self.open_flag(flag_id if isinstance(flag_id, str) else None, note, opened, request)

    async def open_flag(
        self, flag_id: str | None, note: str, opened: Opened, request: gr.Request
    ) -> ReviewView:
        """Show the facts of a flag; the one that is open already is shown anew, with its conversation."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        kept = _with_draft(opened, note)
        if not flag_id:
            return self._closed("", kept, texts)
        again = flag_id == opened.flag_id
        place = Opened(flag_id, 0, opened.revealed and again, kept.drafts, opened.waits and again)
        view = await self._shown(place, "", texts)
        return view if again else view._replace(note=kept.drafts.get(flag_id, ""))

    async def reveal(self, opened: Opened, request: gr.Request) -> ReviewView:
        """Open the conversation of the flag; the audit log knows."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        if opened.flag_id is None:
            return ReviewView(notice=texts("review.choose"))
        try:
            brief = await self._desk.brief(opened.flag_id)
            transcript = await self._desk.open(admin, brief.flag)
        except GoneError:
            return self._gone(opened, texts)
        return _transcript(brief, transcript, texts)._replace(
            opened=opened._replace(revealed=True), notice=""
        )

    async def take(self, opened: Opened, request: gr.Request) -> ReviewView:
        """Give the flag to whoever is asking."""
        admin = await self._admin(request)
        return await self.assign(admin.id, opened, request)

    async def assign(self, to: str | None, opened: Opened, request: gr.Request) -> ReviewView:
        """Give the flag to an admin, or to nobody."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        given = None if to in (None, NOBODY) else to

        async def change(flag_id: str) -> str:
            await self._desk.assign(admin, flag_id, given, opened.version)
            if given is None:
                return texts("case.released")
            admins = dict((await self._desk.brief(flag_id)).admins)
            return texts("case.assigned", name=as_text(admins.get(given, "")))

        return await self._changed(change, opened, texts)

    async def save_note(self, text: str, opened: Opened, request: gr.Request) -> ReviewView:
        """Store a note and show it among the others."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        if opened.flag_id is None or not text.strip():
            return ReviewView(notice=texts("review.empty_note"))
        try:
            await self._desk.note(admin, opened.flag_id, text.strip()[:MAX_NOTE])
            brief = await self._desk.brief(opened.flag_id)
        except GoneError:
            return self._gone(opened, texts)
        drafts = {key: draft for key, draft in opened.drafts.items() if key != opened.flag_id}
        return ReviewView(
            notice=texts("review.note_saved"),
            notes=notes_markup(brief.notes, texts),
            note="",
            opened=opened._replace(drafts=drafts),
        )

    async def save_outcome(
        self, outcome: str | None, note: str, opened: Opened, request: gr.Request
    ) -> ReviewView:
        """Store an outcome; a flag that was changed meanwhile is shown anew instead."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        if opened.flag_id is None or outcome not in set(FlagOutcome):
            return ReviewView(notice=texts("review.choose_outcome"))
        if note.strip():
            return ReviewView(notice=texts("review.unsaved_note"))
        found = FlagOutcome(outcome)

        async def change(flag_id: str) -> str:
            flag = await self._desk.decide(admin, flag_id, found, opened.version)
            return texts("review.closed" if flag.closed_at else "review.kept")

        return await self._changed(change, opened, texts)

    async def reopen(self, opened: Opened, request: gr.Request) -> ReviewView:
        """Open a closed flag again."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)

        async def change(flag_id: str) -> str:
            await self._desk.reopen(admin, flag_id, opened.version)
            return texts("case.reopened")

        return await self._changed(change, opened, texts)

    async def mark_missed(
        self,
        message: str | None,
        level: str | None,
        category: str | None,
        opened: Opened,
        request: gr.Request,
    ) -> ReviewView:
        """Mark a message of the open conversation as missed; its flag is shown then."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        levels = {one.label: one for one in (RiskLevel.MODERATE, RiskLevel.IMMINENT)}
        if not (opened.flag_id and opened.revealed and message) or level not in levels:
            return ReviewView(notice=texts("missed.choose"))
        if category not in set(RiskCategory) or category == RiskCategory.NONE:
            return ReviewView(notice=texts("missed.choose"))
        try:
            flag = (await self._desk.brief(opened.flag_id)).flag
            raised = await self._desk.mark_missed(admin, flag, message, levels[level], RiskCategory(category))
        except NotMissedError:
            return ReviewView(notice=texts("missed.not"))
        except GoneError:
            return self._gone(opened, texts)
        return await self._shown(opened._replace(flag_id=raised.id), texts("missed.saved"), texts)

    async def _admin(self, request: gr.Request) -> Staff:
        return await admitted(self._gate, self._texts, request, StaffRole.ADMIN, "review")

    async def _changed(self, change: Any, opened: Opened, texts: Texts) -> ReviewView:
        """Do what a reviewer asked for and show the flag as it is then, whoever was faster."""
        if opened.flag_id is None:
            return ReviewView(notice=texts("review.choose"))
        try:
            said: str = await change(opened.flag_id)
        except ConflictError:
            said = texts("error.changed")
        except GoneError:
            return self._gone(opened, texts)
        return await self._shown(opened, said, texts)

    async def _shown(self, opened: Opened, notice: str, texts: Texts) -> ReviewView:
        try:
            brief = await self._desk.brief(opened.flag_id or "")
            transcript = await self._desk.transcript(brief.flag) if opened.revealed else None
        except GoneError:
            return self._gone(opened, texts)
        flag = brief.flag
        is_open = flag.status is FlagStatus.OPEN
        hidden = ReviewView(
            log="", shown="", risk="", emotions="", strip="", reveal=_visible(True), told=_visible(False)
        )
        return (hidden if transcript is None else _transcript(brief, transcript, texts))._replace(
            notice=notice,
            case=_visible(True),
            facts=facts_markup(brief, self._now(), self._limits, texts),
            hold=_visible(is_open),
            assignee=_admins(brief, texts),
            notes=notes_markup(brief.notes, texts),
            outcome=gr.update(value=flag.outcome and flag.answered_at and flag.outcome.value),
            decide=_visible(is_open),
            reopen=_visible(_may_reopen(flag, brief)),
            opened=opened._replace(version=flag.version, waits=is_open),
        )

    def _gone(self, opened: Opened, texts: Texts) -> ReviewView:
        """The flag was deleted with its conversation; the browser still has what was typed about it."""
        said = texts("review.deleted" if opened.waits else "review.deleted_or_old")
        return self._closed(said, opened, texts)._replace(facts=gone_markup(opened.flag_id or ""))

    def _closed(self, notice: str, opened: Opened, texts: Texts) -> ReviewView:
        return ReviewView(
            notice=notice or texts("review.choose"),
            case=_visible(False),
            facts="",
            told=_visible(False),
            log="",
            shown="",
            risk="",
            emotions="",
            strip="",
            notes="",
            note="",
            opened=Opened(drafts=opened.drafts),
        )


def _transcript(brief: Brief, transcript: Transcript, texts: Texts) -> ReviewView:
    """The conversation's part of the page."""
    theirs = [message for message in transcript.messages if message.role is MessageRole.USER]
    numbers = {message.id: message.seq for message in transcript.messages}
    verdicts = [one for one in transcript.assessments if one.message_id in numbers]
    levels = {one.message_id: one.level for one in verdicts}
    for mark in brief.missed:
        levels[mark.message_id] = max(mark.level, levels.get(mark.message_id, mark.level))
    return ReviewView(
        reveal=_visible(False),
        told=_visible(True),
        log=transcript_markup(brief, transcript, texts),
        shown=shown_markup(transcript, texts),
        risk=risk_plot([(numbers[one.message_id], one) for one in verdicts], texts),
        emotions=emotion_plot(transcript.messages, levels, texts),
        strip=strip_markup(transcript.chosen, texts) + thoughts_markup(transcript.chosen, texts),
        message=gr.update(choices=[(f"#{one.seq}", one.id) for one in theirs], value=None),
    )


def _visible(yes: bool) -> Any:
    return gr.update(visible=yes)


def _admins(brief: Brief, texts: Texts) -> Any:
    choices = [(texts("case.to_nobody"), NOBODY), *((name, one) for one, name in brief.admins)]
    return gr.update(choices=choices, value=brief.flag.assigned_to or NOBODY)


def _may_reopen(flag: Flag, brief: Brief) -> bool:
    """One open flag a conversation: an old one stays closed beside it."""
    others = (one.flag.status is FlagStatus.OPEN for one in brief.earlier)
    return flag.status is FlagStatus.CLOSED and not any(others)


def _with_draft(opened: Opened, note: str) -> Opened:
    if opened.flag_id is None:
        return opened
    drafts = {**opened.drafts, opened.flag_id: note}
    return opened._replace(drafts={key: text for key, text in drafts.items() if text.strip()})
