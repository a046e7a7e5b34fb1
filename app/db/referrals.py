"""Referrals: which helplines a person was shown, and how many a month."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.records import Referral, ReferralCount
from app.db.repository import AnyRow, Repository, columns_of, insert_row, upsert_into
from app.db.sessions import lock_session
from app.db.tables import ReferralCountRow, ReferralRow
from app.db.types import new_id
from safety.levels import RiskCategory, RiskLevel

_COLUMNS = columns_of(Referral, ReferralRow)


class ReferralRepository(Repository):
    """All SQL about referrals."""

    async def add(
        self,
        session_id: str,
        message_id: str,
        country: str | None,
        level: RiskLevel,
        category: RiskCategory,
        line_names: Sequence[str],
    ) -> Referral:
        """Store that these helplines were rendered for a message.

        Raises:
            GoneError: The message or the conversation does not exist (any more).
        """
        values: dict[str, Any] = {
            "id": new_id(),
            "session_id": session_id,
            "message_id": message_id,
            "country": country,
            "level": level,
            "category": category,
            "line_names": list(line_names),
            "created_at": self._now(),
        }
        async with self._write() as db:
            await lock_session(db, session_id)
            await count_referral(db, values)
            return _referral(await insert_row(db, ReferralRow, values, _COLUMNS))

    async def last(self, session_id: str) -> Referral | None:
        """What this conversation was shown last."""
        query = (
            select(*_COLUMNS)
            .where(ReferralRow.session_id == session_id)
            .order_by(ReferralRow.created_at.desc(), ReferralRow.id)
            .limit(1)
        )
        async with self._read() as db:
            row = (await db.execute(query)).one_or_none()
        return None if row is None else _referral(row)

    async def for_session(self, session_id: str) -> list[Referral]:
        """All referrals of a conversation, oldest first; the page shows their cards again."""
        query = (
            select(*_COLUMNS)
            .where(ReferralRow.session_id == session_id)
            .order_by(ReferralRow.created_at, ReferralRow.id)
        )
        async with self._read() as db:
            return [_referral(row) for row in await db.execute(query)]

    async def count_by_month(self) -> list[ReferralCount]:
        """Referrals by month (UTC), country, level and category, oldest first, deleted ones included."""
        row = ReferralCountRow
        query = select(row.month, row.country, row.level, row.category, row.count).order_by(
            row.month, row.country, row.level, row.category
        )
        async with self._read() as db:
            return [
                ReferralCount(month, country or None, level, category, count)
                for month, country, level, category, count in await db.execute(query)
            ]


async def count_referral(db: AsyncSession, referral: Mapping[str, Any]) -> None:
    """Add one to the month's count, in the transaction that stores the referral."""
    values = {
        "month": referral["created_at"].strftime("%Y-%m"),
        # NULL would make every row of a key different from every other.
        "country": referral["country"] or "",
        "level": referral["level"],
        "category": referral["category"],
    }
    adding = upsert_into(db, ReferralCountRow).values(values | {"count": 1})
    more = {"count": ReferralCountRow.count + 1}
    await db.execute(adding.on_conflict_do_update(index_elements=list(values), set_=more))


def _referral(row: AnyRow) -> Referral:
    return Referral(
        id=row.id,
        session_id=row.session_id,
        message_id=row.message_id,
        country=row.country,
        level=row.level,
        category=row.category,
        line_names=tuple(row.line_names),
        created_at=row.created_at,
    )
