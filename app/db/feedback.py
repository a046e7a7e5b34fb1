"""Ratings: one current row per rater and message, every earlier state kept."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotation_queue import recount_ratings
from app.db.errors import GoneError
from app.db.repository import AnyRow, Repository, columns_of, upsert_into
from app.db.review_records import Feedback, FeedbackChange
from app.db.review_tables import FeedbackHistoryRow, FeedbackRow
from app.db.sessions import lock_session
from app.db.tables import MessageRow
from app.db.types import new_id

_COLUMNS = columns_of(Feedback, FeedbackRow)
_HISTORY_COLUMNS = columns_of(FeedbackChange, FeedbackHistoryRow)


class FeedbackRepository(Repository):
    """All SQL about ratings. The rater is named by the server: a person's or a staff account's id."""

    async def set_rating(
        self,
        message_id: str,
        rater: str,
        value: int | None,
        reasons: Sequence[str] | None = None,
        comment: str | None = None,
    ) -> Feedback | None:
        """Set, change or take back a rating.

        Args:
            message_id: The rated reply.
            rater: Who rates, at most 64 characters.
            value: 1, -1, or ``None`` to take the rating back with its reasons and comment.
            reasons: Stable names of reasons; ``None`` keeps those stored with the same value.
            comment: Free text; ``None`` keeps the one stored with the same value.

        Returns:
            The rating as it is now, ``None`` once taken back.

        Raises:
            GoneError: The message does not exist (any more).
            ValueError: The value is none of the above.
        """
        if value not in (1, -1, None):
            raise ValueError("a rating is 1, -1 or None")
        async with (self._erase if value is None else self._write)() as db:
            session_id = await _lock_conversation(db, message_id)
            before = await _current(db, message_id, rater)
            if value is None:
                return await _take_back(db, message_id, rater, before, self._now())
            same_value = before if before is not None and before.value == value else None
            after = Feedback(
                message_id=message_id,
                session_id=session_id,
                rater=rater,
                value=value,
                reasons=_kept(reasons, same_value),
                comment=comment if comment is not None or same_value is None else same_value.comment,
                updated_at=self._now(),
            )
            if before is not None and _content(before) == _content(after):
                return before
            await _store(db, after)
            return after

    async def amend(
        self,
        message_id: str,
        rater: str,
        *,
        value: int | None = None,
        reasons: Sequence[str] | None = None,
        comment: str | None = None,
    ) -> Feedback:
        """Change only what is given, so that no other window's work is lost.

        Args:
            message_id: The rated reply.
            rater: Who rates.
            value: 1 or -1; ``None`` keeps the present one.
            reasons: Stable names; ``None`` keeps the present ones, unless the value turns round.
            comment: Free text, empty for none; ``None`` keeps the present one.

        Raises:
            GoneError: The message does not exist (any more).
            ValueError: There is neither a value nor a rating whose value could be kept.
        """
        async with self._write() as db:
            session_id = await _lock_conversation(db, message_id)
            before = await _current(db, message_id, rater)
            new = value if value is not None else before and before.value
            if new not in (1, -1):
                raise ValueError("a rating is 1 or -1")
            same_value = before if before is not None and before.value == new else None
            kept = before.comment if before is not None else None
            after = Feedback(
                message_id=message_id,
                session_id=session_id,
                rater=rater,
                value=new,
                reasons=_kept(reasons, same_value),
                comment=kept if comment is None else comment or None,
                updated_at=self._now(),
            )
            if before is not None and _content(before) == _content(after):
                return before
            await _store(db, after)
            return after

    async def get(self, message_id: str, rater: str) -> Feedback | None:
        """The present rating of a message by one rater."""
        async with self._read() as db:
            return await _current(db, message_id, rater)

    async def for_session(self, session_id: str, rater: str) -> dict[str, Feedback]:
        """The present ratings of a conversation by one rater, by message id."""
        query = select(*_COLUMNS).where(FeedbackRow.session_id == session_id, FeedbackRow.rater == rater)
        async with self._read() as db:
            return {row.message_id: _feedback(row) for row in await db.execute(query)}

    async def changes(self, message_id: str, rater: str) -> list[FeedbackChange]:
        """Every state this rating has had, oldest first."""
        query = (
            select(*_HISTORY_COLUMNS)
            .where(FeedbackHistoryRow.message_id == message_id, FeedbackHistoryRow.rater == rater)
            .order_by(FeedbackHistoryRow.at)
        )
        async with self._read() as db:
            rows = (await db.execute(query)).all()
        return [
            FeedbackChange(row.message_id, row.rater, row.value, tuple(row.reasons), row.comment, row.at)
            for row in rows
        ]


async def _lock_conversation(db: AsyncSession, message_id: str) -> str:
    """Make other raters of this conversation wait, so that a double click is one change."""
    query = select(MessageRow.session_id).where(MessageRow.id == message_id)
    session_id: str | None = (await db.execute(query)).scalar_one_or_none()
    if session_id is None:
        raise GoneError("the message does not exist")
    await lock_session(db, session_id)
    return session_id


async def _current(db: AsyncSession, message_id: str, rater: str) -> Feedback | None:
    query = select(*_COLUMNS).where(FeedbackRow.message_id == message_id, FeedbackRow.rater == rater)
    row = (await db.execute(query)).one_or_none()
    return None if row is None else _feedback(row)


async def _take_back(
    db: AsyncSession, message_id: str, rater: str, before: Feedback | None, at: datetime
) -> None:
    if before is None:
        return
    mine = (FeedbackRow.message_id == message_id, FeedbackRow.rater == rater)
    await db.execute(delete(FeedbackRow).where(*mine))
    await _remember(db, FeedbackChange(message_id, rater, None, (), None, at))


async def _store(db: AsyncSession, after: Feedback) -> None:
    changed = {
        "value": after.value,
        "reasons": list(after.reasons),
        "comment": after.comment,
        "updated_at": after.updated_at,
    }
    place = {"message_id": after.message_id, "session_id": after.session_id, "rater": after.rater}
    adding = upsert_into(db, FeedbackRow).values(id=new_id(), created_at=after.updated_at, **place, **changed)
    await db.execute(adding.on_conflict_do_update(index_elements=["message_id", "rater"], set_=changed))
    await _remember(
        db,
        FeedbackChange(
            after.message_id, after.rater, after.value, after.reasons, after.comment, after.updated_at
        ),
    )


async def _remember(db: AsyncSession, change: FeedbackChange) -> None:
    values = {
        "id": new_id(),
        "message_id": change.message_id,
        "rater": change.rater,
        "value": change.value,
        "reasons": list(change.reasons),
        "comment": change.comment,
        "at": change.at,
    }
    await db.execute(insert(FeedbackHistoryRow).values(values))
    await recount_ratings(db, change.message_id)


def _kept(reasons: Sequence[str] | None, same_value: Feedback | None) -> tuple[str, ...]:
    if reasons is not None:
        return tuple(reasons)
    return () if same_value is None else same_value.reasons


def _content(rating: Feedback) -> tuple[int, tuple[str, ...], str | None]:
    return rating.value, rating.reasons, rating.comment


def _feedback(row: AnyRow) -> Feedback:
    message_id, session_id, rater, value, reasons, comment, updated_at = row
    return Feedback(message_id, session_id, rater, value, tuple(reasons), comment, updated_at)
