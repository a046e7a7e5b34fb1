"""Tables of persons and their conversations.

Everything here hangs on a person by foreign keys that cascade: deleting the row in ``persons``
leaves nothing of that person behind. Tables of the staff part are in :mod:`app.db.staff_tables`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, UniqueConstraint, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, level_range, one_of, owned_by, primary_key
from app.db.records import MessageRole, MessageStatus, ReplySource
from app.db.types import (
    Identifier,
    Level,
    PrivateText,
    StorableJson,
    StorableString,
    StorableText,
    UtcDateTime,
    short_enum,
)
from models.styles import Style
from safety.levels import RiskCategory, RiskLevel

_ACTIVE_REPLY = text("reply_to IS NOT NULL AND superseded_at IS NULL AND status <> 'blocked'")
IS_UNANSWERED = text("status IN ('stored', 'answering')")
_CHOSEN = text("chosen AND reply_message_id IS NOT NULL")


class PersonRow(Base):
    """An end user."""

    __tablename__ = "persons"

    id: Mapped[str] = primary_key()
    locale: Mapped[str] = mapped_column(StorableString(16))
    country: Mapped[str | None] = mapped_column(StorableString(2))
    timezone: Mapped[str | None] = mapped_column(StorableString(64))
    consent: Mapped[bool]
    consent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    consent_asked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SessionRow(Base):
    """A conversation; its risk columns are the SessionRisk after the newest message."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index(None, "person_id", "last_activity_at"),
        level_range("risk_level"),
        one_of("risk_category", RiskCategory),
    )

    id: Mapped[str] = primary_key()
    person_id: Mapped[str] = owned_by("persons.id")
    locale: Mapped[str] = mapped_column(StorableString(16))
    model: Mapped[str] = mapped_column(StorableString(200))
    title: Mapped[str | None] = mapped_column(PrivateText)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    last_activity_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    last_seq: Mapped[int]
    notice_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    risk_level: Mapped[RiskLevel] = mapped_column(Level)
    risk_category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory))
    risk_score: Mapped[float]
    risk_calm_turns: Mapped[int]
    risk_stressor: Mapped[bool]
    style: Mapped[Style] = mapped_column(short_enum(Style), server_default=text("'balanced'"))
    remember: Mapped[bool] = mapped_column(server_default=true())
    forgot_seq: Mapped[int] = mapped_column(server_default=text("0"))


