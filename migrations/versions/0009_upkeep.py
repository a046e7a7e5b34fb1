"""Ids of encryption keys in use, when regular jobs last ran, and when the research question was put.

Revision: 0009
Follows: 0008
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables and the column."""
    op.add_column("persons", sa.Column("consent_asked_at", TIME))
    op.create_table(
        "encryption_keys",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("first_used_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_encryption_keys"),
    )
    op.create_table(
        "job_runs",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("begun_at", TIME, nullable=False),
        sa.Column("finished_at", TIME),
        sa.PrimaryKeyConstraint("name", name="pk_job_runs"),
    )


def downgrade() -> None:
    """Remove them; text that is encrypted stays so, decrypt it first."""
    op.drop_table("job_runs")
    op.drop_table("encryption_keys")
    op.drop_column("persons", "consent_asked_at")
