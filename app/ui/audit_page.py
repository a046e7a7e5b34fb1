"""The audit log for admins: newest first, a page at a time, by who did it and to what."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import gradio as gr

from app.auth.roles import StaffGate
from app.db.records import StaffRole
from app.ui.accounts_desk import AccountsDesk, AuditFilter
from app.ui.audit_markup import actor_name, audit_markup
from app.ui.staff_page import admitted, texts_for, unchanged
from app.ui.texts import Texts

_MAX_ID = 64
_OTHER_ACTORS = (
    "anonymous",
    "person",
    "system:command-line",
    "system:retention",
    "system:oidc",
    "system:encryption",
)
Cursor = tuple[datetime, str]


class AuditView(NamedTuple):
    """What the tab shows; the order is that of its outputs."""

    actor: Any
    kind: Any
    lines: Any
    older: Any
    cursor: Any


class AuditHandlers:
    """What happens on each event; every one of them asks the gate before anything else."""

    def __init__(self, desk: AccountsDesk, gate: StaffGate, texts: dict[str, Texts]) -> None:
        self._desk = desk
        self._gate = gate
        self._texts = texts

    async def begin(self, request: gr.Request) -> AuditView:
        """The newest lines, and what can be filtered by."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        view = await self._page(AuditFilter(), texts)
        names = {seen.account.id: seen.account.username for seen in await self._desk.all()}
        return view._replace(
            actor=gr.update(choices=_actors(names, texts), value=""),
            kind=gr.update(choices=_kinds(texts), value=""),
        )

    async def show(
        self, actor: str | None, kind: str | None, object_id: str | None, request: gr.Request
    ) -> AuditView:
        """The newest lines that fit the filter."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        return await self._page(_filter(actor, kind, object_id, None), texts)

    async def older(
        self,
        actor: str | None,
        kind: str | None,
        object_id: str | None,
        cursor: Cursor | None,
        request: gr.Request,
    ) -> AuditView:
        """The lines that follow the ones on the screen."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        return await self._page(_filter(actor, kind, object_id, cursor), texts)

    async def _page(self, wanted: AuditFilter, texts: Texts) -> AuditView:
        page = await self._desk.audit(wanted)
        last = page.lines[-1] if page.lines else None
        cursor = None if last is None else (last.at, last.id)
        more = gr.update(visible=page.more)
        return AuditView(unchanged(), unchanged(), audit_markup(page, texts), more, cursor)

    async def _admin(self, request: gr.Request) -> None:
        await admitted(self._gate, self._texts, request, StaffRole.ADMIN, "audit")


def add_audit_tab(tab: gr.Tab, handlers: AuditHandlers, i18n: gr.I18n) -> None:
    """Lay out the tab that is open around the call and connect its events."""
    gr.Markdown(i18n("audit.intro"))
    with gr.Row():
        actor = gr.Dropdown(choices=[], label=i18n("audit.actor"), elem_id="hk-audit-actor")
        kind = gr.Dropdown(choices=[], label=i18n("audit.kind"), elem_id="hk-audit-kind")
        object_id = gr.Textbox(label=i18n("audit.id"), max_length=_MAX_ID, elem_id="hk-audit-id")
    newest = gr.Button(i18n("audit.show"), elem_id="hk-audit-show")
    lines = gr.HTML(elem_id="hk-audit-lines")
    older = gr.Button(i18n("audit.older"), elem_id="hk-audit-older", visible=False)
    cursor = gr.State(None)
    shown = list(AuditView(actor, kind, lines, older, cursor))
    how: dict[str, Any] = {"outputs": shown, "api_visibility": "private", "concurrency_limit": None}
    wanted = [actor, kind, object_id]
    tab.select(handlers.begin, None, **how)
    # One event: of several filters that are set quickly, the last answer is the one to all of them.
    gr.on(  # pyright: ignore[reportUnknownMemberType]
        [actor.input, kind.input, object_id.submit, newest.click],
        handlers.show,
        wanted,
        trigger_mode="always_last",
        **how,
    )
    older.click(handlers.older, [*wanted, cursor], **how)


def _filter(actor: str | None, kind: str | None, object_id: str | None, cursor: Cursor | None) -> AuditFilter:
    asked = (object_id or "").strip()[:_MAX_ID]
    return AuditFilter(actor or None, kind or None, asked or None, cursor)


def _actors(names: Mapping[str, str], texts: Texts) -> list[tuple[str, str]]:
    others = [(actor_name(actor, {}, texts), actor) for actor in _OTHER_ACTORS]
    return [(texts("audit.everybody"), ""), *((name, found) for found, name in names.items()), *others]


def _kinds(texts: Texts) -> list[tuple[str, str]]:
    return [(texts("audit.everything"), ""), *((name, kind) for kind, name in texts.below("object").items())]
