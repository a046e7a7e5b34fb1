"""Stickiness of a stretch of time, counted in SQL: how often a tactic of the reply before comes back.

The meaning is that of ``models.novelty.pooled_stickiness``: the previous turn is the bot's own.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Float, and_, case, cast, func, literal, select, type_coerce, union_all

from app.db.insights_sources import model_of_reply
from app.db.message_rows import is_active
from app.db.tables import CandidateRow, MessageRow, SessionRow
from models.tactics import Tactic


def stickiness_rows(begin: datetime, end: datetime) -> Any:
    """Rows of part (the tactic), model, language, count, amount and basis.

    ``count`` is how many replies follow one with the tactic, ``amount`` how many of them have it
    again, and ``basis`` how many replies follow another at all.
    """
    pairs = _pairs(begin, end)
    return union_all(*(_of_tactic(tactic, pairs) for tactic in Tactic))


def _of_tactic(tactic: Tactic, pairs: Any) -> Any:
    before, now = pairs.c[f"before_{tactic}"], pairs.c[f"now_{tactic}"]
    return select(
        literal(tactic.value).label("part"),
        pairs.c.model,
        pairs.c.language,
        func.sum(before),
        cast(func.sum(before * now), Float),
        func.count(),
    ).group_by(pairs.c.model, pairs.c.language)


def _pairs(begin: datetime, end: datetime) -> Any:
    """Replies of the stretch with the tactics of the reply before, which may lie before ``begin``."""
    reply = _replies(begin, end)
    in_order = {"partition_by": reply.c.session_id, "order_by": reply.c.seq}
    columns: list[Any] = [reply.c.model, reply.c.language, reply.c.created_at]
    for tactic in Tactic:
        now = reply.c[f"now_{tactic}"]
        columns += [now, func.lag(now).over(**in_order).label(f"before_{tactic}")]
    columns.append(func.lag(reply.c.seq).over(**in_order).label("seq_before"))
    turn = select(*columns).subquery()
    return select(turn).where(turn.c.created_at >= begin, turn.c.seq_before.is_not(None)).cte("pairs")


def _replies(begin: datetime, end: datetime) -> Any:
    """All shown replies up to ``end`` of the conversations that have one in the stretch."""
    recent = (
        select(CandidateRow.session_id)
        .where(CandidateRow.created_at >= begin, CandidateRow.created_at < end, CandidateRow.chosen)
        .distinct()
        .subquery()
    )
    shown = and_(MessageRow.id == CandidateRow.reply_message_id, is_active())
    return (
        select(
            CandidateRow.session_id,
            CandidateRow.created_at,
            MessageRow.seq,
            model_of_reply().label("model"),
            SessionRow.locale.label("language"),
            *(_has(tactic).label(f"now_{tactic}") for tactic in Tactic),
        )
        .select_from(recent)
        .join(SessionRow, SessionRow.id == recent.c.session_id)
        .join(CandidateRow, and_(CandidateRow.session_id == recent.c.session_id, CandidateRow.chosen))
        .join(MessageRow, shown)
        .where(CandidateRow.created_at < end)
        .subquery()
    )


def _has(tactic: Tactic) -> Any:
    counts = type_coerce(CandidateRow.tactic_counts, JSON)
    return case((counts[tactic.value].as_integer() > 0, 1), else_=0)
