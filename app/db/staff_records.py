"""What repositories return about staff and the audit log: plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class StaffRole(StrEnum):
    """What a staff account may do."""

    ANNOTATOR = "annotator"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Staff:
    """A staff account.

    Attributes:
        session_epoch: Ends all older browser sessions when it grows.
        provider_subject: Issuer and ``sub`` of the provider's user that it belongs to.
    """

    id: str
    username: str
    password_hash: str | None
    role: StaffRole
    created_at: datetime
    disabled_at: datetime | None
    failed_logins: int
    locked_until: datetime | None
    session_epoch: int
    provider_subject: str | None = None


@dataclass(frozen=True, slots=True)
class SeenStaff:
    """An account, and when it last did something that is audited; ``None`` is never."""

    account: Staff
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class StaffSession:
    """One signed-in browser of a staff account; only a hash of its token is stored."""

    id: str
    staff_id: str
    epoch: int
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit log; ``detail`` never holds message text."""

    id: str
    at: datetime
    actor: str
    action: str
    object_type: str
    object_id: str | None
    detail: Mapping[str, object]
