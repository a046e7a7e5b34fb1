"""Tables about the database itself: the keys its text was encrypted with, and when jobs last ran."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base
from app.db.types import StorableString, UtcDateTime


class EncryptionKeyRow(Base):
    """A key that some stored text may need, by its id; the key itself is never stored."""

    __tablename__ = "encryption_keys"

    id: Mapped[str] = mapped_column(StorableString(16), primary_key=True)
    first_used_at: Mapped[datetime] = mapped_column(UtcDateTime)


class JobRunRow(Base):
    """When a regular job was last begun and last finished, by any process."""

    __tablename__ = "job_runs"

    name: Mapped[str] = mapped_column(StorableString(32), primary_key=True)
    begun_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
