"""The statements on candidates that the message repository needs in its own transaction."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.records import NewCandidate, StoredCandidate
from app.db.repository import AnyRow
from app.db.tables import CandidateRow
from app.db.types import new_id

_FIELDS = tuple(item.name for item in fields(NewCandidate))

CANDIDATE_COLUMNS = (
    CandidateRow.id,
    CandidateRow.session_id,
    CandidateRow.user_message_id,
    CandidateRow.reply_message_id,
    CandidateRow.created_at,
    *(getattr(CandidateRow, name) for name in _FIELDS),
)


async def insert_candidates(
    db: AsyncSession,
    session_id: str,
    user_message_id: str,
    reply_message_id: str | None,
    candidates: Sequence[NewCandidate],
    at: datetime,
) -> None:
    """Store the candidates of one sample."""
    if not candidates:
        return
    place = {
        "session_id": session_id,
        "user_message_id": user_message_id,
        "reply_message_id": reply_message_id,
        "created_at": at,
    }
    rows = [
        {"id": new_id(), **place, **{name: getattr(candidate, name) for name in _FIELDS}}
        for candidate in candidates
    ]
    await db.execute(insert(CandidateRow), rows)


def candidate_of(row: AnyRow) -> StoredCandidate:
    """A record from a row of :data:`CANDIDATE_COLUMNS`."""
    parts: dict[str, Any] = {name: getattr(row, name) for name in _FIELDS}
    # JSON knows no tuples.
    parts["sentence_tactics"] = tuple(tuple(tactics) for tactics in parts["sentence_tactics"])
    parts["penalties"] = tuple(parts["penalties"])
    return StoredCandidate(
        id=row.id,
        session_id=row.session_id,
        user_message_id=row.user_message_id,
        reply_message_id=row.reply_message_id,
        created_at=row.created_at,
        candidate=NewCandidate(**parts),
    )
