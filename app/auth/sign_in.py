"""Signing in and out: passwords, lock-out, browser sessions; each attempt is in the audit log."""

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.auth.passwords import check_is_new, hash_password, verify_password
from app.db.audit import AuditRepository
from app.db.records import Staff
from app.db.staff import StaffRepository
from app.db.staff_sessions import StaffSessionRepository
from app.db.types import Clock, utc_now

_TOKEN_BYTES = 32
_NOTED_EVERY = timedelta(minutes=1)
"""That a browser was seen is written no more often than this."""
ANONYMOUS = "anonymous"
"""Actor of attempts that belong to no account; what was typed as a name could be a password."""


class SignInError(Exception):
    """Not signed in. One kind for all reasons: an answer must not tell which accounts exist or are locked."""


@dataclass(frozen=True, slots=True)
class SignInRules:
    """How long a login lasts and when an account is locked."""

    session: timedelta
    max_failures: int
    lock: timedelta
    idle: timedelta | None = None
    """Without anything done for so long, a login ends."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A fresh login; the token goes into the browser's cookie and is stored nowhere."""

    staff: Staff
    token: str
    expires_at: datetime


class StaffAuth:
    """Everything about who of the staff is asking."""

    def __init__(
        self,
        staff: StaffRepository,
        sessions: StaffSessionRepository,
        audit: AuditRepository,
        rules: SignInRules,
        clock: Clock = utc_now,
    ) -> None:
        self._staff = staff
        self._sessions = sessions
        self._audit = audit
        self._rules = rules
        self._now = clock
        # One attempt at a time: parallel guesses can't all be tried before the first of them is
        # counted, and the memory that hashing takes is bounded.
        self._turn = asyncio.Lock()

    async def sign_in(self, username: str, password: str) -> SignedIn:
        """Check a password and open a browser session.

        Raises:
            SignInError: Wrong name or password, or the account is locked or disabled.
        """
        async with self._turn:
            account = await self._staff.by_username(username)
            fits = await asyncio.to_thread(verify_password, password, account and account.password_hash)
            if account is None:
                await self._audit.record(ANONYMOUS, "sign_in.failed", "staff")
                raise SignInError
            if account.disabled_at is not None or self._is_locked(account):
                await self._audit.record(account.id, "sign_in.refused", "staff", account.id)
                raise SignInError
            if not fits:
                await self._count_failure(account)
                raise SignInError
            return await self._open(account)

    async def admit(self, account: Staff) -> SignedIn:
        """Open a browser session for an account that a provider vouches for.

        A lock after wrong passwords does not count here: no password was asked for.

        Raises:
            SignInError: The account is disabled.
        """
        if account.disabled_at is not None:
            await self._audit.record(account.id, "sign_in.refused", "staff", account.id)
            raise SignInError
        return await self._open(account)

    async def change_password(self, staff: Staff, present: str, new: str) -> SignedIn:
        """Set a new password of one's own; ends all logins of the account and opens a fresh one.

        Raises:
            SignInError: The present password is wrong or missing, or the account is locked or disabled.
            WeakPasswordError: The new one can't be used.
        """
        async with self._turn:
            account = await self._staff.get(staff.id)
            fits = await asyncio.to_thread(verify_password, present, account and account.password_hash)
            if account is None or account.disabled_at is not None or self._is_locked(account):
                raise SignInError
            if not fits:
                await self._count_failure(account)
                raise SignInError
            check_is_new(present, new)
            hashed = await asyncio.to_thread(hash_password, new, account.username)
            changed = await self._staff.set_password(account.id, hashed)
            if changed is None:
                raise SignInError
            await self._audit.record(account.id, "staff.credentials_changed", "staff", account.id)
            return await self._open(changed)

    async def who(self, token: str | None, *, active: bool = True) -> Staff | None:
        """The account of a browser's token while its login is good.

        Args:
            token: From the cookie.
            active: Somebody does something; false for what a page asks by itself.
        """
        if not token:
            return None
        idle = self._rules.idle
        found = await self._sessions.find(token_hash(token), idle)
        if found is None:
            return None
        staff, session = found
        if active and idle is not None and self._now() - session.last_seen_at >= _NOTED_EVERY:
            await self._sessions.extend(session.id, session.expires_at)
        return staff

    async def sign_out(self, token: str | None) -> None:
        """End this browser's login."""
        staff = await self.who(token)
        if staff is not None and token:
            await self._sessions.close(token_hash(token))
            await self._audit.record(staff.id, "signed_out", "staff", staff.id)

    async def sign_out_everywhere(self, staff: Staff) -> None:
        """End the account's logins in all browsers."""
        await self._staff.end_sessions(staff.id)
        await self._audit.record(staff.id, "signed_out.everywhere", "staff", staff.id)

    async def _open(self, account: Staff) -> SignedIn:
        await self._staff.login_succeeded(account.id)
        await self._sessions.delete_ended()
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        expires_at = self._now() + self._rules.session
        await self._sessions.open(account, token_hash(token), expires_at)
        await self._audit.record(account.id, "signed_in", "staff", account.id)
        return SignedIn(account, token, expires_at)

    async def _count_failure(self, account: Staff) -> None:
        rules = self._rules
        after = await self._staff.login_failed(account.id, limit=rules.max_failures, lock_for=rules.lock)
        locked = after is not None and self._is_locked(after)
        await self._audit.record(account.id, "sign_in.failed", "staff", account.id, {"locked": locked})

    def _is_locked(self, account: Staff) -> bool:
        return account.locked_until is not None and account.locked_until > self._now()


def token_hash(token: str) -> str:
    """What the database holds in place of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
