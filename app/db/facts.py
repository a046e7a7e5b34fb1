"""What is remembered of a conversation: noted once a message, changed and deleted by the person alone."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import CursorResult, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.memory_records import Fact, FactSource
from app.db.memory_tables import FactRow
from app.db.repository import AnyRow, Repository, columns_of
from app.db.sessions import lock_session
from app.db.tables import MessageRow, SessionRow
from app.db.types import new_id
from models.facts import FactKind, FoundFact, same_words
from safety.levels import RiskLevel

_COLUMNS = columns_of(Fact, FactRow)
_LASTING = frozenset({FactKind.NAME, FactKind.REQUEST})
"""Kinds that do not make room for newer facts."""


class FactRepository(Repository):
    """All SQL about facts."""

    async def note(
        self,
        message_id: str,
        found: Sequence[FoundFact],
        source: FactSource,
        level: RiskLevel,
        limit: int,
    ) -> int:
        """Add what was found in a message, unless the person has said otherwise.

        Nothing is added when the conversation is not to be remembered, when the same source has read the
        message before, or when the person changed or deleted anything that came from it. What is known
        already is left out, a newer name takes the place of the older one.

        Args:
            message_id: The message.
            found: The facts, in the order in which they stand there.
            source: What found them.
            level: Risk level of the message.
            limit: Most facts of a conversation; the oldest untouched ones make room.

        Returns:
            How many were added.

        Raises:
            GoneError: The conversation does not exist (any more).
        """
        async with self._write() as db:
            place = await self._place(db, message_id)
            if place is None:
                return 0
            await lock_session(db, place.session_id)
            rows = (await db.execute(_of_session(place.session_id))).all()
            before = [row for row in rows if row.message_id == message_id]
            if _is_settled(before, source):
                return 0
            kept = [row for row in rows if row.text is not None]
            new = _unknown(found, [row.text for row in kept])
            await _make_room(db, kept, new, limit)
            for position, fact in enumerate(new, start=len(before)):
                values = {
                    "id": new_id(),
                    "session_id": place.session_id,
                    "message_id": message_id,
                    "position": position,
                    "kind": fact.kind,
                    "text": fact.text,
                    "source": source,
                    "level": level,
                    "created_at": self._now(),
                }
                await db.execute(insert(FactRow).values(values))
            return len(new)

    async def of_session(self, session_id: str) -> list[Fact]:
        """What is remembered, oldest first.

        What stood in a message that was replaced since is left out, unless the person changed it.
        """
        query = (
            select(*_COLUMNS)
            .join(MessageRow, MessageRow.id == FactRow.message_id)
            .where(
                FactRow.session_id == session_id,
                FactRow.forgotten_at.is_(None),
                or_(MessageRow.superseded_at.is_(None), FactRow.edited_at.is_not(None)),
            )
            .order_by(FactRow.created_at, FactRow.position, FactRow.id)
        )
        async with self._read() as db:
            return [Fact(*row) for row in await db.execute(query)]

    async def change(self, session_id: str, fact_id: str, text: str) -> bool:
        """Put the person's own wording in place of a fact. False if there is no such fact."""
        return await self._alter(session_id, fact_id, text=text, edited_at=self._now())

    async def forget(self, session_id: str, fact_id: str) -> bool:
        """Delete a fact's text; its place stays, so that it is not found again. False if there is none."""
        return await self._alter(session_id, fact_id, text=None, forgotten_at=self._now())

    async def drop(self, message_id: str) -> None:
        """Delete what was found in a message; what the person made of it stays."""
        async with self._erase() as db:
            await db.execute(
                delete(FactRow).where(
                    FactRow.message_id == message_id,
                    FactRow.edited_at.is_(None),
                    FactRow.forgotten_at.is_(None),
                )
            )

    async def forget_all(self, session_id: str) -> None:
        """Delete all facts; nothing that was written so far is read for facts again."""
        async with self._erase() as db:
            await lock_session(db, session_id)
            await db.execute(delete(FactRow).where(FactRow.session_id == session_id))
            await db.execute(
                update(SessionRow).where(SessionRow.id == session_id).values(forgot_seq=SessionRow.last_seq)
            )

    async def _place(self, db: AsyncSession, message_id: str) -> AnyRow | None:
        """The conversation of a message that is to be remembered."""
        query = (
            select(SessionRow.id.label("session_id"))
            .join(MessageRow, MessageRow.session_id == SessionRow.id)
            .where(
                MessageRow.id == message_id,
                SessionRow.remember.is_(True),
                MessageRow.seq > SessionRow.forgot_seq,
            )
        )
        return (await db.execute(query)).one_or_none()

    async def _alter(self, session_id: str, fact_id: str, **values: Any) -> bool:
        statement = (
            update(FactRow)
            .where(FactRow.id == fact_id, FactRow.session_id == session_id, FactRow.forgotten_at.is_(None))
            .values(values)
        )
        async with self._erase() as db:
            return cast("CursorResult[Any]", await db.execute(statement)).rowcount > 0


def _of_session(session_id: str) -> Any:
    columns = (
        FactRow.id,
        FactRow.message_id,
        FactRow.kind,
        FactRow.text,
        FactRow.source,
        FactRow.edited_at,
        FactRow.forgotten_at,
    )
    return (
        select(*columns)
        .where(FactRow.session_id == session_id)
        .order_by(FactRow.created_at, FactRow.position)
    )


def _is_settled(of_message: Sequence[AnyRow], source: FactSource) -> bool:
    """Whether a message was read by this source, or its facts are the person's own business by now."""
    return any(
        row.source == source or row.edited_at is not None or row.forgotten_at is not None
        for row in of_message
    )


def _unknown(found: Sequence[FoundFact], known: Sequence[str]) -> list[FoundFact]:
    new: list[FoundFact] = []
    for fact in found:
        if not any(same_words(fact.text, text) for text in (*known, *(one.text for one in new))):
            new.append(fact)
    return new


async def _make_room(db: AsyncSession, kept: Sequence[AnyRow], new: Sequence[FoundFact], limit: int) -> None:
    """Delete what a newer fact replaces, and the oldest facts beyond the limit."""
    named = any(fact.kind is FactKind.NAME for fact in new)
    untouched = [row for row in kept if row.edited_at is None]
    gone = [row.id for row in untouched if named and row.kind is FactKind.NAME]
    over = len(kept) - len(gone) + len(new) - limit
    spare = [row.id for row in untouched if row.kind not in _LASTING]
    gone += spare[: max(over, 0)]
    if gone:
        await db.execute(delete(FactRow).where(FactRow.id.in_(gone)))
