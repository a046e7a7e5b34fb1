"""What reviewers found out about the crisis layers: false alarms, and messages that were missed."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, literal, or_, select
from sqlalchemy.orm import aliased

from app.db.export_reads import ExportReads
from app.db.repository import AnyRow, AnySelect
from app.db.review_records import FlagOutcome, FlagStatus
from app.db.review_tables import FlagRow, MissedMessageRow
from app.db.tables import MessageRow, PersonRow, RiskAssessmentRow, SessionRow
from safety.levels import RiskCategory, RiskLevel

_PAGE = 500
After = tuple[datetime, str] | None
"""Time and message id of the last verdict that was read."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One message that the crisis layers judged wrongly.

    Attributes:
        id: Of the message.
        lang: Language of the conversation's page.
        consent: Whether the person agreed to research.
        outcome: ``false_alarm`` or ``missed``.
        truth: The level the message should have had.
        category: What it is about; ``none`` for a false alarm.
        given: What the layers said of it, or ``None`` where no verdict is stored.
        layer: Which layer spoke loudest.
        rules: Ids of the rules and classes that spoke.
        at: When a reviewer found it.
    """

    id: str
    text: str
    lang: str
    consent: bool
    outcome: str
    truth: RiskLevel
    category: RiskCategory
    given: RiskLevel | None
    layer: str | None
    rules: tuple[str, ...]
    at: datetime


class VerdictRepository(ExportReads):
    """All SQL of the export that rules are improved from; read page by page, so that memory stays small."""

    async def all(self, *, consented_only: bool) -> AsyncGenerator[Verdict]:
        """False alarms, then misses, each in the order in which they were found."""
        for read in (self.false_alarms, self.misses):
            after: After = None
            while page := await read(after, consented_only=consented_only):
                for verdict in page:
                    yield verdict
                after = page[-1].at, page[-1].id

    async def false_alarms(self, after: After, *, consented_only: bool = True) -> list[Verdict]:
        """One page of messages that the layers flagged and whose flag was closed as a false alarm.

        A message that is marked as missed is none, unless a reviewer closed the flag of the mark as a
        false alarm too and the layers had flagged it by themselves. Each message is listed once.
        """
        mark, earlier = aliased(MissedMessageRow), aliased(FlagRow)
        missed = select(mark.message_id).where(
            mark.message_id == FlagRow.message_id, or_(~_refuted(mark), ~_flagged_by_layers(mark))
        )
        before = select(earlier.id).where(
            earlier.message_id == FlagRow.message_id,
            earlier.status == FlagStatus.CLOSED,
            earlier.outcome == FlagOutcome.FALSE_ALARM,
            or_(
                earlier.closed_at < FlagRow.closed_at,
                and_(earlier.closed_at == FlagRow.closed_at, earlier.id < FlagRow.id),
            ),
        )
        query = (
            select(
                *_MESSAGE,
                literal(FlagOutcome.FALSE_ALARM.value).label("outcome"),
                literal(int(RiskLevel.NONE)).label("truth"),
                literal(RiskCategory.NONE.value).label("category"),
                FlagRow.closed_at.label("at"),
            )
            .join(MessageRow, MessageRow.id == FlagRow.message_id)
            .where(
                FlagRow.status == FlagStatus.CLOSED,
                FlagRow.outcome == FlagOutcome.FALSE_ALARM,
                ~missed.exists(),
                ~before.exists(),
            )
        )
        return await self._page(query, FlagRow.closed_at, after, consented_only)

    async def misses(self, after: After, *, consented_only: bool = True) -> list[Verdict]:
        """One page of messages that staff marked as missed or taken too lightly.

        A mark no longer counts once a reviewer has closed its flag as a false alarm.
        """
        row = MissedMessageRow
        query = select(
            *_MESSAGE,
            literal("missed"),
            row.level,
            row.category,
            row.marked_at,
        ).join(MessageRow, MessageRow.id == row.message_id)
        query = query.where(~_refuted(row))
        return await self._page(query, row.marked_at, after, consented_only)

    async def _page(
        self, query: AnySelect, found_at: Any, after: After, consented_only: bool
    ) -> list[Verdict]:
        query = (
            query.join(SessionRow, SessionRow.id == MessageRow.session_id)
            .join(PersonRow, PersonRow.id == SessionRow.person_id)
            .order_by(found_at, MessageRow.id)
            .limit(_PAGE)
        )
        if consented_only:
            query = query.where(PersonRow.consent.is_(True))
        if after is not None:
            at, last = after
            # Not as one pair: compared so, a time would not be written as the column holds it.
            query = query.where(or_(found_at > at, and_(found_at == at, MessageRow.id > last)))
        async with self._read() as db:
            rows = [tuple(row) for row in await db.execute(query)]
            if not rows:
                return []
            given = await db.execute(_given([row[0] for row in rows]))
            said = {one.message_id: one for one in given}
        return [_verdict(row, said.get(row[0])) for row in rows]


_MESSAGE = (MessageRow.id, MessageRow.text, SessionRow.locale, PersonRow.consent)


def _refuted(mark: type[MissedMessageRow]) -> ColumnElement[bool]:
    """Whether a reviewer closed the flag that a mark belongs to as a false alarm."""
    flag = aliased(FlagRow)
    return (
        select(flag.id)
        .where(
            flag.id == mark.flag_id,
            flag.status == FlagStatus.CLOSED,
            flag.outcome == FlagOutcome.FALSE_ALARM,
        )
        .exists()
    )


def _flagged_by_layers(mark: type[MissedMessageRow]) -> ColumnElement[bool]:
    """Whether the layers raised an alarm on the marked message by themselves."""
    said = RiskAssessmentRow
    return (
        select(said.id).where(said.message_id == mark.message_id, said.level >= RiskLevel.MODERATE).exists()
    )


def _given(message_ids: Sequence[str]) -> AnySelect:
    """What the layers said of these messages, the latest word last."""
    row = RiskAssessmentRow
    return (
        select(row.message_id, row.level, row.layer, row.matches)
        .where(row.message_id.in_(message_ids))
        .order_by(row.created_at)
    )


def _verdict(found: tuple[Any, ...], said: AnyRow | None) -> Verdict:
    message_id, text, lang, consent, outcome, truth, category, at = found
    rules = [] if said is None else [match["rule"] for match in said.matches]
    return Verdict(
        id=message_id,
        text=text,
        lang=lang,
        consent=consent,
        outcome=outcome,
        truth=RiskLevel(truth),
        category=RiskCategory(category),
        given=None if said is None else said.level,
        layer=None if said is None else said.layer,
        rules=tuple(dict.fromkeys(rules)),
        at=at,
    )
