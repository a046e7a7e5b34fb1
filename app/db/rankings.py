"""Rankings of a turn's candidates by staff: one current ranking a rater, every earlier one kept."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotation_queue import recount_rankings
from app.db.annotation_records import Ranking
from app.db.annotation_tables import RankingHistoryRow, RankingPlaceRow, RankingRow
from app.db.errors import GoneError
from app.db.repository import Repository, upsert_into
from app.db.sessions import lock_session
from app.db.tables import CandidateRow, MessageRow
from app.db.types import new_id


class RankingRepository(Repository):
    """All SQL about rankings."""

    async def set_ranking(
        self, user_message_id: str, rater: str, places: Mapping[str, int]
    ) -> Ranking | None:
        """Set, change or (with no places) take back a ranking.

        Args:
            user_message_id: The message whose candidates are ranked.
            rater: Who ranks, at most 64 characters.
            places: Place by candidate id, 1 is the best, equal numbers are a tie.

        Returns:
            The ranking as it is now, ``None`` once taken back.

        Raises:
            GoneError: The message or one of the candidates does not exist (any more).
            ValueError: Fewer than two candidates, or places that leave a gap: after k candidates in
                better places the next place is k + 1.
        """
        if places:
            _check(places)
        async with self._write() as db:
            session_id: str | None = (
                await db.execute(select(MessageRow.session_id).where(MessageRow.id == user_message_id))
            ).scalar_one_or_none()
            if session_id is None:
                raise GoneError("the message does not exist")
            await lock_session(db, session_id)
            if places:
                await _require_candidates(db, user_message_id, places)
            before = await _current(db, user_message_id, rater)
            if (before.places if before else {}) == dict(places):
                return before
            now = self._now()
            await _replace(db, user_message_id, session_id, rater, places, now)
            return Ranking(user_message_id, session_id, rater, dict(places), now) if places else None

    async def get(self, user_message_id: str, rater: str) -> Ranking | None:
        """The present ranking of a turn by one rater."""
        async with self._read() as db:
            return await _current(db, user_message_id, rater)


def _check(places: Mapping[str, int]) -> None:
    if len(places) < 2:
        raise ValueError("a ranking needs two candidates or more")
    ordered = sorted(places.values())
    if any(place != 1 + ordered.index(place) for place in ordered):
        raise ValueError("places must be 1 and, after k better candidates, k + 1")


async def _require_candidates(db: AsyncSession, user_message_id: str, places: Mapping[str, int]) -> None:
    query = select(CandidateRow.id).where(
        CandidateRow.user_message_id == user_message_id, CandidateRow.id.in_(list(places))
    )
    if set((await db.execute(query)).scalars()) != set(places):
        raise GoneError("a candidate does not exist")


async def _current(db: AsyncSession, user_message_id: str, rater: str) -> Ranking | None:
    query = (
        select(
            RankingRow.session_id, RankingRow.updated_at, RankingPlaceRow.candidate_id, RankingPlaceRow.place
        )
        .join(RankingPlaceRow, RankingPlaceRow.ranking_id == RankingRow.id)
        .where(RankingRow.user_message_id == user_message_id, RankingRow.rater == rater)
    )
    rows = (await db.execute(query)).all()
    if not rows:
        return None
    places = {candidate_id: place for _, _, candidate_id, place in rows}
    return Ranking(user_message_id, rows[0][0], rater, places, rows[0][1])


async def _replace(
    db: AsyncSession,
    user_message_id: str,
    session_id: str,
    rater: str,
    places: Mapping[str, int],
    now: datetime,
) -> None:
    mine = (RankingRow.user_message_id == user_message_id, RankingRow.rater == rater)
    if places:
        adding = upsert_into(db, RankingRow).values(
            id=new_id(),
            user_message_id=user_message_id,
            session_id=session_id,
            rater=rater,
            created_at=now,
            updated_at=now,
        )
        await db.execute(
            adding.on_conflict_do_update(
                index_elements=["user_message_id", "rater"], set_={"updated_at": now}
            )
        )
        ranking_id = (await db.execute(select(RankingRow.id).where(*mine))).scalar_one()
        await db.execute(delete(RankingPlaceRow).where(RankingPlaceRow.ranking_id == ranking_id))
        rows = [
            {"ranking_id": ranking_id, "candidate_id": candidate_id, "place": place}
            for candidate_id, place in places.items()
        ]
        await db.execute(insert(RankingPlaceRow), rows)
    else:
        await db.execute(delete(RankingRow).where(*mine))
    entry = {
        "id": new_id(),
        "user_message_id": user_message_id,
        "rater": rater,
        "places": dict(places),
        "at": now,
    }
    await db.execute(insert(RankingHistoryRow).values(entry))
    await recount_rankings(db, user_message_id)
