"""Risk assessments: one row a verdict, and with it the state of the conversation."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from sqlalchemy import select, update

from app.db.records import StoredAssessment
from app.db.repository import AnyRow, Repository, insert_row
from app.db.sessions import lock_session, risk_values
from app.db.tables import MessageRow, RiskAssessmentRow, SessionRow
from app.db.types import new_id
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk

_ROW = RiskAssessmentRow
_COLUMNS = (
    _ROW.id,
    _ROW.message_id,
    _ROW.session_id,
    _ROW.level,
    _ROW.category,
    _ROW.layer,
    _ROW.matches,
    _ROW.failed_layers,
    _ROW.session_level,
    _ROW.session_category,
    _ROW.session_score,
    _ROW.session_calm_turns,
    _ROW.session_stressor,
    _ROW.created_at,
)


class RiskRepository(Repository):
    """All SQL about risk assessments."""

    async def add(self, message_id: str, session_id: str, assessment: RiskAssessment) -> StoredAssessment:
        """Store a verdict and, in the same transaction, the session's risk after it.

        Raises:
            GoneError: The message or the conversation does not exist (any more).
        """
        values = assessment_values(message_id, session_id, assessment, self._now())
        async with self._write() as db:
            await lock_session(db, session_id)
            await db.execute(
                update(SessionRow).where(SessionRow.id == session_id).values(risk_values(assessment.session))
            )
            return _assessment(await insert_row(db, _ROW, values, _COLUMNS))

    async def latest(self, session_id: str, at_least: RiskLevel = RiskLevel.NONE) -> StoredAssessment | None:
        """The verdict on the newest message of the history that has one of at least this level."""
        query = (
            select(*_COLUMNS)
            .join(MessageRow, MessageRow.id == _ROW.message_id)
            .where(
                MessageRow.session_id == session_id,
                MessageRow.superseded_at.is_(None),
                _ROW.level >= at_least,
            )
            .order_by(MessageRow.seq.desc(), _ROW.created_at.desc())
            .limit(1)
        )
        async with self._read() as db:
            row = (await db.execute(query)).one_or_none()
        return None if row is None else _assessment(row)

    async def for_session(self, session_id: str) -> list[StoredAssessment]:
        """All verdicts of a conversation, oldest first; the course of its risk."""
        query = (
            select(*_COLUMNS)
            .join(MessageRow, MessageRow.id == _ROW.message_id)
            .where(MessageRow.session_id == session_id)
            .order_by(MessageRow.seq, _ROW.created_at)
        )
        async with self._read() as db:
            return [_assessment(row) for row in await db.execute(query)]


def assessment_values(
    message_id: str, session_id: str, assessment: RiskAssessment, at: datetime
) -> dict[str, Any]:
    """A verdict as values of the table's columns, with a new id."""
    risk = assessment.session
    return {
        "id": new_id(),
        "message_id": message_id,
        "session_id": session_id,
        "level": assessment.level,
        "category": assessment.category,
        "layer": assessment.layer,
        "matches": [asdict(match) for match in assessment.matches],
        "failed_layers": list(assessment.failed_layers),
        "session_level": risk.level,
        "session_category": risk.category,
        "session_score": risk.score,
        "session_calm_turns": risk.calm_turns,
        "session_stressor": risk.stressor,
        "created_at": at,
    }


def _assessment(row: AnyRow) -> StoredAssessment:
    return StoredAssessment(
        id=row.id,
        message_id=row.message_id,
        session_id=row.session_id,
        level=row.level,
        category=row.category,
        layer=row.layer,
        matches=tuple(_match(match) for match in cast("list[dict[str, Any]]", row.matches)),
        failed_layers=tuple(row.failed_layers),
        session=SessionRisk(
            level=row.session_level,
            category=row.session_category,
            score=row.session_score,
            calm_turns=row.session_calm_turns,
            stressor=row.session_stressor,
        ),
        created_at=row.created_at,
    )


def _match(stored: dict[str, Any]) -> RiskMatch:
    values = dict(stored)
    values["level"] = RiskLevel(values["level"])
    values["category"] = RiskCategory(values["category"])
    return RiskMatch(**values)
