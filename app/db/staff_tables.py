"""Tables of staff accounts, their browser sessions, and the audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, one_of, owned_by, primary_key
from app.db.staff_records import StaffRole
from app.db.types import StorableJson, StorableString, UtcDateTime, short_enum


class StaffRow(Base):
    """A staff account; the user name is stored in lower case and may be an e-mail address."""

    __tablename__ = "staff"
    __table_args__ = (Index(None, "provider_subject", unique=True), one_of("role", StaffRole))

    id: Mapped[str] = primary_key()
    username: Mapped[str] = mapped_column(StorableString(254), unique=True)
    password_hash: Mapped[str | None] = mapped_column(StorableString(255))
    role: Mapped[StaffRole] = mapped_column(short_enum(StaffRole))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    disabled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    failed_logins: Mapped[int]
    locked_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    session_epoch: Mapped[int]
    provider_subject: Mapped[str | None] = mapped_column(StorableString(512))


class StaffSessionRow(Base):
    """A signed-in browser, by the SHA-256 of its token."""

    __tablename__ = "staff_sessions"

    id: Mapped[str] = primary_key()
    staff_id: Mapped[str] = owned_by("staff.id", index=True)
    token_hash: Mapped[str] = mapped_column(StorableString(64), unique=True)
    epoch: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class AuditRow(Base):
    """A line of the audit log; triggers of the migration refuse to change or delete it."""

    __tablename__ = "audit_log"
    __table_args__ = (
        Index(None, "object_type", "object_id", "at"),
        Index(None, "actor", "at"),
    )

    id: Mapped[str] = primary_key()
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    actor: Mapped[str] = mapped_column(StorableString(64))
    action: Mapped[str] = mapped_column(StorableString(64))
    object_type: Mapped[str] = mapped_column(StorableString(32))
    object_id: Mapped[str | None] = mapped_column(StorableString(64))
    detail: Mapped[Any] = mapped_column(StorableJson)
