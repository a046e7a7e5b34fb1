"""The table of what is remembered of conversations."""

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, level_range, one_of, owned_by, primary_key
from app.db.memory_records import FactSource
from app.db.types import Level, PrivateText, UtcDateTime, short_enum
from models.facts import FactKind
from safety.levels import RiskLevel


class FactRow(Base):
    """A fact; of one that the person deleted only the place is left, without its text."""

    __tablename__ = "facts"
    __table_args__ = (
        Index(None, "session_id", "created_at"),
        one_of("kind", FactKind),
        one_of("source", FactSource),
        level_range("level"),
    )

    id: Mapped[str] = primary_key()
    session_id: Mapped[str] = owned_by("sessions.id")
    message_id: Mapped[str] = owned_by("messages.id", index=True)
    position: Mapped[int]
    kind: Mapped[FactKind] = mapped_column(short_enum(FactKind))
    text: Mapped[str | None] = mapped_column(PrivateText)
    source: Mapped[FactSource] = mapped_column(short_enum(FactSource))
    level: Mapped[RiskLevel] = mapped_column(Level)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    edited_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    forgotten_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
