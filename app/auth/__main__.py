"""Staff accounts from the command line: ``python -m app.auth --help`` lists what can be done."""

import argparse
import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable

from app.auth.accounts import COMMAND_LINE, AccountError, Accounts
from app.db.audit import AuditRepository
from app.db.engine import create_engine, session_factory
from app.db.migrate import MigrationError, upgrade_configured
from app.db.records import StaffRole
from app.db.staff import StaffRepository
from app.settings import SettingsError, load_settings


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(prog="python -m app.auth", description="Staff accounts.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all accounts")
    for name, words in (
        ("create", "make an account; asks for a password"),
        ("password", "set a new password; signs the account out everywhere"),
        ("role", "change what the account may do"),
        ("disable", "shut the account"),
        ("enable", "open a disabled account again"),
        ("unbind", "let the next user of that name at the sign-in provider have the account"),
    ):
        command = commands.add_parser(name, help=words)
        command.add_argument("username")
        if name in ("create", "role"):
            command.add_argument("--role", required=True, type=StaffRole, choices=list(StaffRole))
        if name == "create":
            command.add_argument(
                "--without-password", action="store_true", help="for who signs in by a provider (OIDC) only"
            )
    return parser.parse_args(arguments)


def ask_password() -> str:
    """A password typed twice, or the first line of standard input when that is no terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("New password (12 characters or more): ")
    if getpass.getpass("Once more: ") != first:
        raise AccountError("passwords_differ", "the two passwords differ")
    return first


Command = Callable[[Accounts], Awaitable[str]]


def choose(given: argparse.Namespace) -> Command:
    """The command that was asked for, with its arguments; asks for a password before any work."""
    name: str = getattr(given, "username", "")
    if given.command == "list":
        return _list
    if given.command == "create":
        password = None if given.without_password else ask_password()
        return lambda accounts: _create(accounts, name, given.role, password)
    if given.command == "password":
        new = ask_password()
        return lambda accounts: _password(accounts, name, new)
    if given.command == "unbind":
        return lambda accounts: _unbind(accounts, name)
    if given.command == "role":
        return lambda accounts: _role(accounts, name, given.role)
    return lambda accounts: _switch(accounts, name, on=given.command == "enable")


async def _list(accounts: Accounts) -> str:
    lines = [
        f"{one.username}\t{one.role.value}\t{'active' if one.disabled_at is None else 'disabled'}"
        for one in (seen.account for seen in await accounts.list())
    ]
    return "\n".join(lines) or "There are no staff accounts yet."


async def _create(accounts: Accounts, name: str, role: StaffRole, password: str | None) -> str:
    staff = await accounts.create(name, role, password)
    return f"{staff.username} can sign in as {role.value}."


async def _password(accounts: Accounts, name: str, password: str) -> str:
    staff = await accounts.named(name)
    await accounts.set_password(staff, password)
    return f"{staff.username} has a new password and is signed out everywhere."


async def _role(accounts: Accounts, name: str, role: StaffRole) -> str:
    staff = await accounts.named(name)
    await accounts.set_role(staff, role)
    return f"{staff.username} is now {role.value} and signed out everywhere."


async def _unbind(accounts: Accounts, name: str) -> str:
    staff = await accounts.named(name)
    await accounts.unbind(staff)
    return f"{staff.username} belongs to whom the provider signs in next by that name."


async def _switch(accounts: Accounts, name: str, *, on: bool) -> str:
    staff = await accounts.named(name)
    await (accounts.enable(staff) if on else accounts.disable(staff))
    return f"{staff.username} can {'sign in again' if on else 'no longer sign in'}."


async def run(url: str, command: Command) -> str:
    """Carry out one command on the database at ``url``."""
    engine = create_engine(url)
    try:
        factory = session_factory(engine)
        return await command(Accounts(StaffRepository(factory), AuditRepository(factory), COMMAND_LINE))
    finally:
        await engine.dispose()


def main(arguments: list[str] | None = None) -> int:
    """Run from a command line; returns the exit status."""
    given = parse(arguments)
    try:
        settings = load_settings()
        upgrade_configured(settings.storage, settings.database_url)
        sys.stdout.write(asyncio.run(run(settings.database_url, choose(given))) + "\n")
    except (AccountError, SettingsError, MigrationError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
