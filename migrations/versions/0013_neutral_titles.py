"""Titles of conversations are names that persons gave them, no longer the first words they wrote.

Revision: 0013
Follows: 0012
"""

from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"


def upgrade() -> None:
    """Take away the titles there are: all of them were made from first messages."""
    op.execute("UPDATE sessions SET title = NULL")


def downgrade() -> None:
    """Nothing to do: code from before gives titles anew with the next messages, and shows names as titles."""
