"""HTML of a flag for its reviewer: facts, earlier flags, the conversation, the help that was shown."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from html import escape

from app.db.records import Flag, FlagStatus, Message, MessageStatus, Referral, ReplySource, StoredAssessment
from app.ui.marked_text import marked_text
from app.ui.review_desk import Brief, EarlierFlag, Step, Transcript
from app.ui.staff_markup import age, layer_name, log_markup, message_link, moment, notes_markup
from app.ui.texts import Texts
from models.styles import Style
from safety.levels import RiskLevel

Limits = Mapping[RiskLevel, timedelta]

_TOLD = (MessageStatus.STOPPED, MessageStatus.FAILED, MessageStatus.BLOCKED, MessageStatus.FALLBACK)
"""States that a reader must know of; the others are the usual course."""


def facts_markup(brief: Brief, now: datetime, limits: Limits, texts: Texts) -> str:
    """What is known of a flag without reading the conversation."""
    flag = brief.flag
    level, category = texts(f"level.{flag.level.label}"), texts(f"category.{flag.category.value}")
    rows: list[tuple[str, str]] = [
        ("case.trigger", escape(_trigger(brief, texts))),
        ("case.opened", f"{moment(flag.opened_at)} ({escape(age(now - flag.opened_at, texts))})"),
        ("case.due", _due(flag, now, limits, texts)),
        ("case.hits", str(flag.hits)),
        ("case.assignee", escape(brief.assignee or texts("queue.nobody"))),
        *_found(brief, texts),
    ]
    listed = "".join(f"<dt>{escape(texts(name))}</dt><dd>{value}</dd>" for name, value in rows)
    return (
        f"<div data-flag='{flag.id}' data-version='{flag.version}'"
        f" data-clock='{flag.clock_from.isoformat()}'"
        f"{'' if flag.closed_at else ' data-open'}>"
        f"<h2 tabindex='-1'><span class='hk-level' data-level='{flag.level.label}'>{escape(level)}</span> "
        f"{escape(category)}</h2><p id='hk-changed' class='hk-hint' role='status' hidden></p>"
        f"<dl class='hk-case-facts'>{listed}</dl>{_earlier(brief.earlier, texts)}</div>"
    )


def gone_markup(flag_id: str) -> str:
    """In place of the facts: which flag is not there any more, for the page's script alone."""
    return f"<div data-gone='{escape(flag_id)}'></div>"


def transcript_markup(brief: Brief, transcript: Transcript, texts: Texts) -> str:
    """The conversation, with what the layers found marked where it stands."""
    verdicts = {entry.message_id: entry for entry in transcript.assessments}
    helped = {referral.message_id for referral in transcript.referrals}
    missed = {mark.message_id: mark for mark in brief.missed}

    def facts(message: Message) -> list[str]:
        found = [f"#{message.seq}"]
        if message.status in _TOLD:
            found.append(texts(f"status.{message.status.value}"))
        if message.source is ReplySource.WRITTEN:
            found.append(texts("review.written"))
        if message.style not in (None, Style.BALANCED):
            found.append(texts("review.style", style=texts(f"style.{message.style}")))
        if message.superseded_at is not None:
            found.append(texts("status.superseded"))
        found += _risk_facts(verdicts.get(message.id), texts)
        if message.id in helped:
            found.append(texts("review.helpline"))
        if (mark := missed.get(message.id)) is not None:
            level, category = texts(f"level.{mark.level.label}"), texts(f"category.{mark.category.value}")
            found.append(texts("missed.marked", level=level, category=category))
        return found

    def body(message: Message) -> str:
        verdict = verdicts.get(message.id)
        return marked_text(message.text, () if verdict is None else verdict.matches, texts)

    return log_markup(transcript.messages, texts, facts, brief.flag.message_id, body, anchored=True)


