"""Keeps the annotation queue in step; called inside the transactions that change what is in it."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotatable import STAFF_RATERS, may_be_ranked, may_be_rated
from app.db.annotation_tables import AnnotationQueueRow, RankingRow
from app.db.repository import AnyRow, upsert_into
from app.db.review_tables import FeedbackRow
from app.db.tables import CandidateRow, MessageRow, SessionRow

DRAWS = 1000
_AT_ONCE = 500


def draw_of(message_id: str) -> int:
    """A number of 0–999 that follows from the id alone, evenly spread over ids."""
    return crc32(message_id.encode("ascii")) % DRAWS


async def enqueue_reply(db: AsyncSession, message_id: str) -> None:
    """Put one reply into the queue, if staff may rate it."""
    await _enqueue(db, MessageRow.id == message_id)


async def enqueue_person(db: AsyncSession, person_id: str) -> None:
    """Put all replies of a person who has just agreed to research into the queue."""
    theirs = select(SessionRow.id).where(SessionRow.person_id == person_id)
    await _enqueue(db, MessageRow.session_id.in_(theirs))


async def enqueue_after(db: AsyncSession, message_id: str, limit: int) -> str | None:
    """Look at the replies that follow an id and put those that may be rated into the queue.

    Args:
        db: An open transaction.
        message_id: The last id looked at so far.
        limit: Messages to look at.

    Returns:
        The last id looked at now, ``None`` after the end.
    """
    query = select(MessageRow.id).where(MessageRow.id > message_id).order_by(MessageRow.id).limit(limit)
    ids = list((await db.execute(query)).scalars())
    if ids:
        await _enqueue(db, MessageRow.id > message_id, MessageRow.id <= ids[-1])
    return ids[-1] if ids else None


async def dequeue_person(db: AsyncSession, person_id: str) -> None:
    """Take all replies of a person out of the queue."""
    theirs = select(SessionRow.id).where(SessionRow.person_id == person_id)
    await db.execute(delete(AnnotationQueueRow).where(AnnotationQueueRow.session_id.in_(theirs)))


async def dequeue_session(db: AsyncSession, session_id: str) -> None:
    """Take all replies of a conversation out of the queue."""
    await db.execute(delete(AnnotationQueueRow).where(AnnotationQueueRow.session_id == session_id))


async def dequeue_superseded(db: AsyncSession, session_id: str) -> None:
    """Take the replies of a conversation that were replaced out of the queue."""
    replaced = select(MessageRow.id).where(
        MessageRow.session_id == session_id, MessageRow.superseded_at.is_not(None)
    )
    await db.execute(delete(AnnotationQueueRow).where(AnnotationQueueRow.message_id.in_(replaced)))


async def recount_ratings(db: AsyncSession, message_id: str) -> None:
    """Bring the number of staff ratings of a reply up to date; nobody has it on the screen any more."""
    counted = (
        select(func.count())
        .where(FeedbackRow.message_id == message_id, FeedbackRow.rater.like(STAFF_RATERS))
        .scalar_subquery()
    )
    await db.execute(
        update(AnnotationQueueRow)
        .where(AnnotationQueueRow.message_id == message_id)
        .values(ratings=counted, held_until=None)
    )


async def recount_rankings(db: AsyncSession, user_message_id: str) -> None:
    """Bring the number of staff rankings of a turn up to date."""
    counted = (
        select(func.count())
        .where(RankingRow.user_message_id == user_message_id, RankingRow.rater.like(STAFF_RATERS))
        .scalar_subquery()
    )
    await db.execute(
        update(AnnotationQueueRow)
        .where(
            AnnotationQueueRow.user_message_id == user_message_id, AnnotationQueueRow.rankings.is_not(None)
        )
        .values(rankings=counted, held_until=None)
    )


async def _enqueue(db: AsyncSession, *which: ColumnElement[bool]) -> None:
    ratings = (
        select(func.count())
        .where(FeedbackRow.message_id == MessageRow.id, FeedbackRow.rater.like(STAFF_RATERS))
        .correlate(MessageRow)
        .scalar_subquery()
    )
    rankings = (
        select(func.count())
        .where(RankingRow.user_message_id == MessageRow.reply_to, RankingRow.rater.like(STAFF_RATERS))
        .correlate(MessageRow)
        .scalar_subquery()
    )
    query = select(
        MessageRow.id, MessageRow.session_id, MessageRow.reply_to, MessageRow.created_at, ratings, rankings
    ).where(may_be_rated(), MessageRow.reply_to.is_not(None), *which)
    rows = (await db.execute(query)).all()
    for start in range(0, len(rows), _AT_ONCE):
        await _insert(db, rows[start : start + _AT_ONCE])


async def _insert(db: AsyncSession, rows: Sequence[AnyRow]) -> None:
    different = await _different_candidates(db, [row[2] for row in rows])
    values = [
        {
            "message_id": message_id,
            "session_id": session_id,
            "user_message_id": reply_to,
            "draw": draw_of(message_id),
            "ratings": ratings,
            "rankings": rankings if different.get(reply_to, 0) > 1 else None,
            "rater": None,
            "held_until": None,
            "created_at": created_at,
        }
        for message_id, session_id, reply_to, created_at, ratings, rankings in rows
    ]
    adding: Any = upsert_into(db, AnnotationQueueRow).on_conflict_do_nothing(index_elements=["message_id"])
    await db.execute(adding, values)


async def _different_candidates(db: AsyncSession, user_message_ids: Sequence[str]) -> dict[str, int]:
    query = select(CandidateRow.user_message_id, CandidateRow.text).where(
        CandidateRow.user_message_id.in_(user_message_ids), may_be_ranked()
    )
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for user_message_id, text in await db.execute(query):
        texts[user_message_id].add(same_words(text))
    return {user_message_id: len(found) for user_message_id, found in texts.items()}


def same_words(text: str) -> str:
    """The text without what no reader sees: equal results are one candidate to rank."""
    return " ".join(text.split())
