"""Which rows belong to a person: found by walking the foreign keys, so no table is forgotten."""

from collections.abc import AsyncGenerator, Iterator
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ColumnElement, Table, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.schema import METADATA

_ROOT = "persons"
_STAFF = "staff"
_RATER = "rater"
_INTERNAL = frozenset({"client_key"})
_AT_ONCE = 200


def owned_tables() -> list[Table]:
    """The tables whose rows belong to a person, ``persons`` first, owners before what they own."""
    return [table for table in METADATA.sorted_tables if _is_owned(table)]


def owned_rows(table: Table, person_id: str) -> ColumnElement[bool]:
    """The condition that picks a person's rows of one of the owned tables."""
    if table.name == _ROOT:
        return table.c.id == person_id
    column, parent = _way_up(table)
    return table.c[column].in_(select(parent.c.id).where(owned_rows(parent, person_id)))


async def count_owned(db: AsyncSession, person_id: str) -> dict[str, int]:
    """How many rows a person has, by table; empty if there is no such person."""
    counts: dict[str, int] = {}
    for table in owned_tables():
        query = select(func.count()).select_from(table).where(owned_rows(table, person_id))
        counts[str(table.name)] = (await db.execute(query)).scalar_one()
        if not counts[_ROOT]:
            return {}
    return counts


async def stream_owned(db: AsyncSession, person_id: str) -> AsyncGenerator[tuple[str, dict[str, Any]]]:
    """All rows of a person as JSON-ready dictionaries, with the table's name; few are in memory at once."""
    for table in owned_tables():
        query = select(table).where(owned_rows(table, person_id)).order_by(*_order(table))
        async for row in await db.stream(query.execution_options(yield_per=_AT_ONCE)):
            yield (
                str(table.name),
                {
                    str(column.name): _plain(table, column.name, value, person_id)
                    for column, value in zip(table.columns, row, strict=True)
                    if column.name not in _INTERNAL
                },
            )


async def export_owned(db: AsyncSession, person_id: str) -> dict[str, Any]:
    """All rows of a person, by table; empty if there is no such person."""
    exported: dict[str, Any] = {str(table.name): [] for table in owned_tables()}
    async for name, row in stream_owned(db, person_id):
        exported[name].append(row)
    return exported if exported[_ROOT] else {}


def _is_owned(table: Table) -> bool:
    return table.name == _ROOT or any(_is_owned(parent) for _, parent in _parents(table))


def _parents(table: Table) -> Iterator[tuple[str, Table]]:
    for constraint in table.foreign_key_constraints:
        parent = constraint.referred_table
        if constraint.ondelete == "CASCADE" and parent is not table:
            yield constraint.column_keys[0], parent


def _way_up(table: Table) -> tuple[str, Table]:
    """The reference that leads to ``persons`` in the fewest steps."""
    ways = [(column, parent) for column, parent in _parents(table) if _is_owned(parent)]
    return min(ways, key=lambda way: (_distance(way[1]), way[0]))


def _distance(table: Table) -> int:
    return 0 if table.name == _ROOT else 1 + _distance(_way_up(table)[1])


def _order(table: Table) -> list[ColumnElement[Any]]:
    names = ("session_id", "seq", "created_at", "opened_at", "at", "position", "id")
    return [table.c[name] for name in names if name in table.c]


def _plain(table: Table, column: str, value: Any, person_id: str) -> Any:
    if value is None:
        return None
    if column == _RATER:
        return "you" if person_id in value else _STAFF
    if any(key.column.table.name == _STAFF for key in table.c[column].foreign_keys):
        return _STAFF
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return getattr(value, "label", value.value)
    return value
