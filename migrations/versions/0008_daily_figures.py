"""Figures by day for the insights page, and the indexes by which they are counted.

Revision: 0008
Follows: 0007
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"

TABLE = "daily_figures"
COUNTED_BY = (
    ("sessions", "created_at"),
    ("candidates", "created_at"),
    ("feedback", "created_at"),
    ("flags", "opened_at"),
)


def upgrade() -> None:
    """Make the table and the indexes; the job of the application fills it."""
    key = ("day", "figure", "part", "model", "language")
    op.create_table(
        TABLE,
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("figure", sa.String(24), nullable=False),
        sa.Column("part", sa.String(64), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("week", sa.String(10), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=False),
        sa.Column("basis", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(*key, name=f"pk_{TABLE}"),
    )
    op.create_index(f"ix_{TABLE}_figure_model_language", TABLE, ["figure", "model", "language"])
    for table, column in COUNTED_BY:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    """Remove them with all figures."""
    for table, column in reversed(COUNTED_BY):
        op.drop_index(f"ix_{table}_{column}", table)
    op.drop_table(TABLE)
