"""How accounts and lines of the audit log are written for admins."""

from collections.abc import Mapping
from datetime import datetime
from html import escape

from app.db.records import Staff
from app.db.staff_records import AuditEntry, SeenStaff
from app.ui.accounts_desk import AuditPage
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


def audit_markup(page: AuditPage, texts: Texts) -> str:
    """A page of the log as a table; ids of accounts are written as names."""
    if not page.lines:
        return f"<p>{escape(texts('audit.none'))}</p>"
    columns = ("audit.at", "audit.actor", "audit.action", "audit.object", "audit.detail")
    head = "".join(f"<th scope='col'>{escape(texts(key))}</th>" for key in columns)
    rows = "".join(_row(line, page.names, texts) for line in page.lines)
    caption = f"<caption>{escape(texts('audit.caption', n=len(page.lines)))}</caption>"
    return (
        f"<div class='hk-audit' role='region' tabindex='0' aria-label='{escape(texts('audit.label'))}'>"
        f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def action_name(action: str, texts: Texts) -> str:
    """What was done in words; an action without words of its own is written as it is stored."""
    key = f"action.{action}"
    return texts(key) if texts.has(key) else action


def actor_name(actor: str, names: Mapping[str, str], texts: Texts) -> str:
    """Who did it: a user name, or what else acts in the application."""
    if actor in names:
        return names[actor]
    key = f"actor.{actor}"
    return texts(key) if texts.has(key) else actor


def _row(line: AuditEntry, names: Mapping[str, str], texts: Texts) -> str:
    when = f"<time datetime='{line.at.isoformat()}'>{line.at:%Y-%m-%d %H:%M:%S}</time>"
    who = escape(actor_name(line.actor, names, texts))
    what = escape(action_name(line.action, texts))
    detail = ", ".join(f"{name}: {names.get(str(value), value)}" for name, value in line.detail.items())
    return (
        f"<tr><td>{when}</td><td>{who}</td><td>{what}</td>"
        f"<td>{_object(line, names, texts)}</td><td>{escape(detail)}</td></tr>"
    )


def _object(line: AuditEntry, names: Mapping[str, str], texts: Texts) -> str:
    key = f"object.{line.object_type}"
    kind = escape(texts(key) if texts.has(key) else line.object_type)
    if line.object_id is None:
        return kind
    known = names.get(line.object_id)
    if known is not None:
        return f"{kind} {escape(known)}"
    # Whole, so that it can be copied into the filter.
    return f"{kind} <code>{escape(line.object_id)}</code>"
