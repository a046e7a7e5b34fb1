"""The key that signs cookies: given by the operator, or made once and kept."""

import os
import secrets
from pathlib import Path


def signing_key(folder: Path, given: str | None) -> str:
    """The operator's key, or one made at the first start and kept in ``folder`` for this user only.

    Raises:
        OSError: When the folder can't be written.
    """
    if given is not None:
        return given
    path = folder / "cookie.key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_text("ascii").strip()
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
    return path.read_text("ascii").strip()
