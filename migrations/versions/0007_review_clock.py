"""When a flag was answered and its clock began anew, notices to reviewers, messages that were missed.

Revision: 0007
Follows: 0006
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
CATEGORIES = (
    "'none', 'suicide', 'self_harm', 'abuse', 'child_safety', 'eating_disorder', "
    "'harm_to_others', 'psychosis', 'medical_emergency', 'substance', 'third_party'"
)


def upgrade() -> None:
    """Add columns and tables; flags with an outcome count as answered."""
    op.add_column("flags", sa.Column("answered_at", TIME))
    op.add_column("flags", sa.Column("restarted_at", TIME))
    op.execute("UPDATE flags SET answered_at = coalesce(closed_at, raised_at) WHERE outcome IS NOT NULL")
    _notices()
    _missed()


def downgrade() -> None:
    """Remove them with all rows."""
    op.drop_table("missed_messages")
    op.drop_table("flag_notices")
    op.drop_column("flags", "restarted_at")
    op.drop_column("flags", "answered_at")


def _refers(table: str, column: str, target: str, gone: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete=gone)


def _notices() -> None:
    op.create_table(
        "flag_notices",
        sa.Column("flag_id", ID, nullable=False),
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("told_for", TIME),
        sa.Column("reminded_for", TIME),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("flag_id", "channel", name="pk_flag_notices"),
        _refers("flag_notices", "flag_id", "flags"),
    )


def _missed() -> None:
    table = "missed_messages"
    op.create_table(
        table,
        sa.Column("message_id", ID, nullable=False),
        sa.Column("flag_id", ID, nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("category", sa.String(20), nullable=False),
        sa.Column("marked_by", ID),
        sa.Column("marked_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name=f"pk_{table}"),
        _refers(table, "message_id", "messages"),
        _refers(table, "flag_id", "flags"),
        _refers(table, "marked_by", "staff", "SET NULL"),
        sa.CheckConstraint("level BETWEEN 0 AND 3", name=op.f(f"ck_{table}_level_known")),
        sa.CheckConstraint(f"category IN ({CATEGORIES})", name=op.f(f"ck_{table}_category_known")),
    )
    for column in ("flag_id", "marked_by", "marked_at"):
        op.create_index(f"ix_{table}_{column}", table, [column])
