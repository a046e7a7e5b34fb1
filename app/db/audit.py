"""The audit log: who did what to which object, never what anybody wrote."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.audit_words import Action, DetailName
from app.db.repository import Repository, columns_of, insert_row
from app.db.staff_records import AuditEntry
from app.db.staff_tables import AuditRow
from app.db.types import new_id

Detail = Mapping[DetailName, str | int | float | bool | None]
"""What may be noted besides: flat values such as counts, names of settings and ids."""

_LONGEST_VALUE = 200
_FORBIDDEN = ("text", "password", "token", "secret", "comment", "content", "note")

_COLUMNS = columns_of(AuditEntry, AuditRow)


class AuditRepository(Repository):
    """Appends to and reads the audit log; the database itself refuses changes and deletions."""

    async def record(
        self,
        actor: str,
        action: Action,
        object_type: str,
        object_id: str | None = None,
        detail: Detail | None = None,
    ) -> AuditEntry:
        """Append a line.

        Args:
            actor: A staff account's id, ``person`` or ``system:`` and a job's name.
            action: Verb of the application, such as ``transcript.opened``; see ``app.db.audit_words``.
            object_type: Kind of object, such as ``session``.
            object_id: Its id.
            detail: Flat facts.

        Raises:
            ValueError: The detail has a name like ``text`` or ``password``, or a long value, which
                could be something a person wrote.
        """
        async with self._write() as db:
            return await append(db, self._now(), actor, action, object_type, object_id, detail)

    async def recent(
        self,
        limit: int = 100,
        *,
        actor: str | None = None,
        object_type: str | None = None,
        object_id: str | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[AuditEntry]:
        """Lines that fit all that is given, newest first; time and id of a page's last line page on."""
        query = select(*_COLUMNS).order_by(AuditRow.at.desc(), AuditRow.id).limit(limit)
        if actor is not None:
            query = query.where(AuditRow.actor == actor)
        if object_type is not None:
            query = query.where(AuditRow.object_type == object_type)
        if object_id is not None:
            query = query.where(AuditRow.object_id == object_id)
        if after is not None:
            at, line = after
            # The first comparison alone lets an index find the place.
            query = query.where(AuditRow.at <= at, or_(AuditRow.at < at, AuditRow.id > line))
        async with self._read() as db:
            return [AuditEntry(*row) for row in await db.execute(query)]


async def append(
    db: AsyncSession,
    at: datetime,
    actor: str,
    action: Action,
    object_type: str,
    object_id: str | None,
    detail: Detail | None,
) -> AuditEntry:
    """Append a line within a transaction that is under way; see :meth:`AuditRepository.record`."""
    facts: dict[str, object] = {} if detail is None else {str(name): detail[name] for name in detail}
    _refuse_texts(facts)
    values: dict[str, Any] = {
        "id": new_id(),
        "at": at,
        "actor": actor,
        "action": action,
        "object_type": object_type,
        "object_id": object_id,
        "detail": facts,
    }
    return AuditEntry(*await insert_row(db, AuditRow, values, _COLUMNS))


def _refuse_texts(detail: Mapping[str, object]) -> None:
    for name, value in detail.items():
        if any(word in name.casefold() for word in _FORBIDDEN):
            raise ValueError(f"the audit log takes no detail called {name!r}")
        if isinstance(value, str) and len(value) > _LONGEST_VALUE:
            raise ValueError(f"the detail {name!r} is too long for the audit log")
        if value is not None and not isinstance(value, str | int | float | bool):
            raise ValueError(f"the detail {name!r} is no flat value")
