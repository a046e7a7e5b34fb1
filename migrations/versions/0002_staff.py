"""Staff accounts, their browser sessions, and an audit log that only grows.

Revision: 0002
Follows: 0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0002"
down_revision: str | None = "0001"

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
JSON = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    """Make the tables, then lock the audit log."""
    _staff()
    _audit_log()
    if op.get_context().dialect.name == "postgresql":
        _lock_on_postgresql()
    else:
        _lock_on_sqlite()


def downgrade() -> None:
    """Remove them with all rows; triggers go with their table."""
    for table in ("audit_log", "staff_sessions", "staff"):
        op.drop_table(table)
    if op.get_context().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_log_only_grows()")


def _staff() -> None:
    op.create_table(
        "staff",
        sa.Column("id", ID, nullable=False),
        sa.Column("username", sa.String(254), nullable=False),
        sa.Column("password_hash", sa.String(255)),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("disabled_at", TIME),
        sa.Column("failed_logins", sa.Integer(), nullable=False),
        sa.Column("locked_until", TIME),
        sa.Column("session_epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_staff"),
        sa.UniqueConstraint("username", name="uq_staff_username"),
        sa.CheckConstraint("role IN ('annotator', 'admin')", name=op.f("ck_staff_role_known")),
    )
    op.create_table(
        "staff_sessions",
        sa.Column("id", ID, nullable=False),
        sa.Column("staff_id", ID, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("last_seen_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_staff_sessions"),
        sa.UniqueConstraint("token_hash", name="uq_staff_sessions_token_hash"),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name="fk_staff_sessions_staff_id_staff", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_staff_sessions_staff_id", "staff_sessions", ["staff_id"])
    op.create_index("ix_staff_sessions_expires_at", "staff_sessions", ["expires_at"])


def _audit_log() -> None:
    op.create_table(
        "audit_log",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("actor", sa.String(64), nullable=False),
        sa.Column("action", sa.String(64), nullable=False),
        sa.Column("object_type", sa.String(32), nullable=False),
        sa.Column("object_id", sa.String(64)),
        sa.Column("detail", JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_at", "audit_log", ["at"])
    op.create_index("ix_audit_log_actor_at", "audit_log", ["actor", "at"])
    op.create_index("ix_audit_log_object_type_object_id_at", "audit_log", ["object_type", "object_id", "at"])


def _lock_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION audit_log_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit log only grows'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_log_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_log_only_grows()"
    )


def _lock_on_sqlite() -> None:
    for action in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_log_no_{action.lower()} BEFORE {action} ON audit_log "
            "BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END"
        )
