"""Candidates: every sampled reply with its scores, and the tactics of those that were chosen."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import or_, select

from app.db.candidate_rows import CANDIDATE_COLUMNS, candidate_of, insert_candidates
from app.db.errors import GoneError
from app.db.message_rows import is_active
from app.db.records import NewCandidate, StoredCandidate
from app.db.repository import AnySelect, Repository
from app.db.sessions import lock_session
from app.db.tables import CandidateRow, MessageRow


class CandidateRepository(Repository):
    """All SQL about candidates."""

    async def add_all(
        self, user_message_id: str, reply_message_id: str | None, rows: Sequence[NewCandidate]
    ) -> None:
        """Store the candidates of one sample.

        ``MessageRepository.reply_with_candidates`` does this together with the reply; use this one
        where there is no reply, such as when a turn failed after the model had answered.

        Raises:
            GoneError: The message does not exist (any more).
            ConflictError: Two candidates of one reply are marked as chosen.
        """
        async with self._write() as db:
            query = select(MessageRow.session_id).where(MessageRow.id == user_message_id)
            session_id = (await db.execute(query)).scalar_one_or_none()
            if session_id is None:
                raise GoneError("the message does not exist")
            await lock_session(db, session_id)
            await insert_candidates(db, session_id, user_message_id, reply_message_id, rows, self._now())

    async def for_message(self, message_id: str) -> list[StoredCandidate]:
        """The candidates of a person's message or of a reply, oldest sample first."""
        query = (
            select(*CANDIDATE_COLUMNS)
            .where(
                or_(CandidateRow.user_message_id == message_id, CandidateRow.reply_message_id == message_id)
            )
            .order_by(CandidateRow.created_at, CandidateRow.position, CandidateRow.id)
        )
        async with self._read() as db:
            return [candidate_of(row) for row in await db.execute(query)]

    async def chosen_counts(self, session_id: str, limit: int | None = None) -> list[dict[str, int]]:
        """Tactic counts of the replies in the history, oldest first.

        Args:
            session_id: The conversation.
            limit: Only the last so many replies; the time taken then depends on it alone.
        """
        query = _chosen(session_id, limit, CandidateRow.tactic_counts)
        async with self._read() as db:
            return [dict(counts) for counts in (await db.execute(query)).scalars().all()[::-1]]

    async def chosen_texts(self, session_id: str, limit: int | None = None) -> list[str]:
        """Texts, as shown, of the same replies as :meth:`chosen_counts`, in the same order."""
        query = _chosen(session_id, limit, MessageRow.text)
        async with self._read() as db:
            return list((await db.execute(query)).scalars().all()[::-1])

    async def chosen(self, session_id: str) -> list[StoredCandidate]:
        """The candidates behind the replies of the history, oldest first; for staff."""
        query = _chosen(session_id, None, *CANDIDATE_COLUMNS)
        async with self._read() as db:
            return [candidate_of(row) for row in (await db.execute(query)).all()[::-1]]


def _chosen(session_id: str, limit: int | None, *columns: Any) -> AnySelect:
    """Newest first, so that a limit reads only the end of the conversation."""
    return (
        select(*columns)
        .select_from(CandidateRow)
        .join(MessageRow, MessageRow.id == CandidateRow.reply_message_id)
        .where(MessageRow.session_id == session_id, is_active(), CandidateRow.chosen)
        .order_by(MessageRow.seq.desc())
        .limit(limit)
    )
