"""What was read in a person's message: its likeliest emotions.

Revision: 0010
Follows: 0009
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0010"
down_revision: str | None = "0009"


def upgrade() -> None:
    """Add the column; messages from before have none."""
    op.add_column("messages", sa.Column("emotions", sa.JSON().with_variant(JSONB(), "postgresql")))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("messages", "emotions")
