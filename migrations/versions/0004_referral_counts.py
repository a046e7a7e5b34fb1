"""Counts of referrals by month, which outlive the conversations.

Revision: 0004
Follows: 0003
"""

from collections import Counter
from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"

TABLE = "referral_counts"
CATEGORIES = (
    "'none', 'suicide', 'self_harm', 'abuse', 'child_safety', 'eating_disorder', "
    "'harm_to_others', 'psychosis', 'medical_emergency', 'substance', 'third_party'"
)


def upgrade() -> None:
    """Make the table and count what is there."""
    table = op.create_table(
        TABLE,
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("country", sa.String(2), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("category", sa.String(20), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("month", "country", "level", "category", name=f"pk_{TABLE}"),
        sa.CheckConstraint("level BETWEEN 0 AND 3", name=op.f(f"ck_{TABLE}_level_known")),
        sa.CheckConstraint(f"category IN ({CATEGORIES})", name=op.f(f"ck_{TABLE}_category_known")),
    )
    rows = op.get_bind().execute(sa.text("SELECT created_at, country, level, category FROM referrals"))
    counts = Counter((_month(at), country or "", level, category) for at, country, level, category in rows)
    if counts:
        names = ("month", "country", "level", "category")
        op.bulk_insert(
            table, [{**dict(zip(names, key, strict=True)), "count": n} for key, n in counts.items()]
        )


def downgrade() -> None:
    """Remove it."""
    op.drop_table(TABLE)


def _month(at: datetime | str) -> str:
    """SQLite gives text, PostgreSQL a moment."""
    return at[:7] if isinstance(at, str) else at.strftime("%Y-%m")
