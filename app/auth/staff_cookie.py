"""The cookie that carries a staff login: for this site only, out of reach of scripts."""

from collections.abc import Mapping
from datetime import datetime
from email.utils import format_datetime
from http.cookies import SimpleCookie

COOKIE_NAME = "hearken_staff"


def read_token(cookies: Mapping[str, str]) -> str | None:
    """The token a browser sent, if any; only the database knows whether it is good."""
    return cookies.get(COOKIE_NAME) or None


def set_cookie(token: str, expires_at: datetime, *, secure: bool) -> str:
    """The value of a ``Set-Cookie`` header for a fresh login.

    ``SameSite=Strict``: no other site can make a browser act as staff, not even by a link.
    """
    return _cookie(token, secure=secure, expires=format_datetime(expires_at, usegmt=True))


def clear_cookie(*, secure: bool) -> str:
    """The value of a ``Set-Cookie`` header that makes the browser forget the login."""
    return _cookie("", secure=secure, expires="Thu, 01 Jan 1970 00:00:00 GMT")


def _cookie(value: str, *, secure: bool, expires: str) -> str:
    cookie = SimpleCookie()
    cookie[COOKIE_NAME] = value
    morsel = cookie[COOKIE_NAME]
    morsel["path"] = "/"
    morsel["expires"] = expires
    morsel["httponly"] = True
    morsel["samesite"] = "Strict"
    if secure:
        morsel["secure"] = True
    return morsel.OutputString()
