"""Scores of measures and rankings of candidates, each with its history.

Revision: 0005
Follows: 0004
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0005"
down_revision: str | None = "0004"

ID = sa.Uuid(as_uuid=False)
TIME = sa.DateTime(timezone=True)
JSON = sa.JSON().with_variant(JSONB(), "postgresql")
RATER = sa.String(64)
MEASURE = sa.String(48)


def upgrade() -> None:
    """Make the tables."""
    _scores()
    _score_history()
    _rankings()
    _ranking_places()
    _ranking_history()


def downgrade() -> None:
    """Remove them with all rows."""
    for table in ("ranking_history", "ranking_places", "rankings", "score_history", "scores"):
        op.drop_table(table)


def _refers(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete="CASCADE")


def _within(table: str, column: str, least: int, most: int) -> sa.CheckConstraint:
    condition = f"{column} BETWEEN {least} AND {most}"
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{column}_known"))


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def _scores() -> None:
    op.create_table(
        "scores",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("rater", RATER, nullable=False),
        sa.Column("measure", MEASURE, nullable=False),
        sa.Column("value", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_scores"),
        _refers("scores", "message_id", "messages"),
        _refers("scores", "session_id", "sessions"),
        sa.UniqueConstraint("message_id", "rater", "measure", name="uq_scores_message_id_rater_measure"),
        _within("scores", "value", 0, 5),
    )
    _index("scores", "session_id")
    _index("scores", "rater", "message_id")
    _index("scores", "measure", "updated_at")


def _score_history() -> None:
    op.create_table(
        "score_history",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("rater", RATER, nullable=False),
        sa.Column("measure", MEASURE, nullable=False),
        sa.Column("value", sa.SmallInteger()),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_score_history"),
        _refers("score_history", "message_id", "messages"),
        _within("score_history", "value", 0, 5),
    )
    _index("score_history", "message_id", "rater", "at")


def _rankings() -> None:
    op.create_table(
        "rankings",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_message_id", ID, nullable=False),
        sa.Column("session_id", ID, nullable=False),
        sa.Column("rater", RATER, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rankings"),
        _refers("rankings", "user_message_id", "messages"),
        _refers("rankings", "session_id", "sessions"),
        sa.UniqueConstraint("user_message_id", "rater", name="uq_rankings_user_message_id_rater"),
    )
    _index("rankings", "session_id")
    _index("rankings", "rater", "updated_at")
    _index("rankings", "updated_at")


def _ranking_places() -> None:
    op.create_table(
        "ranking_places",
        sa.Column("ranking_id", ID, nullable=False),
        sa.Column("candidate_id", ID, nullable=False),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("ranking_id", "candidate_id", name="pk_ranking_places"),
        _refers("ranking_places", "ranking_id", "rankings"),
        _refers("ranking_places", "candidate_id", "candidates"),
        _within("ranking_places", "place", 1, 64),
    )
    _index("ranking_places", "candidate_id")


def _ranking_history() -> None:
    op.create_table(
        "ranking_history",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_message_id", ID, nullable=False),
        sa.Column("rater", RATER, nullable=False),
        sa.Column("places", JSON, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ranking_history"),
        _refers("ranking_history", "user_message_id", "messages"),
    )
    _index("ranking_history", "user_message_id", "rater", "at")
