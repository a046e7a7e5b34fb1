"""Persons and their conversations.

Revision: 0001
Follows: nothing
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0001"
down_revision: str | None = None

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
JSON = sa.JSON().with_variant(JSONB(), "postgresql")
CATEGORIES = (
    "'none', 'suicide', 'self_harm', 'abuse', 'child_safety', 'eating_disorder', "
    "'harm_to_others', 'psychosis', 'medical_emergency', 'substance', 'third_party'"
)


def upgrade() -> None:
    """Make the tables, owners before what they own."""
    _persons()
    _sessions()
    _messages()
    _candidates()
    _risk_assessments()
    _referrals()


def downgrade() -> None:
    """Remove them with all rows."""
    for table in ("referrals", "risk_assessments", "candidates", "messages", "sessions", "persons"):
        op.drop_table(table)


def _owned_by(table: str, column: str, owner: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{owner}"
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=name, ondelete="CASCADE")


def _known(table: str, column: str, members: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} IN ({members})", name=op.f(f"ck_{table}_{column}_known"))


def _level(table: str, column: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} BETWEEN 0 AND 3", name=op.f(f"ck_{table}_{column}_known"))


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def _partial_index(name: str, table: str, column: str, condition: str, *, unique: bool) -> None:
    where = sa.text(condition)
    op.create_index(name, table, [column], unique=unique, sqlite_where=where, postgresql_where=where)


def _persons() -> None:
    op.create_table(
        "persons",
        sa.Column("id", ID, nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("country", sa.String(2)),
        sa.Column("timezone", sa.String(64)),
        sa.Column("consent", sa.Boolean(), nullable=False),
        sa.Column("consent_at", TIME),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("last_seen_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
    )
    _index("persons", "last_seen_at")


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("last_activity_at", TIME, nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("notice_at", TIME),
        sa.Column("risk_level", sa.SmallInteger(), nullable=False),
        sa.Column("risk_category", sa.String(20), nullable=False),
        sa.Column("risk_score", sa.Double(), nullable=False),
        sa.Column("risk_calm_turns", sa.Integer(), nullable=False),
        sa.Column("risk_stressor", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        _owned_by("sessions", "person_id", "persons"),
        _level("sessions", "risk_level"),
        _known("sessions", "risk_category", CATEGORIES),
    )
    _index("sessions", "person_id", "last_activity_at")
    _index("sessions", "last_activity_at")


def _messages() -> None:
    op.create_table(
        "messages",
        sa.Column("id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("status_at", TIME, nullable=False),
        sa.Column("error", sa.String(64)),
        sa.Column("source", sa.String(20)),
        sa.Column("model", sa.String(200)),
        sa.Column("reply_to", ID),
        sa.Column("client_key", sa.String(64)),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("superseded_at", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.UniqueConstraint("session_id", "seq", name="uq_messages_session_id_seq"),
        sa.UniqueConstraint("session_id", "client_key", name="uq_messages_session_id_client_key"),
        _owned_by("messages", "session_id", "sessions"),
        _owned_by("messages", "reply_to", "messages"),
        _known("messages", "role", "'user', 'assistant'"),
        _known("messages", "source", "'model', 'written', 'fallback'"),
        _known(
            "messages",
            "status",
            "'stored', 'answering', 'answered', 'stopped', 'failed', 'complete', 'blocked', 'fallback'",
        ),
    )
    _index("messages", "reply_to")
    _index("messages", "created_at")
    _partial_index(
        "uq_messages_active_reply",
        "messages",
        "reply_to",
        "reply_to IS NOT NULL AND superseded_at IS NULL AND status <> 'blocked'",
        unique=True,
    )
    _partial_index(
        "ix_messages_unanswered", "messages", "status_at", "status IN ('stored', 'answering')", unique=False
    )


def _candidates() -> None:
    op.create_table(
        "candidates",
        sa.Column("id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("user_message_id", ID, nullable=False),
        sa.Column("reply_message_id", ID),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Boolean(), nullable=False),
        sa.Column("reasoning", sa.Text()),
        sa.Column("finish_reason", sa.String(20), nullable=False),
        sa.Column("prompt_tokens", sa.Integer()),
        sa.Column("completion_tokens", sa.Integer()),
        sa.Column("latency_s", sa.Double()),
        sa.Column("tactic_counts", JSON, nullable=False),
        sa.Column("sentence_tactics", JSON, nullable=False),
        sa.Column("quality", sa.Double()),
        sa.Column("novelty", sa.Double()),
        sa.Column("similarity", sa.Double()),
        sa.Column("score", sa.Double()),
        sa.Column("rank", sa.Integer()),
        sa.Column("penalties", JSON, nullable=False),
        sa.Column("blocked", sa.Text()),
        sa.Column("explanation", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_candidates"),
        _owned_by("candidates", "session_id", "sessions"),
        _owned_by("candidates", "user_message_id", "messages"),
        _owned_by("candidates", "reply_message_id", "messages"),
        _known("candidates", "finish_reason", "'stop', 'length', 'aborted'"),
    )
    _index("candidates", "session_id")
    _index("candidates", "user_message_id")
    _index("candidates", "reply_message_id")
    _partial_index(
        "uq_candidates_chosen",
        "candidates",
        "reply_message_id",
        "chosen AND reply_message_id IS NOT NULL",
        unique=True,
    )


def _risk_assessments() -> None:
    op.create_table(
        "risk_assessments",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("category", sa.String(20), nullable=False),
        sa.Column("layer", sa.String(20), nullable=False),
        sa.Column("matches", JSON, nullable=False),
        sa.Column("failed_layers", JSON, nullable=False),
        sa.Column("session_level", sa.SmallInteger(), nullable=False),
        sa.Column("session_category", sa.String(20), nullable=False),
        sa.Column("session_score", sa.Double(), nullable=False),
        sa.Column("session_calm_turns", sa.Integer(), nullable=False),
        sa.Column("session_stressor", sa.Boolean(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_risk_assessments"),
        _owned_by("risk_assessments", "message_id", "messages"),
        _owned_by("risk_assessments", "session_id", "sessions"),
        _level("risk_assessments", "level"),
        _level("risk_assessments", "session_level"),
        _known("risk_assessments", "category", CATEGORIES),
        _known("risk_assessments", "session_category", CATEGORIES),
    )
    _index("risk_assessments", "message_id")
    _index("risk_assessments", "session_id", "created_at")
    _index("risk_assessments", "created_at", "level")


def _referrals() -> None:
    op.create_table(
        "referrals",
        sa.Column("id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("country", sa.String(2)),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("category", sa.String(20), nullable=False),
        sa.Column("line_names", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_referrals"),
        _owned_by("referrals", "session_id", "sessions"),
        _owned_by("referrals", "message_id", "messages"),
        _level("referrals", "level"),
        _known("referrals", "category", CATEGORIES),
    )
    _index("referrals", "session_id", "created_at")
    _index("referrals", "message_id")
    _index("referrals", "created_at")
