"""Staff accounts are made and changed with ``python -m app.auth``."""

import io
from pathlib import Path

import pytest
from sqlalchemy import URL

from app.auth.__main__ import main
from app.auth.passwords import verify_password
from app.db.audit import AuditRepository
from app.db.engine import SessionFactory
from app.db.records import Staff
from app.db.staff import StaffRepository

PASSWORD = "quiet river at dawn"


@pytest.fixture(autouse=True)
def settings(database_url: URL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command reads the address of the database from the settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEARKEN_STORAGE__DATABASE_URL", database_url.render_as_string(hide_password=False))


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str, password: str = PASSWORD) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    return main(list(arguments))


async def stored(factory: SessionFactory, name: str) -> Staff:
    staff = await StaffRepository(factory).by_username(name)
    assert staff is not None
    return staff


class TestCommands:
    """Each command, run as from a shell. They run their own event loop, so these tests are synchronous."""

    def test_create_makes_an_account_that_the_list_shows(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert call(monkeypatch, "create", "Anna", "--role", "admin") == 0
        call(monkeypatch, "list")
        assert capsys.readouterr().out.splitlines()[-1] == "anna\tadmin\tactive"

    def test_a_name_can_be_taken_once(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call(monkeypatch, "create", "anna", "--role", "admin")
        assert call(monkeypatch, "create", "ANNA", "--role", "annotator") == 1
        assert capsys.readouterr().err == "there is an account ANNA already\n"

    def test_a_weak_password_is_refused_in_one_line(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert call(monkeypatch, "create", "anna", "--role", "admin", password="short") == 1
        assert capsys.readouterr().err == "a password needs at least 12 characters\n"

    def test_a_disabled_account_is_listed_as_such_until_it_is_enabled(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call(monkeypatch, "create", "anna", "--role", "annotator")
        call(monkeypatch, "disable", "anna")
        call(monkeypatch, "list")
        assert capsys.readouterr().out.splitlines()[-1] == "anna\tannotator\tdisabled"
        call(monkeypatch, "enable", "anna")
        call(monkeypatch, "list")
        assert capsys.readouterr().out.splitlines()[-1] == "anna\tannotator\tactive"

    @pytest.mark.parametrize("change", [("disable", "anna"), ("role", "anna", "--role", "annotator")])
    def test_the_last_admin_stays_one(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], change: tuple[str, ...]
    ) -> None:
        call(monkeypatch, "create", "anna", "--role", "admin")
        call(monkeypatch, "create", "ben", "--role", "admin")
        call(monkeypatch, "disable", "ben")
        assert call(monkeypatch, *change) == 1
        said = "this is the last admin who can sign in; make another one first\n"
        assert capsys.readouterr().err == said
        call(monkeypatch, "list")
        assert "anna\tadmin\tactive" in capsys.readouterr().out.splitlines()

    def test_an_account_without_a_password_asks_for_none(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert call(monkeypatch, "create", "anna", "--role", "admin", "--without-password", password="") == 0
        assert capsys.readouterr().out == "anna can sign in as admin.\n"

    def test_the_role_can_be_changed(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call(monkeypatch, "create", "zoe", "--role", "admin")
        call(monkeypatch, "create", "anna", "--role", "admin")
        assert call(monkeypatch, "role", "anna", "--role", "annotator") == 0
        call(monkeypatch, "list")
        assert "anna\tannotator\tactive" in capsys.readouterr().out.splitlines()

    def test_an_unknown_account_is_named(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert call(monkeypatch, "disable", "nobody") == 1
        assert capsys.readouterr().err == "there is no account nobody\n"

    def test_a_role_that_does_not_exist_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(SystemExit):
            call(monkeypatch, "create", "anna", "--role", "owner")

    def test_an_account_that_belongs_to_nobody_at_the_provider_can_be_unbound_too(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call(monkeypatch, "create", "anna", "--role", "admin")
        assert call(monkeypatch, "unbind", "Anna") == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith("anna belongs to whom the provider")
        assert call(monkeypatch, "unbind", "nobody") == 1


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """An account, and a new password for it."""
    call(monkeypatch, "create", "anna", "--role", "admin")
    call(monkeypatch, "password", "anna", password="another river at dusk")


@pytest.mark.usefixtures("made")
async def test_a_new_password_replaces_the_old_and_ends_logins(factory: SessionFactory) -> None:
    staff = await stored(factory, "anna")
    assert verify_password("another river at dusk", staff.password_hash)
    assert not verify_password(PASSWORD, staff.password_hash)
    assert staff.session_epoch == 2


@pytest.mark.usefixtures("made")
async def test_each_change_is_in_the_audit_log_without_the_password(factory: SessionFactory) -> None:
    entries = await AuditRepository(factory).recent()
    assert [(entry.actor, entry.action) for entry in reversed(entries)] == [
        ("system:command-line", "staff.created"),
        ("system:command-line", "staff.credentials_changed"),
    ]
    assert "river" not in repr(entries)


def test_a_database_that_does_not_answer_is_one_line_without_the_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEARKEN_STORAGE__DATABASE_URL", "postgresql://u:sekret@127.0.0.1:1/x")
    assert call(monkeypatch, "list") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("HEARKEN_STORAGE__DATABASE_URL: ")
    assert "sekret" not in line
