"""Examples for preference tuning: labelled replies and pairs, each with the conversation before it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.db.annotation_tables import RankingPlaceRow, RankingRow
from app.db.export_conditions import by_raters, in_period, may_leave
from app.db.export_reads import ExportReads
from app.db.export_records import BATCH, FIRST, ExportFilter, LabelledReply, PreferencePair, Turns
from app.db.message_rows import is_active
from app.db.records import MessageRole, MessageStatus, ReplySource
from app.db.repository import AnySelect
from app.db.review_tables import FeedbackRow
from app.db.tables import CandidateRow, MessageRow

CONTEXT_MESSAGES = 60
"""Most messages of a conversation in a prompt."""


class PreferenceExportRepository(ExportReads):
    """All SQL that reads examples for training.

    Only turns that are still part of their conversation: what a superseded reply answered can't be
    told any more. Written texts, stopped and blocked replies teach nothing about the model and stay out.
    """

    async def count_labelled(self, asked: ExportFilter) -> int:
        """How many :meth:`labelled` has now."""
        async with self._read() as db:
            query = select(func.count()).select_from(_labels(asked).subquery())
            return (await db.execute(query)).scalar_one()

    async def labelled(self, asked: ExportFilter, batch: int = BATCH) -> AsyncIterator[list[LabelledReply]]:
        """Replies with thumbs: good or not as most of their raters say; even votes are left out."""
        last: str | None = None
        while True:
            size = min(batch, FIRST) if last is None else batch
            query = _labels(asked).order_by(FeedbackRow.message_id).limit(size)
            if last is not None:
                query = query.where(FeedbackRow.message_id > last)
            async with self._read() as db:
                votes = {row.message_id: row.votes for row in await db.execute(query)}
                if not votes:
                    return
                replies = (await db.execute(_replies(list(votes)))).all()
                prompts = await _prompts(db, [reply.reply_to for reply in replies])
            last = max(votes)
            yield [
                LabelledReply(
                    reply.session_id, reply.id, prompts[reply.reply_to], reply.text, votes[reply.id] > 0
                )
                for reply in replies
                if reply.reply_to in prompts
            ]

    async def count_pairs(self, asked: ExportFilter) -> int:
        """How many :meth:`pairs` has now."""
        async with self._read() as db:
            query = select(func.count()).select_from(_pairs(asked).subquery())
            return (await db.execute(query)).scalar_one()

    async def pairs(self, asked: ExportFilter, batch: int = BATCH) -> AsyncIterator[list[PreferencePair]]:
        """Pairs of candidates of a turn of which more rankings put the first before the second than not.

        Only what people ranked counts: ties and the service's own choice make no pair.
        """
        last: str | None = None
        while True:
            size = min(batch, FIRST) if last is None else batch
            turns = _ranked_turns(asked).order_by(RankingRow.user_message_id).limit(size)
            if last is not None:
                turns = turns.where(RankingRow.user_message_id > last)
            async with self._read() as db:
                ids = list((await db.execute(turns)).scalars())
                if not ids:
                    return
                rows = (await db.execute(_pairs(asked).where(RankingRow.user_message_id.in_(ids)))).all()
                prompts = await _prompts(db, ids)
                texts = await _texts(db, {row.better for row in rows} | {row.worse for row in rows})
            last = ids[-1]
            yield [
                PreferencePair(
                    session_id=row.session_id,
                    user_message_id=row.user_message_id,
                    chosen_id=row.better,
                    rejected_id=row.worse,
                    prompt=prompts[row.user_message_id],
                    chosen=texts[row.better],
                    rejected=texts[row.worse],
                )
                for row in sorted(rows, key=lambda row: (row.user_message_id, row.better, row.worse))
                if row.user_message_id in prompts and {row.better, row.worse} <= set(texts)
            ]


def _labels(asked: ExportFilter) -> AnySelect:
    """Replies and the sum of their votes; not joined, so that the index of the votes gives the order."""
    reply = select(MessageRow.id).where(
        MessageRow.id == FeedbackRow.message_id,
        MessageRow.role == MessageRole.ASSISTANT,
        MessageRow.status == MessageStatus.COMPLETE,
        MessageRow.source == ReplySource.MODEL,
        MessageRow.superseded_at.is_(None),
        MessageRow.reply_to.is_not(None),
        func.trim(MessageRow.text) != "",
    )
    if asked.model is not None:
        reply = reply.where(MessageRow.model == asked.model)
    votes = func.sum(FeedbackRow.value)
    return (
        select(FeedbackRow.message_id, votes.label("votes"))
        .where(
            reply.exists(),
            *may_leave(FeedbackRow.session_id, asked),
            *by_raters(FeedbackRow.rater, asked),
            *in_period(FeedbackRow.updated_at, asked),
        )
        .group_by(FeedbackRow.message_id)
        .having(votes != 0)
    )


def _replies(ids: Sequence[str]) -> AnySelect:
    row = MessageRow
    return select(row.id, row.session_id, row.reply_to, row.text).where(row.id.in_(ids)).order_by(row.id)


def _ranked_turns(asked: ExportFilter) -> AnySelect:
    return select(RankingRow.user_message_id).where(*_turn_conditions(asked)).distinct()


def _turn_conditions(asked: ExportFilter) -> list[ColumnElement[bool]]:
    turn = select(MessageRow.id).where(
        MessageRow.id == RankingRow.user_message_id, MessageRow.superseded_at.is_(None)
    )
    conditions: list[ColumnElement[bool]] = [
        turn.exists(),
        *may_leave(RankingRow.session_id, asked),
        *in_period(RankingRow.updated_at, asked),
    ]
    if asked.model is not None:
        reply = select(MessageRow.id).where(
            MessageRow.reply_to == RankingRow.user_message_id, is_active(), MessageRow.model == asked.model
        )
        conditions.append(reply.exists())
    return conditions


def _pairs(asked: ExportFilter) -> AnySelect:
    better, worse = aliased(RankingPlaceRow), aliased(RankingPlaceRow)
    one, other = aliased(CandidateRow), aliased(CandidateRow)
    wins = func.sum(case((better.place < worse.place, 1), (better.place > worse.place, -1), else_=0))
    return (
        select(
            RankingRow.user_message_id,
            RankingRow.session_id,
            better.candidate_id.label("better"),
            worse.candidate_id.label("worse"),
        )
        .select_from(RankingRow)
        .join(better, better.ranking_id == RankingRow.id)
        .join(worse, (worse.ranking_id == RankingRow.id) & (worse.candidate_id != better.candidate_id))
        .join(one, one.id == better.candidate_id)
        .join(other, other.id == worse.candidate_id)
        .where(
            *_turn_conditions(asked),
            one.text != other.text,
            *(
                condition
                for candidate in (one, other)
                for condition in (
                    candidate.blocked.is_(None),
                    candidate.finish_reason == "stop",
                    func.trim(candidate.text) != "",
                )
            ),
        )
        .group_by(RankingRow.user_message_id, RankingRow.session_id, better.candidate_id, worse.candidate_id)
        .having(wins > 0)
    )


async def _texts(db: AsyncSession, ids: set[str]) -> Mapping[str, str]:
    if not ids:
        return {}
    query = select(CandidateRow.id, CandidateRow.text).where(CandidateRow.id.in_(ids))
    return {row.id: row.text for row in await db.execute(query)}


async def _prompts(db: AsyncSession, user_message_ids: Sequence[str]) -> Mapping[str, Turns]:
    """The conversation up to and with each of these messages, as it counts now."""
    if not user_message_ids:
        return {}
    target = aliased(MessageRow)
    query: Any = (
        select(target.id.label("target"), MessageRow.role, MessageRow.text)
        .select_from(target)
        .join(
            MessageRow,
            (MessageRow.session_id == target.session_id)
            & (MessageRow.seq <= target.seq)
            & (MessageRow.seq > target.seq - CONTEXT_MESSAGES),
        )
        .where(target.id.in_(list(user_message_ids)), is_active())
        .order_by(target.id, MessageRow.seq)
    )
    said: dict[str, list[dict[str, str]]] = {}
    for row in await db.execute(query):
        said.setdefault(row.target, []).append({"role": row.role.value, "content": row.text})
    return {key: alternating(turns) for key, turns in said.items()}


def alternating(turns: Sequence[Mapping[str, str]]) -> Turns:
    """Turns that begin with the person and alternate, as chat templates want them.

    Messages in a row of one side, such as after a failed turn, become one with an empty line between.
    """
    joined: list[dict[str, str]] = []
    for turn in turns:
        if joined and joined[-1]["role"] == turn["role"]:
            joined[-1]["content"] += f"\n\n{turn['content']}"
        elif joined or turn["role"] == MessageRole.USER.value:
            joined.append(dict(turn))
    return tuple(joined)
