"""Conversations: who owns them, their names, their risk and when the AI notice was shown."""

from datetime import datetime
from typing import Any, cast

from sqlalchemy import CursorResult, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.errors import GoneError
from app.db.records import Session
from app.db.repository import AnyRow, AnySelect, Repository, insert_row
from app.db.tables import PersonRow, SessionRow
from app.db.types import new_id
from models.styles import Style
from safety.levels import SessionRisk

_COLUMNS = (
    SessionRow.id,
    SessionRow.person_id,
    SessionRow.locale,
    SessionRow.model,
    SessionRow.title,
    SessionRow.created_at,
    SessionRow.last_activity_at,
    SessionRow.last_seq,
    SessionRow.notice_at,
    SessionRow.risk_level,
    SessionRow.risk_category,
    SessionRow.risk_score,
    SessionRow.risk_calm_turns,
    SessionRow.risk_stressor,
    SessionRow.style,
    SessionRow.remember,
)


class SessionRepository(Repository):
    """All SQL about conversations as a whole."""

    async def create(
        self,
        person_id: str,
        locale: str,
        model: str,
        style: Style = Style.BALANCED,
        *,
        remember: bool = True,
    ) -> Session:
        """Start a conversation, and note that the person was here.

        Raises:
            GoneError: There is no such person (any more).
        """
        now = self._now()
        values: dict[str, Any] = {
            "id": new_id(),
            "person_id": person_id,
            "locale": locale,
            "model": model,
            "created_at": now,
            "last_activity_at": now,
            "last_seq": 0,
            "style": style,
            "remember": remember,
        }
        here = update(PersonRow).where(PersonRow.id == person_id).values(last_seen_at=now)
        async with self._write() as db:
            # Also keeps retention from deleting a person who comes back at this moment.
            await db.execute(here)
            return session_of(await insert_row(db, SessionRow, values | risk_values(SessionRisk()), _COLUMNS))

    async def get(self, session_id: str) -> Session | None:
        """The conversation whoever owns it; for the turn pipeline and for staff."""
        async with self._read() as db:
            row = (await db.execute(_by_id(session_id))).one_or_none()
        return None if row is None else session_of(row)

    async def get_owned(self, session_id: str, person_id: str) -> Session | None:
        """The conversation, or ``None`` if it does not exist or is not this person's."""
        query = _by_id(session_id).where(SessionRow.person_id == person_id)
        async with self._read() as db:
            row = (await db.execute(query)).one_or_none()
        return None if row is None else session_of(row)

    async def list_for(self, person_id: str, limit: int = 50) -> list[Session]:
        """A person's conversations, the one with the latest activity first."""
        query = (
            select(*_COLUMNS)
            .where(SessionRow.person_id == person_id)
            .order_by(SessionRow.last_activity_at.desc(), SessionRow.id)
            .limit(limit)
        )
        async with self._read() as db:
            return [session_of(row) for row in await db.execute(query)]

    async def set_title(self, session_id: str, person_id: str, title: str | None) -> bool:
        """Give the conversation a name, or take it away. False if it is not this person's."""
        mine = SessionRow.id == session_id, SessionRow.person_id == person_id
        statement = update(SessionRow).where(*mine).values(title=title)
        async with self._erase() as db:  # What it replaces are a person's words.
            return cast("CursorResult[Any]", await db.execute(statement)).rowcount > 0

    async def set_risk(self, session_id: str, risk: SessionRisk) -> bool:
        """Store what the conversation has shown so far. False if it does not exist."""
        return await self._update(session_id, **risk_values(risk))

    async def mark_notice(self, session_id: str, at: datetime) -> bool:
        """Store when the notice that this is an AI was shown. False if it does not exist."""
        return await self._update(session_id, notice_at=at)

    async def set_model(self, session_id: str, model: str) -> bool:
        """Store which model answers from now on. False if it does not exist."""
        return await self._update(session_id, model=model)

    async def set_style(self, session_id: str, style: Style) -> bool:
        """Store how the person wants to be answered from now on. False if it does not exist."""
        return await self._update(session_id, style=style)

    async def set_remember(self, session_id: str, remember: bool) -> bool:
        """Store whether facts are noted and used from now on. False if it does not exist."""
        return await self._update(session_id, remember=remember)

    async def delete(self, session_id: str, person_id: str) -> bool:
        """Delete a conversation with all that belongs to it. False if it is not this person's."""
        statement = delete(SessionRow).where(SessionRow.id == session_id, SessionRow.person_id == person_id)
        async with self._erase() as db:
            return cast("CursorResult[Any]", await db.execute(statement)).rowcount > 0

    async def _update(self, session_id: str, **values: Any) -> bool:
        statement = update(SessionRow).where(SessionRow.id == session_id).values(values)
        async with self._write() as db:
            return cast("CursorResult[Any]", await db.execute(statement)).rowcount > 0


async def lock_session(db: AsyncSession, session_id: str) -> None:
    """Make other writers of this conversation wait until this transaction ends.

    Whoever writes rows that belong to a conversation does this first, so that no two of them, and
    no deletion, can wait for each other.

    Raises:
        GoneError: There is no such conversation (any more).
    """
    # Weaker than FOR UPDATE: it does not hold up checks of foreign keys.
    query = select(SessionRow.id).where(SessionRow.id == session_id).with_for_update(key_share=True)
    if (await db.execute(query)).one_or_none() is None:
        raise GoneError("the conversation does not exist")


def risk_values(risk: SessionRisk) -> dict[str, Any]:
    """A session's risk as values of its columns."""
    return {
        "risk_level": risk.level,
        "risk_category": risk.category,
        "risk_score": risk.score,
        "risk_calm_turns": risk.calm_turns,
        "risk_stressor": risk.stressor,
    }


def session_of(row: AnyRow) -> Session:
    """A record from a row of the session columns."""
    return Session(
        id=row.id,
        person_id=row.person_id,
        locale=row.locale,
        model=row.model,
        title=row.title,
        created_at=row.created_at,
        last_activity_at=row.last_activity_at,
        last_seq=row.last_seq,
        notice_at=row.notice_at,
        risk=SessionRisk(
            level=row.risk_level,
            category=row.risk_category,
            score=row.risk_score,
            calm_turns=row.risk_calm_turns,
            stressor=row.risk_stressor,
        ),
        style=row.style,
        remember=row.remember,
    )


def _by_id(session_id: str) -> AnySelect:
    return select(*_COLUMNS).where(SessionRow.id == session_id)
