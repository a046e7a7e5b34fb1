"""What an admin reads and changes on the page of staff accounts, apart from how it looks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.auth.accounts import AccountError, Accounts
from app.db.audit import AuditRepository
from app.db.records import Staff
from app.db.staff import StaffRepository
from app.db.staff_records import AuditEntry, SeenStaff

PAGE_LINES = 50


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which lines of the audit log are shown; empty parts let everything through.

    Attributes:
        actor: Id of an account, or another actor's name.
        object_type: Such as ``session``.
        object_id: Id of one object.
        after: Time and id of the last line of the page before, or ``None`` for the first page.
    """

    actor: str | None = None
    object_type: str | None = None
    object_id: str | None = None
    after: tuple[datetime, str] | None = None


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Lines of the log, newest first, and the names of the accounts in them.

    Attributes:
        lines: At most :data:`PAGE_LINES`.
        names: User names by account id.
        more: Whether older lines follow.
    """

    lines: tuple[AuditEntry, ...]
    names: Mapping[str, str]
    more: bool


class AccountsDesk:
    """The page's actions; whoever calls them has passed the gate as an admin."""

    def __init__(self, staff: StaffRepository, audit: AuditRepository) -> None:
        self._staff = staff
        self._audit = audit

    async def all(self) -> list[SeenStaff]:
        """Every account by name."""
        return await self._staff.list_seen()

    def changes_by(self, admin: Staff) -> Accounts:
        """The changes, under the name of the admin who makes them."""
        return Accounts(self._staff, self._audit, admin.id)

    async def account(self, staff_id: str | None) -> Staff:
        """One account.

        Raises:
            AccountError: None was chosen, or it does not exist (any more).
        """
        found = await self._staff.get(staff_id) if staff_id else None
        if found is None:
            raise AccountError("choose", "choose an account first")
        return found

    async def audit(self, wanted: AuditFilter) -> AuditPage:
        """A page of the audit log."""
        lines = await self._audit.recent(
            PAGE_LINES + 1,
            actor=wanted.actor,
            object_type=wanted.object_type,
            object_id=wanted.object_id,
            after=wanted.after,
        )
        names = {one.id: one.username for one in await self._staff.list_all()}
        return AuditPage(tuple(lines[:PAGE_LINES]), names, len(lines) > PAGE_LINES)
