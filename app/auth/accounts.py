"""What is done with staff accounts, from the command line and from the page alike.

Each change is one line of the audit log under the name of whoever made it, and ends the browser
sessions that it must end. The last admin who can sign in stays one.
"""

import asyncio
from dataclasses import dataclass

from app.auth.passwords import WeakPasswordError, hash_password
from app.auth.user_names import LONGEST, fault
from app.db.audit import AuditRepository, Detail
from app.db.audit_words import Action
from app.db.errors import ConflictError, LastAdminError
from app.db.records import Staff, StaffRole
from app.db.staff import StaffRepository
from app.db.staff_records import SeenStaff

COMMAND_LINE = "system:command-line"


class AccountError(Exception):
    """The change can't be made; the text is one line, ``code`` its key among the pages' texts."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Accounts:
    """The changes; ``actor`` is the id of the admin who makes them, or a job's name.

    Attributes:
        staff: The accounts.
        audit: Where each change is noted.
        actor: Who makes the changes.
    """

    staff: StaffRepository
    audit: AuditRepository
    actor: str

    async def list(self) -> list[SeenStaff]:
        """All accounts by name, with when they were last seen."""
        return await self.staff.list_seen()

    async def named(self, username: str) -> Staff:
        """The account of a user name.

        Raises:
            AccountError: There is none.
        """
        staff = await self.staff.by_username(username)
        if staff is None:
            raise AccountError("unknown", f"there is no account {username}")
        return staff

    async def create(self, username: str, role: StaffRole, password: str | None) -> Staff:
        """Make an account; without a password it can sign in by a provider only.

        Raises:
            AccountError: The name is empty, too long, taken or has characters that can't be seen, or the
                password is too weak.
        """
        if (wrong := fault(username)) is not None:
            raise AccountError(wrong, _FAULTS[wrong])
        hashed = None if password is None else await _hashed(password, username.strip())
        try:
            staff = await self.staff.create(username, hashed, role)
        except ConflictError:
            raise AccountError("taken", f"there is an account {username} already") from None
        await self._note("staff.created", staff, {"role": role.value})
        return staff

    async def set_password(self, staff: Staff, password: str) -> None:
        """Set a new password, end all logins and any lock-out.

        Raises:
            AccountError: The password is too weak.
        """
        await self.staff.set_password(staff.id, await _hashed(password, staff.username))
        await self._note("staff.credentials_changed", staff)

    async def disable(self, staff: Staff) -> None:
        """Shut an account and end its logins.

        Raises:
            AccountError: It is one's own, or that of the last admin.
        """
        self._not_mine(staff)
        try:
            await self.staff.disable(staff.id)
        except LastAdminError:
            raise _last_admin() from None
        await self._note("staff.disabled", staff)

    async def enable(self, staff: Staff) -> None:
        """Open a disabled or locked account again."""
        await self.staff.enable(staff.id)
        await self._note("staff.enabled", staff)

    async def set_role(self, staff: Staff, role: StaffRole) -> None:
        """Change the role and end all logins.

        Raises:
            AccountError: It is one's own, or would leave no admin.
        """
        self._not_mine(staff)
        try:
            await self.staff.set_role(staff.id, role)
        except LastAdminError:
            raise _last_admin() from None
        await self._note("staff.role_changed", staff, {"role": role.value})

    async def unbind(self, staff: Staff) -> None:
        """Let the provider's next user of this name have the account; ends all logins."""
        await self.staff.unbind(staff.id)
        await self._note("staff.unbound", staff)

    async def sign_out(self, staff: Staff) -> None:
        """End all logins of the account."""
        await self.staff.end_sessions(staff.id)
        await self._note("staff.signed_out", staff)

    def _not_mine(self, staff: Staff) -> None:
        if staff.id == self.actor:
            raise AccountError("yourself", "another admin must do this for you")

    async def _note(self, action: Action, staff: Staff, detail: Detail | None = None) -> None:
        await self.audit.record(self.actor, action, "staff", staff.id, detail)


_FAULTS = {
    "empty_name": "the user name is empty",
    "long_name": f"a user name has at most {LONGEST} characters",
    "odd_name": "a user name holds no < or > and no characters that can't be seen",
}


def _last_admin() -> AccountError:
    return AccountError("last_admin", "this is the last admin who can sign in; make another one first")


async def _hashed(password: str, username: str) -> str:
    """The hash, made beside the event loop: it takes its time by design."""
    try:
        return await asyncio.to_thread(hash_password, password, username)
    except WeakPasswordError as error:
        raise AccountError(f"password_{error.code}", str(error)) from None