def shown_markup(transcript: Transcript, texts: Texts) -> str:
    """The help that the person saw: country, emergency numbers and lines of each card; written replies."""
    messages = transcript.messages
    numbers = {message.id: message.seq for message in messages}
    items = "".join(
        f"<li><div class='hk-facts'>{moment(card.created_at)} · {_number(numbers.get(card.message_id))} · "
        f"{escape(texts(f'level.{card.level.label}'))}, {escape(texts(f'category.{card.category.value}'))} · "
        f"{escape(texts('shown.country', country=card.country or texts('shown.unknown')))}</div>"
        f"{escape(' · '.join(_offered(card, transcript.emergency.get(card.id, ()), texts)))}</li>"
        for card in transcript.referrals
    )
    cards = f"<ul class='hk-notes'>{items}</ul>" if items else f"<p>{escape(texts('shown.none'))}</p>"
    written = [message.seq for message in messages if message.source is ReplySource.WRITTEN]
    if not written:
        return cards
    told = escape(texts("shown.written", places="{places}"))
    return cards + f"<p>{told.replace('{places}', ', '.join(message_link(seq) for seq in written))}</p>"


def _number(seq: int | None) -> str:
    return "#?" if seq is None else message_link(seq)


def _offered(card: Referral, emergency: Sequence[str], texts: Texts) -> list[str]:
    """What could be pressed on a card, in words."""
    return [*(texts("shown.emergency", number=number) for number in emergency), *card.line_names]


def _trigger(brief: Brief, texts: Texts) -> str:
    flag, verdict = brief.flag, brief.trigger
    marked = any(mark.message_id == flag.message_id for mark in brief.missed)
    if verdict is None or (marked and verdict.level < flag.level):
        return texts("case.by_hand")
    rules = ", ".join(dict.fromkeys(match.rule for match in verdict.matches if match.rule))
    return layer_name(verdict.layer, texts) + (f" ({rules})" if rules else "")


def _due(flag: Flag, now: datetime, limits: Limits, texts: Texts) -> str:
    due = flag.due_at(limits)
    if due is None:
        return escape(texts("queue.answered"))
    left = due - now
    late = left < timedelta(0)
    words = texts("queue.overdue" if late else "queue.left", age=age(abs(left), texts))
    return f"{moment(due)} (<strong>{escape(words)}</strong>)"


def _found(brief: Brief, texts: Texts) -> list[tuple[str, str]]:
    """What was found; of a flag that waits again, only as what was found before."""
    flag = brief.flag
    if flag.outcome is None or not flag.waits_again:
        return [("case.outcome", escape(_outcome(flag, brief.closed_by, texts)))]
    rows = [("case.outcome", escape(texts("case.no_outcome")))]
    if brief.reopened is not None:
        rows.append(("case.reopened_by", _step(brief.reopened, texts)))
    when = f" · {_step(brief.decided, texts)}" if brief.decided else ""
    return [*rows, ("case.outcome_before", f"{escape(texts(f'outcome.{flag.outcome.value}'))}{when}")]


def _step(step: Step, texts: Texts) -> str:
    return f"{escape(step.by or texts('review.former_staff'))} · {moment(step.at)}"


def _outcome(flag: Flag, closed_by: str | None, texts: Texts) -> str:
    if flag.outcome is None:
        return texts("case.no_outcome")
    found = texts(f"outcome.{flag.outcome.value}")
    if flag.status is FlagStatus.OPEN or flag.closed_at is None:
        return found
    who = closed_by or texts("review.former_staff")
    return f"{found} · {who} · {flag.closed_at:%Y-%m-%d %H:%M} UTC"


def _earlier(earlier: Sequence[EarlierFlag], texts: Texts) -> str:
    if not earlier:
        return ""
    items = "".join(
        f"<li><div><strong>{escape(texts(f'level.{one.flag.level.label}'))}</strong>, "
        f"{escape(texts(f'category.{one.flag.category.value}'))} · {moment(one.flag.opened_at)} · "
        f"{escape(_outcome(one.flag, one.closed_by, texts))}</div>"
        f"{notes_markup(one.notes, texts) if one.notes else ''}</li>"
        for one in earlier
    )
    title = escape(texts("case.earlier", n=len(earlier)))
    listed = f"<ul class='hk-notes'>{items}</ul>"
    return f"<details class='hk-earlier' open><summary>{title}</summary>{listed}</details>"


def _risk_facts(verdict: StoredAssessment | None, texts: Texts) -> list[str]:
    if verdict is None or verdict.level == RiskLevel.NONE:
        return []
    category = texts(f"category.{verdict.category.value}")
    return [f"{texts(f'level.{verdict.level.label}')}: {category} ({layer_name(verdict.layer, texts)})"]
