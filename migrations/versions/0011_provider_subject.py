"""Which user of a sign-in provider a staff account belongs to.

Revision: 0011
Follows: 0010
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0011"
down_revision: str | None = "0010"


def upgrade() -> None:
    """Add the column; accounts from before are bound at their next sign-in by the provider."""
    op.add_column("staff", sa.Column("provider_subject", sa.String(512)))
    op.create_index("ix_staff_provider_subject", "staff", ["provider_subject"], unique=True)


def downgrade() -> None:
    """Remove it; accounts are found by name alone then."""
    op.drop_index("ix_staff_provider_subject", "staff")
    op.drop_column("staff", "provider_subject")
