"""Makes a new key for cookies where the old one is lost for good: ``python -m app.cookie_key``.

No browser finds its earlier conversations with a new key, and staff sign in anew. So the app itself makes
one only for a database without persons. A key that can be used is never replaced.
"""

import argparse
import sys

from app.auth.secret import FILE, KeyFileError, make_key, read_key
from app.settings import Settings, SettingsError, load_settings


def renew(settings: Settings) -> str:
    """Make the key; what to tell the operator.

    Raises:
        KeyFileError: There is a key that can be used.
        OSError: The file can't be written.
    """
    path = settings.storage.folder / FILE
    if settings.server.secret_key is not None:
        raise KeyFileError("HEARKEN_SERVER__SECRET_KEY is set, so no file is needed; nothing was changed.")
    if path.exists() and _is_usable(settings):
        raise KeyFileError(f"{path} holds a key that can be used; nothing was changed.")
    make_key(path, replace=True)
    return f"{path} holds a new key. Browsers begin anew: their earlier conversations can't be found again."


def _is_usable(settings: Settings) -> bool:
    try:
        read_key(settings.storage.folder / FILE)
    except KeyFileError:
        return False
    return True


def main(arguments: list[str] | None = None) -> int:
    """Run from a command line; returns the exit status."""
    argparse.ArgumentParser(prog="python -m app.cookie_key", description=__doc__).parse_args(arguments)
    try:
        told = renew(load_settings())
    except (KeyFileError, SettingsError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"The key can't be written ({error.strerror}).\n")
        return 1
    sys.stdout.write(told + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
