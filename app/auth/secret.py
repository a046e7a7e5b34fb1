"""The key that signs cookies: given by the operator, or made once and kept."""

import os
import secrets
from pathlib import Path

FILE = "cookie.key"
MIN_LENGTH = 32
"""Characters; the same as for a key that is given."""


class KeyFileError(Exception):
    """The file of the key can't be used; the text is one line for an operator."""


def signing_key(folder: Path, given: str | None) -> str:
    """The operator's key, or one made at the first start and kept in ``folder`` for this user only.

    Raises:
        KeyFileError: The file holds no key that could be trusted.
        OSError: When the folder can't be written.
    """
    if given is not None:
        return given
    path = folder / FILE
    if not path.exists():
        make_key(path)
    return read_key(path)


def read_key(path: Path) -> str:
    """The key in a file.

    Raises:
        KeyFileError: The file is empty or its text too short: cookies signed with it could be forged.
        OSError: It can't be read.
    """
    try:
        key = path.read_text("ascii").strip()
    except UnicodeDecodeError:
        key = ""
    if len(key) < MIN_LENGTH:
        raise KeyFileError(
            f"{path} holds no key of {MIN_LENGTH} characters or more, so cookies could be forged: put the "
            "file back from a backup, or run `python -m app.cookie_key` for a new key; no browser finds its "
            "earlier conversations with a new one."
        )
    return key


def make_key(path: Path, *, replace: bool = False) -> None:
    """Write a new key, whole or not at all; of two processes that do so at once, one wins.

    Args:
        path: The file; readable for this user only.
        replace: Whether a file that is there gives way; else it stays.

    Raises:
        OSError: It can't be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        if replace:
            draft.replace(path)
        else:
            _place(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    _keep_name(path.parent)


def _place(draft: Path, path: Path) -> None:
    """Give the draft its name, unless another process was first: a link, unlike a renaming, sees that."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        draft.replace(path)


def _keep_name(folder: Path) -> None:
    """Make sure that a power cut does not take the name of the new file away."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
