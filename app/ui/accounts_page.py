"""The page of staff accounts for admins: who may sign in, what each may do, and the audit log."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import gradio as gr

from app.auth.accounts import AccountError, Accounts
from app.auth.roles import StaffGate
from app.auth.user_names import LONGEST
from app.db.records import Staff, StaffRole
from app.db.types import Clock, utc_now
from app.ui.accounts_desk import AccountsDesk
from app.ui.accounts_markup import account_entry, state
from app.ui.audit_page import AuditHandlers, add_audit_tab
from app.ui.markdown_text import as_text
from app.ui.staff_page import admitted, staff_bar, staff_title, texts_for, unchanged
from app.ui.texts import Texts

_MAX_PASSWORD = 256


class AccountsView(NamedTuple):
    """What the first tab shows; the order is that of the page's outputs.

    ``opened`` is the id of the account whose name is on the screen. The browser sends it with a press, so
    that the press is done to that one, also while another was chosen and has not come yet.
    """

    notice: Any
    accounts: Any
    case: Any
    heading: Any
    role: Any
    password: Any
    switch: Any
    name: Any
    first_password: Any
    opened: Any


class AccountsHandlers:
    """What happens on each event; every one of them asks the gate before anything else."""

    def __init__(
        self, desk: AccountsDesk, gate: StaffGate, texts: dict[str, Texts], clock: Clock = utc_now
    ) -> None:
        self._desk = desk
        self._gate = gate
        self._texts = texts
        self._now = clock

    async def begin(self, request: gr.Request) -> AccountsView:
        """List the accounts, none of them chosen."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        return self._closed(await self._choices(None, texts), "")

    async def choose(self, staff_id: str | None, request: gr.Request) -> AccountsView:
        """Show what can be done with one account."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        try:
            account = await self._desk.account(staff_id)
        except AccountError as problem:
            return _told(_kindly(problem, texts))
        return self._opened(account, unchanged(), "", texts)

    async def create(
        self, name: str | None, role: str | None, password: str | None, request: gr.Request
    ) -> AccountsView:
        """Make an account."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        if role not in set(StaffRole):
            return _told(texts("accounts.problem.no_role"))
        try:
            made = await self._desk.changes_by(admin).create(
                (name or "").strip(), StaffRole(role), password or ""
            )
        except AccountError as problem:
            return _told(_kindly(problem, texts))._replace(first_password="")
        said = texts("accounts.created", name=as_text(made.username), role=texts(f"role.{made.role.value}"))
        view = self._closed(await self._choices(None, texts), said)
        return view._replace(name="", first_password="")

    async def set_password(
        self, staff_id: str | None, password: str | None, request: gr.Request
    ) -> AccountsView:
        """Set a new password."""
        return await self._change(
            staff_id,
            request,
            "accounts.password_set",
            lambda by, account: by.set_password(account, password or ""),
        )

    async def set_role(self, staff_id: str | None, role: str | None, request: gr.Request) -> AccountsView:
        """Change what an account may do."""
        known = StaffRole(role) if role in set(StaffRole) else None

        async def change(by: Accounts, account: Staff) -> None:
            if known is None:
                raise AccountError("no_role", "choose a role")
            await by.set_role(account, known)

        return await self._change(staff_id, request, "accounts.role_set", change)

    async def switch(self, staff_id: str | None, request: gr.Request) -> AccountsView:
        """Disable an active account, or open one again that is disabled or locked."""

        async def change(by: Accounts, account: Staff) -> None:
            active = state(account, self._now()) == "active"
            await (by.disable(account) if active else by.enable(account))

        return await self._change(staff_id, request, "accounts.switched", change)

    async def sign_out(self, staff_id: str | None, request: gr.Request) -> AccountsView:
        """End all logins of an account."""
        return await self._change(
            staff_id, request, "accounts.signed_out", lambda by, account: by.sign_out(account)
        )

    async def _change(
        self,
        staff_id: str | None,
        request: gr.Request,
        done: str,
        change: Callable[[Accounts, Staff], Awaitable[None]],
    ) -> AccountsView:
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        try:
            account = await self._desk.account(staff_id)
            await change(self._desk.changes_by(admin), account)
            account = await self._desk.account(staff_id)
        except AccountError as problem:
            return _told(_kindly(problem, texts))._replace(password="")
        now = texts(f"accounts.{state(account, self._now())}")
        said = texts(done, name=as_text(account.username), state=now)
        return self._opened(account, await self._choices(account.id, texts), said, texts)

    async def _admin(self, request: gr.Request) -> Staff:
        return await admitted(self._gate, self._texts, request, StaffRole.ADMIN, "staff")

    async def _choices(self, chosen: str | None, texts: Texts) -> Any:
        now = self._now()
        choices = [(account_entry(seen, now, texts), seen.account.id) for seen in await self._desk.all()]
        return gr.update(choices=choices, value=chosen)

    def _opened(self, account: Staff, accounts: Any, notice: str, texts: Texts) -> AccountsView:
        active = state(account, self._now()) == "active"
        label = texts("accounts.disable" if active else "accounts.enable", name=account.username)
        return AccountsView(
            notice=notice,
            accounts=accounts,
            case=gr.update(visible=True),
            heading=f"## {as_text(account.username)}",
            role=account.role.value,
            password="",
            switch=gr.update(value=label),
            name=unchanged(),
            first_password=unchanged(),
            opened=account.id,
        )

    def _closed(self, accounts: Any, notice: str) -> AccountsView:
        hidden, same = gr.update(visible=False), unchanged()
        return AccountsView(notice, accounts, hidden, "", None, "", same, same, same, None)


