"""Scores of measures by staff: one current value a rater and measure, every earlier one kept."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotation_records import Score
from app.db.annotation_tables import ScoreHistoryRow, ScoreRow
from app.db.errors import GoneError
from app.db.measures import check_score
from app.db.repository import Repository, columns_of, upsert_into
from app.db.sessions import lock_session
from app.db.tables import MessageRow
from app.db.types import new_id

_COLUMNS = columns_of(Score, ScoreRow)


class ScoreRepository(Repository):
    """All SQL about scores. Only the measures that are named change, so no other window's work is lost."""

    async def set_scores(
        self,
        message_id: str,
        rater: str,
        values: Mapping[str, int | None],
        unless_set: Mapping[str, int] = MappingProxyType({}),
    ) -> dict[str, int]:
        """Set, change or take back (``None``) some measures of a reply.

        Args:
            message_id: The reply.
            rater: Who scores, at most 64 characters.
            values: New value by measure; measures that are not named stay as they are.
            unless_set: Value by measure for those that have none yet and are not named in ``values``.

        Returns:
            All present values of this rater for this reply.

        Raises:
            GoneError: The reply does not exist (any more).
            ValueError: A measure is unknown or a value is out of its range.
        """
        for measure, value in {**unless_set, **values}.items():
            check_score(measure, 1 if value is None else value)
        async with self._write() as db:
            session_id: str | None = (
                await db.execute(select(MessageRow.session_id).where(MessageRow.id == message_id))
            ).scalar_one_or_none()
            if session_id is None:
                raise GoneError("the message does not exist")
            await lock_session(db, session_id)
            before = await _current(db, message_id, rater)
            wanted = {**{key: value for key, value in unless_set.items() if key not in before}, **values}
            changed = {measure: value for measure, value in wanted.items() if before.get(measure) != value}
            for measure, value in changed.items():
                await _put(db, Score(message_id, session_id, rater, measure, value or 0, self._now()), value)
            return {measure: value for measure, value in {**before, **changed}.items() if value is not None}

    async def for_reply(self, message_id: str, rater: str) -> dict[str, int]:
        """Present values of one rater for one reply, by measure."""
        async with self._read() as db:
            return await _current(db, message_id, rater)

    async def of_replies(self, since: datetime, until: datetime) -> list[Score]:
        """All present scores set in a period, by reply, rater and measure."""
        query = (
            select(*_COLUMNS)
            .where(ScoreRow.updated_at >= since, ScoreRow.updated_at < until)
            .order_by(ScoreRow.message_id, ScoreRow.rater, ScoreRow.measure)
        )
        async with self._read() as db:
            return [Score(*row) for row in await db.execute(query)]


async def _current(db: AsyncSession, message_id: str, rater: str) -> dict[str, int]:
    query = select(ScoreRow.measure, ScoreRow.value).where(
        ScoreRow.message_id == message_id, ScoreRow.rater == rater
    )
    rows = (await db.execute(query)).all()
    return {row.measure: row.value for row in rows}


async def _put(db: AsyncSession, score: Score, value: int | None) -> None:
    mine = (
        ScoreRow.message_id == score.message_id,
        ScoreRow.rater == score.rater,
        ScoreRow.measure == score.measure,
    )
    if value is None:
        await db.execute(delete(ScoreRow).where(*mine))
    else:
        place = {
            "message_id": score.message_id,
            "session_id": score.session_id,
            "rater": score.rater,
            "measure": score.measure,
        }
        changes = {"value": value, "updated_at": score.updated_at}
        adding = upsert_into(db, ScoreRow).values(
            id=new_id(), created_at=score.updated_at, **place, **changes
        )
        keys = ["message_id", "rater", "measure"]
        await db.execute(adding.on_conflict_do_update(index_elements=keys, set_=changes))
    entry = {
        "id": new_id(),
        "message_id": score.message_id,
        "rater": score.rater,
        "measure": score.measure,
        "value": value,
        "at": score.updated_at,
    }
    await db.execute(insert(ScoreHistoryRow).values(entry))
