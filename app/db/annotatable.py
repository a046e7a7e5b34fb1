"""Which replies staff may rate at all; the one condition that pages, queue and migration of consent share."""

from sqlalchemy import ColumnElement, and_, exists, or_

from app.db.records import MessageRole, MessageStatus, ReplySource
from app.db.review_tables import FlagRow
from app.db.tables import CandidateRow, MessageRow, PersonRow, RiskAssessmentRow, SessionRow
from safety.levels import RiskLevel

STAFF_RATERS = "staff:%"
"""Names of raters that are staff, as a LIKE pattern."""
FINISHED = "stop"


def may_be_rated() -> ColumnElement[bool]:
    """A complete reply of a model, still part of its conversation, with consent and without a crisis."""
    crisis = or_(
        exists().where(FlagRow.session_id == MessageRow.session_id),
        exists().where(
            RiskAssessmentRow.session_id == MessageRow.session_id,
            RiskAssessmentRow.level >= RiskLevel.MODERATE,
        ),
    )
    consent = exists().where(
        SessionRow.id == MessageRow.session_id,
        PersonRow.id == SessionRow.person_id,
        PersonRow.consent.is_(True),
    )
    return and_(
        MessageRow.role == MessageRole.ASSISTANT,
        MessageRow.status == MessageStatus.COMPLETE,
        MessageRow.source == ReplySource.MODEL,
        MessageRow.superseded_at.is_(None),
        consent,
        ~crisis,
    )


def may_be_ranked() -> ColumnElement[bool]:
    """A candidate that is whole and was not refused, shown or not."""
    return and_(CandidateRow.blocked.is_(None), CandidateRow.finish_reason == FINISHED)
