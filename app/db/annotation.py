"""The next reply to rate and the next turn to rank: with the person's consent, and from no crisis."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, CursorResult, Select, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotatable import may_be_rated
from app.db.annotation_queue import DRAWS, enqueue_after
from app.db.annotation_tables import AnnotationQueueRow, RankingRow
from app.db.engine import SessionFactory
from app.db.message_rows import MESSAGE_COLUMNS, message_of
from app.db.records import Message
from app.db.repository import Repository
from app.db.review_tables import FeedbackRow
from app.db.tables import MessageRow
from app.db.types import Clock, utc_now

MOST_COUNTED = 1000
"""What is left is counted up to here only: a page says "more than 999"."""
_HELD = timedelta(minutes=15)
_TRIES = 5
_BATCH = 2000
_FIRST_ID = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one rater has come: done so far, and still open to them (at most ``MOST_COUNTED``)."""

    rated: int
    left: int


class AnnotationRepository(Repository):
    """All SQL about what a rater sees next. Ratings and rankings have repositories of their own.

    A reply is given to one rater; the set share of replies that are rated twice, to two. What one
    rater has on the screen is kept from the others for a quarter of an hour.

    Args:
        sessions: Makes database sessions.
        clock: Tells the time.
        double_share: Share of replies that two raters see, 0–1; which ones follows from their ids.
    """

    def __init__(
        self, sessions: SessionFactory, clock: Clock = utc_now, *, double_share: float = 0.2
    ) -> None:
        super().__init__(sessions, clock)
        self._double = round(double_share * DRAWS)

    async def next_reply(self, rater: str, skipped: Sequence[str] = ()) -> Message | None:
        """The reply this rater should see next: one that nobody has rated, else one to rate twice.

        Args:
            rater: Name of the rater as in feedback.
            skipped: Ids of replies not to show now.
        """
        return await self._next(AnnotationQueueRow.ratings, _unrated_by(rater), rater, skipped)

    async def next_turn(self, rater: str, skipped: Sequence[str] = ()) -> Message | None:
        """The shown reply of the turn whose candidates this rater should rank next.

        Args:
            rater: Name of the rater as in rankings.
            skipped: Ids of shown replies whose turns are not to be shown now.
        """
        return await self._next(AnnotationQueueRow.rankings, _unranked_by(rater), rater, skipped)

    async def may_rate(self, message_id: str) -> bool:
        """Whether staff may rate this reply now; consent can be withdrawn while it is on a screen."""
        query = select(func.count()).where(MessageRow.id == message_id, may_be_rated())
        async with self._read() as db:
            return (await db.execute(query)).scalar_one() > 0

    async def release(self, message_id: str, rater: str) -> None:
        """The rater skips a reply: others may be given it at once."""
        mine = (AnnotationQueueRow.message_id == message_id, AnnotationQueueRow.rater == rater)
        async with self._write() as db:
            await db.execute(update(AnnotationQueueRow).where(*mine).values(held_until=None))

    async def progress(self, rater: str) -> Progress:
        """How far the rater has come with ratings."""
        rated = select(func.count()).where(FeedbackRow.rater == rater)
        return await self._progress(rated, AnnotationQueueRow.ratings, _unrated_by(rater), rater)

    async def ranking_progress(self, rater: str) -> Progress:
        """How far the rater has come with rankings."""
        ranked = select(func.count()).where(RankingRow.rater == rater)
        return await self._progress(ranked, AnnotationQueueRow.rankings, _unranked_by(rater), rater)

    async def refill(self) -> None:
        """Look at every stored message and queue what may be rated; for rows that came in another way."""
        last: str | None = _FIRST_ID
        while last is not None:
            async with self._write() as db:
                last = await enqueue_after(db, last, _BATCH)

    async def _next(
        self, count: Any, not_mine: ColumnElement[bool], rater: str, skipped: Sequence[str]
    ) -> Message | None:
        passed = list(skipped)
        async with self._write() as db:
            for _ in range(_TRIES):
                row = None
                for query in self._open(count, not_mine, rater, MESSAGE_COLUMNS):
                    others = query.where(AnnotationQueueRow.message_id.not_in(passed)) if passed else query
                    row = row or (await db.execute(others.limit(1))).one_or_none()
                if row is None:
                    return None
                message = message_of(row)
                if await self._hold(db, message.id, rater):
                    return message
                passed.append(message.id)
        return None

    async def _hold(self, db: AsyncSession, message_id: str, rater: str) -> bool:
        """Keep a reply for this rater; False when a colleague was faster."""
        now = self._now()
        statement = (
            update(AnnotationQueueRow)
            .where(AnnotationQueueRow.message_id == message_id, self._free(rater, now))
            .values(rater=rater, held_until=now + _HELD)
        )
        return cast("CursorResult[Any]", await db.execute(statement)).rowcount > 0

    async def _progress(
        self, done: Select[int], count: Any, not_mine: ColumnElement[bool], rater: str
    ) -> Progress:
        left = 0
        async with self._read() as db:
            for query in self._open(count, not_mine, rater, (AnnotationQueueRow.message_id,)):
                left += len((await db.execute(query.limit(MOST_COUNTED - left))).all())
            return Progress((await db.execute(done)).scalar_one(), left)

    def _open(
        self, count: Any, not_mine: ColumnElement[bool], rater: str, columns: Sequence[Any]
    ) -> tuple[Select[*tuple[Any, ...]], ...]:
        """What nobody has done, oldest first; then what one colleague has, of those to be done twice."""
        row = AnnotationQueueRow
        found = (
            select(*columns)
            .select_from(row)
            .join(MessageRow, MessageRow.id == row.message_id)
            .where(may_be_rated(), not_mine, self._free(rater, self._now()))
        )
        return (
            found.where(count == 0).order_by(row.created_at, row.message_id),
            found.where(count == 1, row.draw < self._double).order_by(row.draw, row.message_id),
        )

    def _free(self, rater: str, now: datetime) -> ColumnElement[bool]:
        row = AnnotationQueueRow
        return or_(
            row.held_until.is_(None), row.held_until < now, row.rater == rater, row.draw < self._double
        )


def _unrated_by(rater: str) -> ColumnElement[bool]:
    return ~exists().where(
        FeedbackRow.message_id == AnnotationQueueRow.message_id, FeedbackRow.rater == rater
    )


def _unranked_by(rater: str) -> ColumnElement[bool]:
    return ~exists().where(
        RankingRow.user_message_id == AnnotationQueueRow.user_message_id, RankingRow.rater == rater
    )
