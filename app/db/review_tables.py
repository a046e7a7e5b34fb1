"""Tables of what people say about conversations: flags, reviewers' notes and ratings."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, level_range, one_of, owned_by, primary_key
from app.db.review_records import FlagOutcome, FlagStatus
from app.db.types import (
    Identifier,
    Level,
    PrivateText,
    StorableJson,
    StorableString,
    UtcDateTime,
    short_enum,
)
from safety.levels import RiskCategory, RiskLevel

IS_OPEN = text("status = 'open'")


class FlagRow(Base):
    """A session that waits for a reviewer, or was reviewed."""

    __tablename__ = "flags"
    __table_args__ = (
        Index("uq_flags_open", "session_id", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
        Index(None, "status", "level", "opened_at"),
        Index(None, "status", "closed_at"),
        Index(None, "opened_at"),
        level_range("level"),
        one_of("category", RiskCategory),
        one_of("status", FlagStatus),
        one_of("outcome", FlagOutcome),
    )

    id: Mapped[str] = primary_key()
    session_id: Mapped[str] = owned_by("sessions.id", index=True)
    message_id: Mapped[str] = owned_by("messages.id", index=True)
    level: Mapped[RiskLevel] = mapped_column(Level)
    category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory))
    status: Mapped[FlagStatus] = mapped_column(short_enum(FlagStatus))
    outcome: Mapped[FlagOutcome | None] = mapped_column(short_enum(FlagOutcome))
    assigned_to: Mapped[str | None] = mapped_column(
        Identifier, ForeignKey("staff.id", ondelete="SET NULL"), index=True
    )
    hits: Mapped[int]
    version: Mapped[int]
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime)
    raised_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    closed_by: Mapped[str | None] = mapped_column(
        Identifier, ForeignKey("staff.id", ondelete="SET NULL"), index=True
    )
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    restarted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class FlagNoticeRow(Base):
    """How far one channel has told reviewers of a flag; a moment names the clock it was told for."""

    __tablename__ = "flag_notices"

    flag_id: Mapped[str] = mapped_column(
        Identifier, ForeignKey("flags.id", ondelete="CASCADE"), primary_key=True
    )
    channel: Mapped[str] = mapped_column(StorableString(16), primary_key=True)
    told_for: Mapped[datetime | None] = mapped_column(UtcDateTime)
    reminded_for: Mapped[datetime | None] = mapped_column(UtcDateTime)
    attempts: Mapped[int]
    next_try_at: Mapped[datetime] = mapped_column(UtcDateTime)


class MissedMessageRow(Base):
    """A message whose danger the crisis layers did not see as it was, found by a reviewer."""

    __tablename__ = "missed_messages"
    __table_args__ = (
        Index(None, "marked_at"),
        level_range("level"),
        one_of("category", RiskCategory),
    )

    message_id: Mapped[str] = mapped_column(
        Identifier, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True
    )
    flag_id: Mapped[str] = owned_by("flags.id", index=True)
    level: Mapped[RiskLevel] = mapped_column(Level)
    category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory))
    marked_by: Mapped[str | None] = mapped_column(
        Identifier, ForeignKey("staff.id", ondelete="SET NULL"), index=True
    )
    marked_at: Mapped[datetime] = mapped_column(UtcDateTime)


class FlagNoteRow(Base):
    """A reviewer's note."""

    __tablename__ = "flag_notes"
    __table_args__ = (Index(None, "flag_id", "created_at"),)

    id: Mapped[str] = primary_key()
    flag_id: Mapped[str] = owned_by("flags.id")
    author_id: Mapped[str | None] = mapped_column(
        Identifier, ForeignKey("staff.id", ondelete="SET NULL"), index=True
    )
    text: Mapped[str] = mapped_column(PrivateText)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class FeedbackRow(Base):
    """The present rating of a message by one rater."""

    __tablename__ = "feedback"
    __table_args__ = (
        UniqueConstraint("message_id", "rater"),
        Index(None, "session_id", "rater"),
        Index(None, "updated_at"),
        Index(None, "created_at"),
        Index(None, "rater", "updated_at"),
        CheckConstraint("value IN (-1, 1)", name="value_known"),
    )

    id: Mapped[str] = primary_key()
    message_id: Mapped[str] = owned_by("messages.id")
    session_id: Mapped[str] = owned_by("sessions.id")
    rater: Mapped[str] = mapped_column(StorableString(64))
    value: Mapped[int] = mapped_column(SmallInteger)
    reasons: Mapped[Any] = mapped_column(StorableJson)
    comment: Mapped[str | None] = mapped_column(PrivateText)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class FeedbackHistoryRow(Base):
    """Every state a rating has had; ``value`` is NULL where it was taken back."""

    __tablename__ = "feedback_history"
    __table_args__ = (
        Index(None, "message_id", "rater", "at"),
        CheckConstraint("value IN (-1, 1)", name="value_known"),
    )

    id: Mapped[str] = primary_key()
    message_id: Mapped[str] = owned_by("messages.id")
    rater: Mapped[str] = mapped_column(StorableString(64))
    value: Mapped[int | None] = mapped_column(SmallInteger)
    reasons: Mapped[Any] = mapped_column(StorableJson)
    comment: Mapped[str | None] = mapped_column(PrivateText)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
