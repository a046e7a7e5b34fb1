"""Passwords of staff: argon2id hashes, and what a password must be like."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.auth.common_passwords import is_common

MIN_LENGTH = 12
MAX_LENGTH = 256
"""Hashing takes its time by design, so its input is bounded."""

_hasher = PasswordHasher()


class WeakPasswordError(ValueError):
    """The password can't be used; the text says why, ``code`` is its key among the pages' texts."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def hash_password(password: str, username: str = "") -> str:
    """The argon2id hash of a new password.

    Raises:
        WeakPasswordError: It is too short, too long, few characters repeated, a common one, or holds the
            user name.
    """
    if len(password) < MIN_LENGTH:
        raise WeakPasswordError("short", f"a password needs at least {MIN_LENGTH} characters")
    if len(password) > MAX_LENGTH:
        raise WeakPasswordError("long", f"a password has at most {MAX_LENGTH} characters")
    if len(set(password)) < MIN_LENGTH // 3:
        raise WeakPasswordError("few", "the password repeats too few characters")
    if username and username.casefold() in password.casefold():
        raise WeakPasswordError("holds_name", "the password must not contain the user name")
    if is_common(password, username):
        raise WeakPasswordError("common", "the password is a common one, or made of common parts")
    return _hasher.hash(password)


def check_is_new(present: str, new: str) -> None:
    """Refuse the present password as the new one.

    Raises:
        WeakPasswordError: They are the same.
    """
    if present == new:
        raise WeakPasswordError("same", "the new password is the present one")


def verify_password(password: str, stored: str | None) -> bool:
    """Whether the password fits; takes about as long when there is no hash to compare with.

    Runs for tens of milliseconds: call it in a thread.
    """
    if len(password) > MAX_LENGTH:
        return False
    try:
        matches = _hasher.verify(stored or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return matches and stored is not None


@cache
def _nobody() -> str:
    """A hash to check against when there is no account, so that both answers take as long."""
    return _hasher.hash("no account has this password")
