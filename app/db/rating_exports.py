"""Ratings and rankings for export, batch by batch, one row for each rater and reply or candidate."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotation_tables import RankingPlaceRow, RankingRow, ScoreRow
from app.db.export_conditions import after, by_raters, in_period, may_leave
from app.db.export_reads import ExportReads
from app.db.export_records import BATCH, ExportFilter, RankingLine, RatingLine
from app.db.measures import MEASURES
from app.db.records import MessageStatus
from app.db.repository import AnySelect
from app.db.review_tables import FeedbackRow
from app.db.tables import CandidateRow, MessageRow, SessionRow

Key = tuple[str, str]
"""Message and rater."""
_RECENT = 500
"""Conversations whose models are suggested."""


class RatingExportRepository(ExportReads):
    """All SQL that reads judgements as they were given. Blocked texts never leave, nobody has seen them."""

    async def recent_models(self) -> list[str]:
        """Models of the last conversations, to suggest as a filter."""
        last = select(SessionRow.model).order_by(SessionRow.last_activity_at.desc()).limit(_RECENT).subquery()
        async with self._read() as db:
            return list((await db.execute(select(last.c.model).distinct().order_by(last.c.model))).scalars())

    async def count_ratings(self, asked: ExportFilter) -> int:
        """How many lines :meth:`ratings` has now."""
        # All measures there are: so that the index of measure and time serves a period.
        scored = _rated(ScoreRow, asked).where(ScoreRow.measure.in_(MEASURES))
        pairs = _rated(FeedbackRow, asked).union(scored).subquery()
        async with self._read() as db:
            return (await db.execute(select(func.count()).select_from(pairs))).scalar_one()

    async def ratings(self, asked: ExportFilter, batch: int = BATCH) -> AsyncIterator[list[RatingLine]]:
        """What raters say of replies, by message and rater.

        A rater and a reply have one line with all present values if any of them was given in the period.
        """
        last: Key | None = None
        while True:
            async with self._read() as db:
                keys = await _next_keys(db, asked, last, batch)
                lines = await _rating_lines(db, keys) if keys else []
            if not keys:
                return
            last = keys[-1]
            yield lines

    async def count_rankings(self, asked: ExportFilter) -> int:
        """How many lines :meth:`rankings` has now."""
        query = select(func.count()).select_from(_ranked(asked).subquery())
        async with self._read() as db:
            return (await db.execute(query)).scalar_one()

    async def rankings(self, asked: ExportFilter, batch: int = BATCH) -> AsyncIterator[list[RankingLine]]:
        """Places that raters gave to candidates, by ranking and candidate."""
        last: Key | None = None
        while True:
            query = (
                _ranked(asked)
                .where(*after(RankingPlaceRow.ranking_id, RankingPlaceRow.candidate_id, last))
                .order_by(RankingPlaceRow.ranking_id, RankingPlaceRow.candidate_id)
                .limit(batch)
            )
            async with self._read() as db:
                lines = [RankingLine(*row) for row in await db.execute(query)]
            if not lines:
                return
            last = lines[-1].ranking_id, lines[-1].candidate_id
            yield lines


def _rated(table: type[FeedbackRow] | type[ScoreRow], asked: ExportFilter) -> AnySelect:
    """Messages and raters of one table; joined one by one, so that its index gives the order."""
    message = select(MessageRow.id).where(
        MessageRow.id == table.message_id, MessageRow.status != MessageStatus.BLOCKED
    )
    if asked.model is not None:
        message = message.where(MessageRow.model == asked.model)
    return (
        select(table.message_id.label("message_id"), table.rater.label("rater"))
        .where(
            message.exists(),
            *may_leave(table.session_id, asked),
            *by_raters(table.rater, asked),
            *in_period(table.updated_at, asked),
        )
        .distinct()
    )


async def _next_keys(db: AsyncSession, asked: ExportFilter, last: Key | None, batch: int) -> list[Key]:
    parts: list[Any] = []
    for table in (FeedbackRow, ScoreRow):
        page = (
            _rated(table, asked)
            .where(*after(table.message_id, table.rater, last))
            .order_by(table.message_id, table.rater)
            .limit(batch)
            .subquery()
        )
        parts.append(select(page.c.message_id, page.c.rater))
    both = parts[0].union(parts[1]).subquery()
    query = select(both).order_by(both.c.message_id, both.c.rater).limit(batch)
    return [(row.message_id, row.rater) for row in await db.execute(query)]


async def _rating_lines(db: AsyncSession, keys: Sequence[Key]) -> list[RatingLine]:
    ids = {message_id for message_id, _ in keys}
    replies = {row.id: row for row in await db.execute(_replies(ids))}
    thumbs_of = select(
        FeedbackRow.message_id,
        FeedbackRow.rater,
        FeedbackRow.value,
        FeedbackRow.reasons,
        FeedbackRow.comment,
        FeedbackRow.updated_at,
    ).where(FeedbackRow.message_id.in_(ids))
    thumbs = {(row.message_id, row.rater): row for row in await db.execute(thumbs_of)}
    scores: dict[Key, dict[str, int]] = {}
    changed: dict[Key, datetime] = {}
    scored = select(
        ScoreRow.message_id, ScoreRow.rater, ScoreRow.measure, ScoreRow.value, ScoreRow.updated_at
    ).where(ScoreRow.message_id.in_(ids))
    for row in await db.execute(scored):
        key = row.message_id, row.rater
        scores.setdefault(key, {})[row.measure] = row.value
        changed[key] = max(changed.get(key, row.updated_at), row.updated_at)
    return [
        _line(replies[key[0]], key[1], thumbs.get(key), scores.get(key, {}), changed.get(key))
        for key in keys
        # Either can have been deleted or taken back since the keys were read.
        if key[0] in replies and (key in thumbs or key in scores)
    ]


def _replies(ids: set[str]) -> AnySelect:
    return (
        select(
            MessageRow.id,
            MessageRow.session_id,
            MessageRow.reply_to,
            MessageRow.model,
            MessageRow.style,
            MessageRow.status,
            MessageRow.source,
            MessageRow.superseded_at,
            MessageRow.text,
            MessageRow.created_at,
            SessionRow.locale,
        )
        .join(SessionRow, SessionRow.id == MessageRow.session_id)
        .where(MessageRow.id.in_(ids))
    )


def _line(
    reply: Any, rater: str, thumbs: Any, scores: dict[str, int], changed: datetime | None
) -> RatingLine:
    moments = [moment for moment in (changed, thumbs and thumbs.updated_at) if moment is not None]
    return RatingLine(
        session_id=reply.session_id,
        user_message_id=reply.reply_to,
        message_id=reply.id,
        rater=rater,
        model=reply.model,
        language=reply.locale,
        style=None if reply.style is None else reply.style.value,
        status=reply.status.value,
        source=None if reply.source is None else reply.source.value,
        superseded=reply.superseded_at is not None,
        value=None if thumbs is None else thumbs.value,
        reasons=() if thumbs is None else tuple(thumbs.reasons),
        comment=None if thumbs is None else thumbs.comment,
        scores=scores,
        reply=reply.text,
        replied_at=reply.created_at,
        rated_at=max(moments),
    )


def _ranked(asked: ExportFilter) -> AnySelect:
    # The model of a turn is that of its reply; candidates do not name one.
    model = (
        select(MessageRow.model)
        .where(MessageRow.id == CandidateRow.reply_message_id)
        .correlate(CandidateRow)
        .scalar_subquery()
    )
    style = (
        select(MessageRow.style)
        .where(MessageRow.id == CandidateRow.reply_message_id)
        .correlate(CandidateRow)
        .scalar_subquery()
    )
    turn = (
        select(MessageRow.superseded_at.is_not(None))
        .where(MessageRow.id == RankingRow.user_message_id)
        .correlate(RankingRow)
        .scalar_subquery()
    )
    language = (
        select(SessionRow.locale)
        .where(SessionRow.id == RankingRow.session_id)
        .correlate(RankingRow)
        .scalar_subquery()
    )
    query = (
        select(
            RankingPlaceRow.ranking_id,
            RankingRow.session_id,
            RankingRow.user_message_id,
            RankingRow.rater,
            RankingPlaceRow.candidate_id,
            RankingPlaceRow.place,
            CandidateRow.chosen,
            model.label("model"),
            language.label("language"),
            style.label("style"),
            turn.label("superseded"),
            CandidateRow.quality,
            CandidateRow.novelty,
            CandidateRow.text,
            RankingRow.updated_at,
        )
        .select_from(RankingPlaceRow)
        .join(RankingRow, RankingRow.id == RankingPlaceRow.ranking_id)
        .join(CandidateRow, CandidateRow.id == RankingPlaceRow.candidate_id)
        .where(
            CandidateRow.blocked.is_(None),
            *may_leave(RankingRow.session_id, asked),
            *in_period(RankingRow.updated_at, asked),
        )
    )
    return query if asked.model is None else query.where(model == asked.model)
