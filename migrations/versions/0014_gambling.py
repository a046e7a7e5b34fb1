"""A category for bets: what a conversation, a finding, a flag or a referral is about may be ``gambling``.

Revision: 0014
Follows: 0013
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"

BEFORE = (
    "'none', 'suicide', 'self_harm', 'abuse', 'child_safety', 'eating_disorder', "
    "'harm_to_others', 'psychosis', 'medical_emergency', 'substance', 'third_party'"
)
NOW = BEFORE.replace("'substance', ", "'substance', 'gambling', ")
COLUMNS = {
    "sessions": ("risk_category",),
    "risk_assessments": ("category", "session_category"),
    "referrals": ("category",),
    "flags": ("category",),
    "referral_counts": ("category",),
    "missed_messages": ("category",),
}


def upgrade() -> None:
    """Let the columns hold it; nothing that was counted before changes."""
    for table in COLUMNS:
        _allow(table, BEFORE, NOW)


def downgrade() -> None:
    """Count bets as substances, as before, and forbid the word."""
    _add_up_counts()
    for table, columns in COLUMNS.items():
        for column in columns:
            held = sa.table(table, sa.column(column, sa.String))
            op.execute(held.update().where(held.c[column] == "gambling").values({column: "substance"}))
        _allow(table, NOW, BEFORE)


def _add_up_counts() -> None:
    """A month, country and level has one row a category."""
    names = ("month", "country", "level", "category", "count")
    counts = sa.table("referral_counts", *(sa.column(name) for name in names))
    other = counts.alias("other")
    same = sa.and_(*(counts.c[name] == other.c[name] for name in ("month", "country", "level")))
    bets = sa.select(other.c["count"]).where(same, other.c.category == "gambling").scalar_subquery()
    op.execute(
        counts.update()
        .where(counts.c.category == "substance")
        .values(count=counts.c["count"] + sa.func.coalesce(bets, 0))
    )
    added = sa.exists().where(same, other.c.category == "substance")
    op.execute(counts.delete().where(counts.c.category == "gambling", added))


def _allow(table: str, before: str, now: str) -> None:
    if op.get_context().dialect.name == "sqlite":
        _rebuild(table, before, now)
        return
    for column in COLUMNS[table]:
        name = op.f(f"ck_{table}_{column}_known")
        op.drop_constraint(name, table, type_="check")
        op.create_check_constraint(name, table, f"{column} IN ({now})")


def _rebuild(table: str, before: str, now: str) -> None:
    """SQLite changes no CHECK: a table with the new one takes the rows, the indexes and the name.

    Raises:
        RuntimeError: The table is not as the migrations before this one made it.
    """
    made, indexes = _statements("table", table)[0], _statements("index", table)
    body = made.partition("(")[2]
    if body.count(f"({before})") != len(COLUMNS[table]):
        raise RuntimeError(f"the table {table} is not as it was made")
    op.execute(f"CREATE TABLE {table}_new ({body.replace(f'({before})', f'({now})')}")
    names = [column["name"] for column in sa.inspect(op.get_bind()).get_columns(table)]
    old, new = (sa.table(name, *(sa.column(one) for one in names)) for name in (table, f"{table}_new"))
    op.execute(new.insert().from_select(names, sa.select(*(old.c[name] for name in names))))
    op.drop_table(table)
    op.rename_table(f"{table}_new", table)
    for index in indexes:
        op.execute(index)


def _statements(kind: str, table: str) -> list[str]:
    """How SQLite made a table or its indexes; those of keys and unique columns come with the table."""
    known = sa.table("sqlite_master", *(sa.column(name) for name in ("type", "tbl_name", "sql")))
    wanted = sa.select(known.c.sql).where(
        known.c.type == kind, known.c.tbl_name == table, known.c.sql.is_not(None)
    )
    return [str(statement) for statement in op.get_bind().execute(wanted).scalars()]