class MessageRow(Base):
    """A message of a person or a reply; superseded rows stay, out of the history."""

    __tablename__ = "messages"
    __table_args__ = (
        UniqueConstraint("session_id", "seq"),
        UniqueConstraint("session_id", "client_key"),
        # A message has at most one reply that counts; a blocked one may stand beside it.
        Index(
            "uq_messages_active_reply",
            "reply_to",
            unique=True,
            sqlite_where=_ACTIVE_REPLY,
            postgresql_where=_ACTIVE_REPLY,
        ),
        Index(
            "ix_messages_unanswered", "status_at", sqlite_where=IS_UNANSWERED, postgresql_where=IS_UNANSWERED
        ),
        one_of("role", MessageRole),
        one_of("status", MessageStatus),
        one_of("source", ReplySource),
    )

    id: Mapped[str] = primary_key()
    session_id: Mapped[str] = owned_by("sessions.id")
    seq: Mapped[int]
    role: Mapped[MessageRole] = mapped_column(short_enum(MessageRole))
    text: Mapped[str] = mapped_column(PrivateText)
    status: Mapped[MessageStatus] = mapped_column(short_enum(MessageStatus))
    status_at: Mapped[datetime] = mapped_column(UtcDateTime)
    error: Mapped[str | None] = mapped_column(StorableString(64))
    source: Mapped[ReplySource | None] = mapped_column(short_enum(ReplySource))
    model: Mapped[str | None] = mapped_column(StorableString(200))
    reply_to: Mapped[str | None] = mapped_column(
        Identifier, ForeignKey("messages.id", ondelete="CASCADE"), index=True
    )
    client_key: Mapped[str | None] = mapped_column(StorableString(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    superseded_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    emotions: Mapped[Any] = mapped_column(StorableJson, nullable=True)
    style: Mapped[Style | None] = mapped_column(short_enum(Style))


class CandidateRow(Base):
    """A sampled reply with its tags and scores, chosen or not."""

    __tablename__ = "candidates"
    __table_args__ = (
        Index(
            "uq_candidates_chosen",
            "reply_message_id",
            unique=True,
            sqlite_where=_CHOSEN,
            postgresql_where=_CHOSEN,
        ),
        CheckConstraint("finish_reason IN ('stop', 'length', 'aborted')", name="finish_reason_known"),
    )

    id: Mapped[str] = primary_key()
    session_id: Mapped[str] = owned_by("sessions.id", index=True)
    user_message_id: Mapped[str] = owned_by("messages.id", index=True)
    reply_message_id: Mapped[str | None] = mapped_column(
        Identifier, ForeignKey("messages.id", ondelete="CASCADE"), index=True
    )
    position: Mapped[int]
    text: Mapped[str] = mapped_column(PrivateText)
    chosen: Mapped[bool]
    reasoning: Mapped[str | None] = mapped_column(PrivateText)
    finish_reason: Mapped[str] = mapped_column(StorableString(20))
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    latency_s: Mapped[float | None]
    tactic_counts: Mapped[Any] = mapped_column(StorableJson)
    sentence_tactics: Mapped[Any] = mapped_column(StorableJson)
    quality: Mapped[float | None]
    novelty: Mapped[float | None]
    similarity: Mapped[float | None]
    score: Mapped[float | None]
    rank: Mapped[int | None]
    penalties: Mapped[Any] = mapped_column(StorableJson)
    blocked: Mapped[str | None] = mapped_column(StorableText)
    explanation: Mapped[Any] = mapped_column(StorableJson)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class RiskAssessmentRow(Base):
    """The verdict on one message, and the session's state after it."""

    __tablename__ = "risk_assessments"
    __table_args__ = (
        Index(None, "session_id", "created_at"),
        Index(None, "created_at", "level"),
        level_range("level"),
        level_range("session_level"),
        one_of("category", RiskCategory),
        one_of("session_category", RiskCategory),
    )

    id: Mapped[str] = primary_key()
    message_id: Mapped[str] = owned_by("messages.id", index=True)
    session_id: Mapped[str] = owned_by("sessions.id")
    level: Mapped[RiskLevel] = mapped_column(Level)
    category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory))
    layer: Mapped[str] = mapped_column(StorableString(20))
    matches: Mapped[Any] = mapped_column(StorableJson)
    failed_layers: Mapped[Any] = mapped_column(StorableJson)
    session_level: Mapped[RiskLevel] = mapped_column(Level)
    session_category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory))
    session_score: Mapped[float]
    session_calm_turns: Mapped[int]
    session_stressor: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ReferralRow(Base):
    """Helplines that were rendered."""

    __tablename__ = "referrals"
    __table_args__ = (
        Index(None, "session_id", "created_at"),
        level_range("level"),
        one_of("category", RiskCategory),
    )

    id: Mapped[str] = primary_key()
    session_id: Mapped[str] = owned_by("sessions.id")
    message_id: Mapped[str] = owned_by("messages.id", index=True)
    country: Mapped[str | None] = mapped_column(StorableString(2))
    level: Mapped[RiskLevel] = mapped_column(Level)
    category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory))
    line_names: Mapped[Any] = mapped_column(StorableJson)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class ReferralCountRow(Base):
    """How many referrals a month had; nothing in it points to anybody, so no deletion reaches it."""

    __tablename__ = "referral_counts"
    __table_args__ = (level_range("level"), one_of("category", RiskCategory))

    month: Mapped[str] = mapped_column(StorableString(7), primary_key=True)
    country: Mapped[str] = mapped_column(StorableString(2), primary_key=True)
    level: Mapped[RiskLevel] = mapped_column(Level, primary_key=True)
    category: Mapped[RiskCategory] = mapped_column(short_enum(RiskCategory), primary_key=True)
    count: Mapped[int] = mapped_column(Integer)
