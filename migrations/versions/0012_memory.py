"""The style and the memory of a conversation.

Revision: 0012
Follows: 0011
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
KINDS = ("name", "request", "person", "pet", "life", "event", "detail")


def upgrade() -> None:
    """Add columns and table; conversations from before are balanced and begin to remember now."""
    op.add_column(
        "sessions", sa.Column("style", sa.String(20), nullable=False, server_default=sa.text("'balanced'"))
    )
    op.add_column("sessions", sa.Column("remember", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column(
        "sessions", sa.Column("forgot_seq", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    op.add_column("messages", sa.Column("style", sa.String(20)))
    op.create_table(
        "facts",
        sa.Column("id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("edited_at", TIME),
        sa.Column("forgotten_at", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_facts"),
        _refers("session_id", "sessions"),
        _refers("message_id", "messages"),
        _check("kind", "kind IN ({})".format(", ".join(f"'{kind}'" for kind in KINDS))),
        _check("source", "source IN ('rules', 'model')"),
        _check("level", "level BETWEEN 0 AND 3"),
    )
    op.create_index("ix_facts_session_id_created_at", "facts", ["session_id", "created_at"])
    op.create_index("ix_facts_message_id", "facts", ["message_id"])


def downgrade() -> None:
    """Remove them with all that was remembered."""
    op.drop_table("facts")
    op.drop_column("messages", "style")
    for column in ("forgot_seq", "remember", "style"):
        op.drop_column("sessions", column)


def _refers(column: str, target: str) -> sa.ForeignKeyConstraint:
    name = f"fk_facts_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete="CASCADE")


def _check(column: str, condition: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_facts_{column}_known"))
