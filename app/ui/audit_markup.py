"""How lines of the audit log are written for admins: in words, never as the code calls things."""

from collections.abc import Mapping
from html import escape

from app.db.staff_records import AuditEntry
from app.ui.accounts_desk import AuditPage
from app.ui.texts import Texts

SHARED = {
    "by": "actor.system",
    "category": "category",
    "language": "export.language",
    "level": "level",
    "outcome": "outcome",
    "raters": "export.raters",
    "role": "role",
    "series": "insights.figure",
}
"""Details whose values have words elsewhere: the beginning of their keys."""
_TOLD_EMPTY = frozenset({"to", "value"})
"""Details for which no value says something; of all others it means that nothing was asked for."""


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
    """What was done in words; an action of an older version without words is written as it is stored."""
    return _words(f"action.{action}", texts) or action


def actor_name(actor: str, names: Mapping[str, str], texts: Texts) -> str:
    """Who did it: a user name, or what else acts in the application."""
    return names.get(actor) or _words(f"actor.{actor}", texts) or actor


def detail_words(detail: Mapping[str, object], names: Mapping[str, str], texts: Texts) -> str:
    """What was noted besides, as one line of text.

    Args:
        detail: As it is stored.
        names: User names by account id.
        texts: Of the reader's language.
    """
    told = [(name, value) for name, value in detail.items() if value is not None or name in _TOLD_EMPTY]
    pairs = [
        texts(
            "audit.pair",
            name=_words(f"detail.{name}", texts) or name,
            value=_value(name, value, names, texts),
        )
        for name, value in told
    ]
    return texts("audit.comma").join(pairs)


def _value(name: str, value: object, names: Mapping[str, str], texts: Texts) -> str:
    if isinstance(value, bool):
        return texts("audit.yes" if value else "audit.no")
    stored = "none" if value is None else str(value)
    if stored in names:
        return names[stored]
    own = _words(f"detail.{name}.{stored}", texts)
    shared = SHARED.get(name)
    ends = (f"{shared}{mark}{stored}" for mark in (".", "_", ":")) if shared else ()
    return own or next((found for key in ends if (found := _words(key, texts))), stored)


def _words(key: str, texts: Texts) -> str | None:
    return texts(key) if texts.has(key) else None


def _row(line: AuditEntry, names: Mapping[str, str], texts: Texts) -> str:
    when = f"<time datetime='{line.at.isoformat()}'>{line.at:%Y-%m-%d %H:%M:%S}</time>"
    who = escape(actor_name(line.actor, names, texts))
    what = escape(action_name(line.action, texts))
    detail = escape(detail_words(line.detail, names, texts))
    return (
        f"<tr><td>{when}</td><td>{who}</td><td>{what}</td>"
        f"<td>{_object(line, names, texts)}</td><td>{detail}</td></tr>"
    )


def _object(line: AuditEntry, names: Mapping[str, str], texts: Texts) -> str:
    stored = line.object_type
    # What retention deletes goes by the name of its table.
    found = _words(f"object.{stored}", texts) or _words(f"stored.{stored}", texts)
    kind = escape(found or stored)
    if line.object_id is None:
        return kind
    known = names.get(line.object_id)
    if known is not None:
        return f"{kind} {escape(known)}"
    # Whole, so that it can be copied into the filter.
    return f"{kind} <code>{escape(line.object_id)}</code>"
