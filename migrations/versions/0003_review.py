"""Flags with reviewers' notes, and ratings with their history.

Revision: 0003
Follows: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0003"
down_revision: str | None = "0002"

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
JSON = sa.JSON().with_variant(JSONB(), "postgresql")
CATEGORIES = (
    "'none', 'suicide', 'self_harm', 'abuse', 'child_safety', 'eating_disorder', "
    "'harm_to_others', 'psychosis', 'medical_emergency', 'substance', 'third_party'"
)


def upgrade() -> None:
    """Make the tables."""
    _flags()
    _flag_notes()
    _feedback()
    _feedback_history()


def downgrade() -> None:
    """Remove them with all rows."""
    for table in ("feedback_history", "feedback", "flag_notes", "flags"):
        op.drop_table(table)


def _refers(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete=ondelete)


def _known(table: str, column: str, members: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} IN ({members})", name=op.f(f"ck_{table}_{column}_known"))


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def _flags() -> None:
    op.create_table(
        "flags",
        sa.Column("id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("category", sa.String(20), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("outcome", sa.String(20)),
        sa.Column("assigned_to", ID),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("opened_at", TIME, nullable=False),
        sa.Column("raised_at", TIME, nullable=False),
        sa.Column("closed_at", TIME),
        sa.Column("closed_by", ID),
        sa.PrimaryKeyConstraint("id", name="pk_flags"),
        _refers("flags", "session_id", "sessions", "CASCADE"),
        _refers("flags", "message_id", "messages", "CASCADE"),
        _refers("flags", "assigned_to", "staff", "SET NULL"),
        _refers("flags", "closed_by", "staff", "SET NULL"),
        sa.CheckConstraint("level BETWEEN 0 AND 3", name=op.f("ck_flags_level_known")),
        _known("flags", "category", CATEGORIES),
        _known("flags", "status", "'open', 'closed'"),
        _known("flags", "outcome", "'true_alarm', 'false_alarm', 'escalated', 'needs_follow_up'"),
    )
    _index("flags", "session_id")
    _index("flags", "message_id")
    _index("flags", "assigned_to")
    _index("flags", "closed_by")
    _index("flags", "status", "level", "opened_at")
    _index("flags", "status", "closed_at")
    is_open = sa.text("status = 'open'")
    op.create_index(
        "uq_flags_open",
        "flags",
        ["session_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )


def _flag_notes() -> None:
    op.create_table(
        "flag_notes",
        sa.Column("id", ID, nullable=False),
        sa.Column("flag_id", ID, nullable=False),
        sa.Column("author_id", ID),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_flag_notes"),
        _refers("flag_notes", "flag_id", "flags", "CASCADE"),
        _refers("flag_notes", "author_id", "staff", "SET NULL"),
    )
    _index("flag_notes", "flag_id", "created_at")
    _index("flag_notes", "author_id")


def _feedback() -> None:
    op.create_table(
        "feedback",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("rater", sa.String(64), nullable=False),
        sa.Column("value", sa.SmallInteger(), nullable=False),
        sa.Column("reasons", JSON, nullable=False),
        sa.Column("comment", sa.Text()),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
        sa.UniqueConstraint("message_id", "rater", name="uq_feedback_message_id_rater"),
        _refers("feedback", "message_id", "messages", "CASCADE"),
        _refers("feedback", "session_id", "sessions", "CASCADE"),
        _known("feedback", "value", "-1, 1"),
    )
    _index("feedback", "session_id", "rater")
    _index("feedback", "updated_at")


def _feedback_history() -> None:
    op.create_table(
        "feedback_history",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("rater", sa.String(64), nullable=False),
        sa.Column("value", sa.SmallInteger()),
        sa.Column("reasons", JSON, nullable=False),
        sa.Column("comment", sa.Text()),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback_history"),
        _refers("feedback_history", "message_id", "messages", "CASCADE"),
        _known("feedback_history", "value", "-1, 1"),
    )
    _index("feedback_history", "message_id", "rater", "at")
