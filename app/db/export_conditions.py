"""What may leave the database: the conditions that every export puts into every one of its statements.

They are asked anew for each batch, so consent that is withdrawn and a crisis that is noticed while a
file is being written count from the next batch on.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_

from app.db.export_records import ExportFilter
from app.db.review_tables import FlagRow
from app.db.tables import PersonRow, RiskAssessmentRow, SessionRow
from safety.levels import RiskLevel

STAFF = "staff:"
"""How the names of raters begin that are staff accounts."""


def may_leave(session_id: Any, asked: ExportFilter) -> list[ColumnElement[bool]]:
    """Consent, crisis and language of the conversation with this id."""
    conversation = [SessionRow.id == session_id]
    if not asked.unconsented:
        conversation += [PersonRow.id == SessionRow.person_id, PersonRow.consent.is_(True)]
    if asked.language is not None:
        conversation.append(SessionRow.locale == asked.language)
    conditions: list[ColumnElement[bool]] = [exists().where(*conversation)]
    if not asked.crisis:
        conditions += [
            ~exists().where(FlagRow.session_id == session_id),
            ~exists().where(
                RiskAssessmentRow.session_id == session_id,
                or_(
                    RiskAssessmentRow.level >= RiskLevel.MODERATE,
                    RiskAssessmentRow.session_level >= RiskLevel.MODERATE,
                ),
            ),
        ]
    return conditions


def by_raters(column: Any, asked: ExportFilter) -> list[ColumnElement[bool]]:
    """Whether this rater's judgements are asked for."""
    return [column.startswith(STAFF)] if asked.staff_only else []


def in_period(column: Any, asked: ExportFilter) -> list[ColumnElement[bool]]:
    """Whether a moment is in the period that is asked for."""
    return between(column, asked.since, asked.until)


def between(column: Any, since: datetime | None, until: datetime | None) -> list[ColumnElement[bool]]:
    """``since <= column < until``, each end only if given."""
    conditions: list[ColumnElement[bool]] = []
    if since is not None:
        conditions.append(column >= since)
    if until is not None:
        conditions.append(column < until)
    return conditions


def after(first: Any, second: Any, last: tuple[str, str] | None) -> list[ColumnElement[bool]]:
    """Rows behind ``last`` in the order of two columns; the first comparison lets an index find the place."""
    if last is None:
        return []
    return [first >= last[0], or_(first > last[0], and_(first == last[0], second > last[1]))]
