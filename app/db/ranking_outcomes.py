"""All present rankings with where their candidates came from; what the table of results is made of."""

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from app.db.annotatable import STAFF_RATERS
from app.db.annotation_tables import RankingPlaceRow, RankingRow
from app.db.repository import Repository
from app.db.tables import CandidateRow, MessageRow, SessionRow
from app.ranking_table import RankedCandidate


class RankingOutcomes(Repository):
    """Reads rankings by staff."""

    async def latest(self, limit: int = 5000) -> list[RankedCandidate]:
        """Every ranked candidate of the newest rankings, at most ``limit`` rankings."""
        inner = aliased(RankingRow)
        newest = (
            select(inner.id)
            .where(inner.rater.like(STAFF_RATERS))
            .order_by(inner.updated_at.desc())
            .limit(limit)
        )
        query = (
            select(
                RankingRow.id,
                RankingRow.user_message_id,
                func.coalesce(MessageRow.model, SessionRow.model),
                CandidateRow.chosen,
                RankingPlaceRow.place,
            )
            .join(RankingPlaceRow, RankingPlaceRow.ranking_id == RankingRow.id)
            .join(CandidateRow, CandidateRow.id == RankingPlaceRow.candidate_id)
            .join(SessionRow, SessionRow.id == RankingRow.session_id)
            .outerjoin(MessageRow, MessageRow.id == CandidateRow.reply_message_id)
            .where(RankingRow.id.in_(newest))
            .order_by(RankingRow.id, CandidateRow.id)
        )
        async with self._read() as db:
            return [RankedCandidate(*row) for row in await db.execute(query)]
