"""Tables of what annotators say beyond thumbs: scores of measures, and rankings of candidates.

A measure is a row of its own, so that two windows that change different measures of one reply
never overwrite each other.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, owned_by, primary_key
from app.db.types import Identifier, StorableJson, StorableString, UtcDateTime


class ScoreRow(Base):
    """The present value of one measure of a reply by one rater."""

    __tablename__ = "scores"
    __table_args__ = (
        UniqueConstraint("message_id", "rater", "measure"),
        Index(None, "rater", "message_id"),
        Index(None, "measure", "updated_at"),
        CheckConstraint("value BETWEEN 0 AND 5", name="value_known"),
    )

    id: Mapped[str] = primary_key()
    message_id: Mapped[str] = owned_by("messages.id")
    session_id: Mapped[str] = owned_by("sessions.id", index=True)
    rater: Mapped[str] = mapped_column(StorableString(64))
    measure: Mapped[str] = mapped_column(StorableString(48))
    value: Mapped[int] = mapped_column(SmallInteger)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ScoreHistoryRow(Base):
    """Every value a score has had; NULL where it was taken back."""

    __tablename__ = "score_history"
    __table_args__ = (
        Index(None, "message_id", "rater", "at"),
        CheckConstraint("value BETWEEN 0 AND 5", name="value_known"),
    )

    id: Mapped[str] = primary_key()
    message_id: Mapped[str] = owned_by("messages.id")
    rater: Mapped[str] = mapped_column(StorableString(64))
    measure: Mapped[str] = mapped_column(StorableString(48))
    value: Mapped[int | None] = mapped_column(SmallInteger)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class RankingRow(Base):
    """The present ranking of a turn's candidates by one rater."""

    __tablename__ = "rankings"
    __table_args__ = (
        UniqueConstraint("user_message_id", "rater"),
        Index(None, "rater", "updated_at"),
        Index(None, "updated_at"),
    )

    id: Mapped[str] = primary_key()
    user_message_id: Mapped[str] = owned_by("messages.id")
    session_id: Mapped[str] = owned_by("sessions.id", index=True)
    rater: Mapped[str] = mapped_column(StorableString(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class RankingPlaceRow(Base):
    """The place of one candidate in a ranking: 1 is the best, equal numbers are a tie."""

    __tablename__ = "ranking_places"
    __table_args__ = (CheckConstraint("place BETWEEN 1 AND 64", name="place_known"),)

    ranking_id: Mapped[str] = mapped_column(
        Identifier, ForeignKey("rankings.id", ondelete="CASCADE"), primary_key=True
    )
    candidate_id: Mapped[str] = mapped_column(
        Identifier, ForeignKey("candidates.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    place: Mapped[int] = mapped_column(SmallInteger)


class RankingHistoryRow(Base):
    """Every state a ranking has had: places by candidate id, empty where it was taken back."""

    __tablename__ = "ranking_history"
    __table_args__ = (Index(None, "user_message_id", "rater", "at"),)

    id: Mapped[str] = primary_key()
    user_message_id: Mapped[str] = owned_by("messages.id")
    rater: Mapped[str] = mapped_column(StorableString(64))
    places: Mapped[Any] = mapped_column(StorableJson)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class AnnotationQueueRow(Base):
    """A reply that staff may rate and whose turn they may rank, in a small table that is read fast.

    A row says only that the reply could be rated when it came in; whether it still may is asked again
    each time. ``draw`` decides who else sees it: a number of 0–999 that follows from the reply's id.
    """

    __tablename__ = "annotation_queue"
    __table_args__ = (
        Index(None, "ratings", "created_at", "message_id"),
        Index(None, "ratings", "draw", "message_id"),
        Index(None, "rankings", "created_at", "message_id"),
        Index(None, "rankings", "draw", "message_id"),
    )

    message_id: Mapped[str] = mapped_column(
        Identifier, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True
    )
    session_id: Mapped[str] = owned_by("sessions.id", index=True)
    user_message_id: Mapped[str] = owned_by("messages.id", index=True)
    draw: Mapped[int] = mapped_column(SmallInteger)
    ratings: Mapped[int] = mapped_column(SmallInteger)
    # NULL where the turn has not two different candidates to rank.
    rankings: Mapped[int | None] = mapped_column(SmallInteger)
    # Who has it on the screen, and until when nobody else is given it.
    rater: Mapped[str | None] = mapped_column(StorableString(64))
    held_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
