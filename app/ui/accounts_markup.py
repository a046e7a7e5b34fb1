"""How accounts are written for admins."""

from datetime import datetime

from app.db.records import Staff
from app.db.staff_records import SeenStaff
from app.ui.texts import Texts


def account_entry(seen: SeenStaff, now: datetime, texts: Texts) -> str:
    """One line of the list of accounts, as plain text."""
    account = seen.account
    at = seen.last_seen_at
    return texts(
        "accounts.entry",
        name=account.username,
        role=texts(f"role.{account.role.value}"),
        state=texts(f"accounts.{state(account, now)}"),
        seen=texts("accounts.never") if at is None else f"{at:%Y-%m-%d %H:%M} UTC",
    )


def state(account: Staff, now: datetime) -> str:
    """``disabled``, ``locked`` (after wrong passwords, for a while) or ``active``."""
    if account.disabled_at is not None:
        return "disabled"
    return "locked" if account.locked_until is not None and account.locked_until > now else "active"
