"""Everything that one message at risk leaves behind, stored in one go.

The four rows belong together: an assessment without its flag, or a card without its referral,
would tell a reviewer something that is not so.
"""

from typing import Any

from sqlalchemy import insert, select, update

from app.db.annotation_queue import dequeue_session
from app.db.flags import open_or_raise
from app.db.referrals import count_referral
from app.db.repository import Repository
from app.db.risk import assessment_values
from app.db.sessions import lock_session, risk_values
from app.db.tables import ReferralRow, RiskAssessmentRow, SessionRow
from app.db.types import new_id
from safety.helplines import HelplineCard
from safety.levels import RiskAssessment, RiskLevel


class CrisisRecorder(Repository):
    """Writes assessment, session risk, flag and referral of one message."""

    async def record(
        self, session_id: str, message_id: str, assessment: RiskAssessment, card: HelplineCard | None
    ) -> bool:
        """Store them in one transaction.

        Args:
            session_id: The conversation.
            message_id: The person's message.
            assessment: The verdict; from moderate on the session is flagged.
            card: The help that is about to be shown, or ``None``.

        Returns:
            Whether the same lines were the last ones shown in this conversation before, at this level or a
            higher one.

        Raises:
            GoneError: The conversation or the message does not exist (any more).
        """
        now = self._now()
        async with self._write() as db:
            await lock_session(db, session_id)
            risk = risk_values(assessment.session)
            await db.execute(update(SessionRow).where(SessionRow.id == session_id).values(risk))
            values = assessment_values(message_id, session_id, assessment, now)
            await db.execute(insert(RiskAssessmentRow).values(values))
            if assessment.level >= RiskLevel.MODERATE:
                await db.execute(
                    open_or_raise(db, session_id, message_id, assessment.level, assessment.category, now)
                )
                await dequeue_session(db, session_id)
            if card is None:
                return False
            names = [line.name for line in card.lines]
            latest = (
                select(ReferralRow.line_names, ReferralRow.level)
                .where(ReferralRow.session_id == session_id)
                .order_by(ReferralRow.created_at.desc(), ReferralRow.id)
                .limit(1)
            )
            before: Any = (await db.execute(latest)).one_or_none()
            referral = {
                "id": new_id(),
                "session_id": session_id,
                "message_id": message_id,
                "country": card.country,
                "level": assessment.level,
                "category": assessment.category,
                "line_names": names,
                "created_at": now,
            }
            await db.execute(insert(ReferralRow).values(referral))
            await count_referral(db, referral)
            return (
                before is not None and list(before.line_names) == names and before.level >= assessment.level
            )