def build_accounts_page(handlers: AccountsHandlers, audit: AuditHandlers, i18n: gr.I18n) -> gr.Blocks:
    """Lay out the page and connect its events; texts of components come from ``i18n``."""
    with gr.Blocks(title=staff_title("/staff"), analytics_enabled=False) as page:
        gr.HTML(staff_bar("/staff"), elem_id="hk-staff-bar")
        gr.Markdown(i18n("accounts.title"), elem_id="hk-title")
        with gr.Tabs():
            with gr.Tab(i18n("accounts.tab")):
                _accounts_tab(page, handlers, i18n)
            with gr.Tab(i18n("audit.tab")) as tab:
                add_audit_tab(tab, audit, i18n)
    return page


def _accounts_tab(page: gr.Blocks, handlers: AccountsHandlers, i18n: gr.I18n) -> None:
    roles: list[Any] = [(i18n(f"role.{role.value}"), role.value) for role in StaffRole]
    gr.Markdown(i18n("accounts.intro"))
    notice = gr.Markdown(elem_id="hk-notice")
    accounts = gr.Radio(choices=[], label=i18n("accounts.list"), elem_id="hk-accounts")
    with gr.Column(visible=False, elem_id="hk-account") as case:
        heading = gr.Markdown(elem_id="hk-account-name")
        role = gr.Radio(roles, label=i18n("accounts.role"), elem_id="hk-account-role")
        save_role = gr.Button(i18n("accounts.save_role"), elem_id="hk-save-role")
        password = _password(i18n, "hk-new-password")
        save_password = gr.Button(i18n("accounts.save_password"), elem_id="hk-save-password")
        switch = gr.Button(i18n("accounts.switch"), elem_id="hk-switch")
        sign_out = gr.Button(i18n("accounts.sign_out"), elem_id="hk-sign-out")
    gr.Markdown(i18n("accounts.new"))
    name = gr.Textbox(
        label=i18n("login.username"),
        max_length=LONGEST,
        elem_id="hk-new-name",
        html_attributes=gr.InputHTMLAttributes(autocomplete="off", autocapitalize="none", spellcheck=False),
    )
    new_role = gr.Radio(
        roles, value=StaffRole.ANNOTATOR.value, label=i18n("accounts.role"), elem_id="hk-new-role"
    )
    first = _password(i18n, "hk-first-password")
    create = gr.Button(i18n("accounts.create"), variant="primary", elem_id="hk-create")
    opened = gr.Textbox(visible=False)
    shown = list(AccountsView(notice, accounts, case, heading, role, password, switch, name, first, opened))
    how: dict[str, Any] = {"outputs": shown, "api_visibility": "private", "concurrency_limit": None}
    page.load(handlers.begin, None, **how)
    # Of several accounts that are chosen quickly, the last one is shown: Gradio would drop it.
    accounts.input(handlers.choose, [accounts], trigger_mode="always_last", **how)
    save_role.click(handlers.set_role, [opened, role], **how)
    save_password.click(handlers.set_password, [opened, password], **how)
    switch.click(handlers.switch, [opened], **how)
    sign_out.click(handlers.sign_out, [opened], **how)
    create.click(handlers.create, [name, new_role, first], **how)


def _password(i18n: gr.I18n, element: str) -> gr.Textbox:
    return gr.Textbox(
        label=i18n("accounts.password"),
        info=i18n("accounts.policy"),
        type="password",
        max_length=_MAX_PASSWORD,
        elem_id=element,
        html_attributes=gr.InputHTMLAttributes(autocomplete="new-password"),
    )


def _kindly(problem: AccountError, texts: Texts) -> str:
    return texts(f"accounts.problem.{problem.code}")


def _told(notice: str) -> AccountsView:
    """Only say something; everything else stays."""
    return AccountsView(notice, *(unchanged() for _ in range(9)))
