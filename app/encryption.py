"""Encryption of stored text from the command line: ``python -m app.encryption COMMAND``.

``encrypt``, ``rotate`` and ``decrypt`` rewrite what is stored to the form that new text gets by
HEARKEN_STORAGE__ENCRYPTION_KEYS. They work while the application runs and can be broken off and
started again.
"""

import argparse
import asyncio
import sqlite3
import sys
from collections import Counter

from sqlalchemy.exc import SQLAlchemyError

from app.db.cipher import PLAIN, SETTING, EncryptionError, TextCipher, new_key
from app.db.encryption_keys import EncryptionKeyRepository, claim_keys
from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.migrate import MigrationError, upgrade_configured
from app.db.rewriting import Forms, TextRewriter, shred_leftovers
from app.settings import SettingsError, load_settings

_COMMANDS = {
    "new-key": "print a fresh key for the setting",
    "status": "count the stored texts by the key they need",
    "encrypt": "encrypt stored text with the first key",
    "rotate": "encrypt stored text with the first key, whatever key it has now",
    "decrypt": f"make stored text plain; the first key must be the word {PLAIN}",
}


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(
        prog="python -m app.encryption", description="Encryption of stored text."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in _COMMANDS.items():
        commands.add_parser(name, help=words)
    return parser.parse_args(arguments)


async def run(url: str, cipher: TextCipher, command: str) -> str:
    """Carry out one command on the database at ``url``; what to tell the operator.

    Raises:
        EncryptionError: The settings don't fit the command or the stored text.
    """
    _require_fitting(command, cipher)
    engine = create_engine(url, cipher=cipher)
    try:
        factory = session_factory(engine)
        if command == "status":
            return described(await TextRewriter(factory).forms(), cipher)
        await claim_keys(factory, cipher)
        done = await TextRewriter(factory).run(cipher, _show)
        told = [f"{done} rows were rewritten."]
        if done:
            try:
                await shred_leftovers(engine)
            except (SQLAlchemyError, sqlite3.Error):
                told.append("The file was in use, so it may still hold old text: run VACUUM when it is idle.")
        told.append(await _retire(factory, cipher))
        return "\n".join(filter(None, told))
    finally:
        await engine.dispose()


async def _retire(factory: SessionFactory, cipher: TextCipher) -> str:
    """Forget keys that no text needs any more, and name those that are still in the setting."""
    counts = await TextRewriter(factory).forms()
    needed = {form for forms in counts.values() for form in forms} | {cipher.writes}
    keys = EncryptionKeyRepository(factory)
    await keys.remove(await keys.known() - needed)
    unused = sorted(cipher.key_ids - needed)
    if not unused:
        return ""
    return f"No stored text needs key {', '.join(unused)}; backups made before still do."


def described(counts: Forms, cipher: TextCipher) -> str:
    """The counts as lines for an operator."""
    lines: list[str] = []
    for column, forms in counts.items():
        lines += [f"{column}: {number} {_form(form, cipher)}" for form, number in _sorted(forms)]
    return "\n".join(lines) or "No text is stored."


def _sorted(forms: Counter[str | None]) -> list[tuple[str | None, int]]:
    return sorted(forms.items(), key=lambda item: item[0] or "")


def _form(form: str | None, cipher: TextCipher) -> str:
    if form is None:
        return "plain"
    if form not in cipher.key_ids:
        return f"with key {form}, WHICH IS NOT AMONG THE KEYS"
    return f"with key {form}" + (" (the first one)" if form == cipher.writes else "")


def _require_fitting(command: str, cipher: TextCipher) -> None:
    if command in ("encrypt", "rotate") and cipher.writes is None:
        raise EncryptionError(f"{SETTING}: the first key encrypts, and there is none; nothing was changed")
    if command == "decrypt" and (cipher.writes is not None or not cipher.key_ids):
        raise EncryptionError(
            f"{SETTING}: write {PLAIN}, before the keys and restart the app, so that new text is "
            "stored plain; nothing was changed"
        )


def _show(table: str, done: int) -> None:
    sys.stderr.write(f"{table}: {done} rows\n")


def main(arguments: list[str] | None = None) -> int:
    """Run from a command line; returns the exit status."""
    command: str = parse(arguments).command
    try:
        if command == "new-key":
            sys.stdout.write(new_key() + "\n")
            return 0
        settings = load_settings()
        upgrade_configured(settings.storage, settings.database_url)
        sys.stdout.write(asyncio.run(run(settings.database_url, settings.storage.cipher, command)) + "\n")
    except (EncryptionError, SettingsError, MigrationError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
