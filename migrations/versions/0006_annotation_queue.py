"""The annotation queue: a small row a reply that may be rated, so that the next one is found at once.

Revision: 0006
Follows: 0005
"""

from zlib import crc32

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
BATCH = 1000
TABLE = "annotation_queue"

# As of this revision; later changes of the rule are made by the code that keeps the queue.
FOUND = """
SELECT m.id, m.session_id, m.reply_to, m.created_at,
  (SELECT count(*) FROM feedback f WHERE f.message_id = m.id AND f.rater LIKE 'staff:%') AS ratings,
  (SELECT count(*) FROM rankings r
     WHERE r.user_message_id = m.reply_to AND r.rater LIKE 'staff:%') AS rankings,
  (SELECT count(DISTINCT c.text) FROM candidates c WHERE c.user_message_id = m.reply_to
     AND c.blocked IS NULL AND c.finish_reason = 'stop') AS different
FROM persons p JOIN sessions s ON s.person_id = p.id JOIN messages m ON m.session_id = s.id
WHERE p.consent AND m.role = 'assistant' AND m.status = 'complete' AND m.source = 'model'
  AND m.superseded_at IS NULL AND m.reply_to IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM flags g WHERE g.session_id = s.id)
  AND NOT EXISTS (SELECT 1 FROM risk_assessments a WHERE a.session_id = s.id AND a.level >= 2)
"""


def upgrade() -> None:
    """Make the table and put the replies into it that may be rated now."""
    queue = op.create_table(
        TABLE,
        sa.Column("message_id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("user_message_id", ID, nullable=False),
        sa.Column("draw", sa.SmallInteger(), nullable=False),
        sa.Column("ratings", sa.SmallInteger(), nullable=False),
        sa.Column("rankings", sa.SmallInteger()),
        sa.Column("rater", sa.String(64)),
        sa.Column("held_until", TIME),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name="pk_annotation_queue"),
        _refers("message_id", "messages"),
        _refers("session_id", "sessions"),
        _refers("user_message_id", "messages"),
    )
    for columns in (
        ("session_id",),
        ("user_message_id",),
        ("ratings", "created_at", "message_id"),
        ("ratings", "draw", "message_id"),
        ("rankings", "created_at", "message_id"),
        ("rankings", "draw", "message_id"),
    ):
        op.create_index(f"ix_{TABLE}_{'_'.join(columns)}", TABLE, list(columns))
    op.create_index("ix_feedback_rater_updated_at", "feedback", ["rater", "updated_at"])
    _fill(queue)


def downgrade() -> None:
    """Remove it; ratings and rankings stay."""
    op.drop_index("ix_feedback_rater_updated_at", "feedback")
    op.drop_table(TABLE)


def _refers(column: str, target: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{TABLE}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete="CASCADE")


def _fill(queue: sa.Table) -> None:
    ids = {"id": ID, "session_id": ID, "reply_to": ID, "created_at": TIME}
    found = sa.text(FOUND).columns(**ids, ratings=sa.Integer(), rankings=sa.Integer(), different=sa.Integer())
    # Read whole, then written: a connection has one open result at a time on some drivers.
    rows = op.get_bind().execute(found).all()
    for start in range(0, len(rows), BATCH):
        values = [
            {
                "message_id": row.id,
                "session_id": row.session_id,
                "user_message_id": row.reply_to,
                "draw": crc32(row.id.encode("ascii")) % 1000,
                "ratings": row.ratings,
                "rankings": row.rankings if row.different > 1 else None,
                "created_at": row.created_at,
            }
            for row in rows[start : start + BATCH]
        ]
        op.bulk_insert(queue, values)
