"""The page of staff accounts and the audit log, handler by handler."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from typing import Any

import gradio as gr
import pytest

from app.auth.passwords import verify_password
from app.db.records import Staff, StaffRole
from app.ui.accounts_desk import PAGE_LINES, AccountsDesk
from app.ui.accounts_page import AccountsHandlers
from app.ui.audit_page import AuditHandlers
from app.ui.staff_texts import load_staff_texts
from tests.integration.app.auth.conftest import PASSWORD, Desk, desk
from tests.integration.app.test_staff_pages import asking, database_url

__all__ = ["database_url", "desk"]
NEW = "another river at dusk"


@dataclass
class Page:
    """The handlers, asked by an admin who is signed in."""

    desk: Desk
    admin: Staff
    request: gr.Request
    accounts: AccountsHandlers
    audit: AuditHandlers

    async def lines(self) -> list[tuple[str, str, str | None]]:
        """What the audit log holds besides sign-ins, oldest first: actor, action, object."""
        entries = reversed(await self.desk.store.audit.recent())
        return [(one.actor, one.action, one.object_id) for one in entries if one.action != "signed_in"]


@pytest.fixture
async def page(desk: Desk) -> Page:
    admin = await desk.account("anna", StaffRole.ADMIN)
    request = asking((await desk.auth.sign_in("anna", PASSWORD)).token)
    inner = AccountsDesk(desk.store.staff, desk.store.audit)
    texts = load_staff_texts()
    handlers = AccountsHandlers(inner, desk.gate, texts, desk.clock)
    return Page(desk, admin, request, handlers, AuditHandlers(inner, desk.gate, texts))


async def test_an_admin_makes_an_account_that_can_sign_in(page: Page) -> None:
    view = await page.accounts.create(" Ben ", "annotator", NEW, page.request)
    assert view.notice == "ben can sign in now (annotator). Pass the password on by a safe way."
    made = (await page.desk.auth.sign_in("ben", NEW)).staff
    assert made.role is StaffRole.ANNOTATOR
    assert await page.lines() == [(page.admin.id, "staff.created", made.id)]


@pytest.mark.parametrize(
    ("name", "role", "password", "said"),
    [
        ("ben", "annotator", "short", "This password is too short. It needs 12 characters or more."),
        ("ben", "annotator", "aaaaaaaaaaaaaa", "This password repeats too few characters."),
        ("ben", "annotator", "I am ben by the river", "The password must not hold the user name."),
        ("ben", "annotator", None, "This password is too short."),
        ("ANNA", "annotator", NEW, "There is an account of this name already."),
        ("  ", "annotator", NEW, "Write a user name first."),
        ("b" * 65, "annotator", NEW, "This user name is too long."),
        ("<b>ben</b>", "annotator", NEW, "A user name can't hold < or >"),
        ("ben\u202enimda", "annotator", NEW, "A user name can't hold < or >"),
        ("ben", "owner", NEW, "Choose a role first."),
        ("ben", None, NEW, "Choose a role first."),
    ],
)
async def test_what_is_wrong_with_a_new_account_is_said_kindly(
    page: Page, name: str, role: str | None, password: str | None, said: str
) -> None:
    view = await page.accounts.create(name, role, password, page.request)
    assert view.notice.startswith(said)
    assert [one.username for one in await page.desk.store.staff.list_all()] == ["anna"]
    assert await page.lines() == []


async def test_a_new_password_replaces_the_old_one_and_signs_out(page: Page) -> None:
    ben = await page.desk.account("ben", StaffRole.ANNOTATOR)
    token = (await page.desk.auth.sign_in("ben", PASSWORD)).token
    view = await page.accounts.set_password(ben.id, NEW, page.request)
    after = await page.desk.store.staff.get(ben.id)
    assert after is not None
    assert verify_password(NEW, after.password_hash)
    assert await page.desk.auth.who(token) is None
    assert (view.notice, view.password) == ("ben has a new password and was signed out everywhere.", "")
    assert await page.lines() == [(page.admin.id, "staff.credentials_changed", ben.id)]


async def test_a_role_is_changed(page: Page) -> None:
    ben = await page.desk.account("ben", StaffRole.ANNOTATOR)
    await page.accounts.set_role(ben.id, "admin", page.request)
    after = await page.desk.store.staff.get(ben.id)
    assert after is not None
    assert after.role is StaffRole.ADMIN
    assert await page.lines() == [(page.admin.id, "staff.role_changed", ben.id)]


async def test_an_account_is_disabled_and_enabled_by_one_button(page: Page) -> None:
    ben = await page.desk.account("ben", StaffRole.ANNOTATOR)
    off = await page.accounts.switch(ben.id, page.request)
    page.desk.clock.advance(seconds=1)
    on = await page.accounts.switch(ben.id, page.request)
    assert (off.notice, off.switch["value"]) == ("ben is disabled now.", "Enable ben")
    assert (on.notice, on.switch["value"]) == ("ben is active now.", "Disable ben")
    assert [action for _, action, _ in await page.lines()] == ["staff.disabled", "staff.enabled"]


async def test_a_locked_account_is_told_and_opened_by_the_button(page: Page) -> None:
    ben = await page.desk.account("ben", StaffRole.ANNOTATOR)
    await page.desk.store.staff.login_failed(ben.id, limit=1, lock_for=timedelta(minutes=1))
    listed = await page.accounts.begin(page.request)
    assert "ben · annotator · locked after wrong passwords · last seen never" in dict(
        listed.accounts["choices"]
    )
    view = await page.accounts.switch(ben.id, page.request)
    assert view.notice == "ben is active now."


async def test_an_account_is_signed_out_everywhere(page: Page) -> None:
    ben = await page.desk.account("ben", StaffRole.ANNOTATOR)
    token = (await page.desk.auth.sign_in("ben", PASSWORD)).token
    await page.accounts.sign_out(ben.id, page.request)
    assert await page.desk.auth.who(token) is None
    assert await page.lines() == [(page.admin.id, "staff.signed_out", ben.id)]


async def test_nobody_disables_or_demotes_themselves(page: Page) -> None:
    await page.desk.account("zoe", StaffRole.ADMIN)
    said = "You can't disable yourself or change your own role. Ask another admin to do it."
    assert (await page.accounts.switch(page.admin.id, page.request)).notice == said
    assert (await page.accounts.set_role(page.admin.id, "annotator", page.request)).notice == said
    assert await page.desk.store.staff.get(page.admin.id) == page.admin
    assert await page.lines() == []


Change = Callable[[Page, str | None], Awaitable[Any]]


@pytest.mark.parametrize("chosen", [None, "", "no id", "00000000-0000-4000-8000-000000000000"])
@pytest.mark.parametrize(
    "change",
    [
        lambda page, who: page.accounts.choose(who, page.request),
        lambda page, who: page.accounts.set_password(who, NEW, page.request),
        lambda page, who: page.accounts.set_role(who, "admin", page.request),
        lambda page, who: page.accounts.switch(who, page.request),
        lambda page, who: page.accounts.sign_out(who, page.request),
    ],
)
async def test_an_account_that_is_not_there_is_told(page: Page, change: Change, chosen: str | None) -> None:
    view = await change(page, chosen)
    assert view.notice == "Choose an account first. Perhaps it does not exist any more."


async def test_the_audit_log_shows_names_newest_first_and_never_a_password(page: Page) -> None:
    page.desk.clock.advance(seconds=1)
    await page.accounts.create("ben", "annotator", NEW, page.request)
    shown = (await page.audit.begin(page.request)).lines
    assert "<td>anna</td><td>account created</td><td>account ben</td><td>role: annotator</td>" in shown
    assert shown.index("account created") < shown.index("signed in")
    assert NEW not in shown


async def test_the_audit_log_is_filtered_by_who_did_it_and_to_what(page: Page) -> None:
    audit = page.desk.store.audit
    await audit.record("system:retention", "retention.deleted", "session", "s-1")
    await audit.record(page.admin.id, "flag.decided", "flag", "f-1")
    by_job = (await page.audit.show("system:retention", "", "", page.request)).lines
    of_flags = (await page.audit.show("", "flag", " f-1 ", page.request)).lines
    assert ("daily deletion" in by_job, "outcome set" in by_job) == (True, False)
    assert ("daily deletion" in of_flags, "outcome set" in of_flags) == (False, True)


async def test_pages_of_the_audit_log_miss_and_repeat_nothing_even_within_one_moment(page: Page) -> None:
    count = 2 * PAGE_LINES + 5
    for number in range(count):
        await page.desk.store.audit.record("system:retention", f"made.{number:03}", "report")
    seen: list[str] = []
    view = await page.audit.show("system:retention", "", "", page.request)
    while True:
        seen += [f"made.{n:03}" for n in range(count) if f"made.{n:03}" in view.lines]
        if not view.older["visible"]:
            break
        view = await page.audit.older("system:retention", "", "", view.cursor, page.request)
    assert sorted(seen) == [f"made.{number:03}" for number in range(count)]


async def test_what_stands_in_the_log_is_shown_as_text(page: Page) -> None:
    await page.desk.store.audit.record("<i>", "<b>", "<u>", "<s>", {"<q>": "<em>"})
    shown = (await page.audit.begin(page.request)).lines
    assert [tag for tag in ("<i>", "<b>", "<u>", "<s>", "<q>", "<em>") if tag in shown] == []


async def test_a_name_that_is_there_already_is_shown_as_text(page: Page) -> None:
    staff = page.desk.store.staff
    odd = await staff.create(
        "<img src=x onerror=alert(1)> **[a](http://b.example)**", None, StaffRole.ANNOTATOR
    )
    opened = await page.accounts.choose(odd.id, page.request)
    changed = await page.accounts.sign_out(odd.id, page.request)
    for shown in (opened.heading.removeprefix("## "), changed.notice):
        assert not set("<>*[]()") & set(shown)
    assert unescape(opened.heading) == f"## {odd.username}"
