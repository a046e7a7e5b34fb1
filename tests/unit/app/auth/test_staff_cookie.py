"""The cookie of a staff login can't be read by scripts or sent by other sites."""

from datetime import UTC, datetime
from http.cookies import SimpleCookie

from app.auth.staff_cookie import COOKIE_NAME, clear_cookie, read_token, set_cookie

WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_token_can_be_read_back() -> None:
    jar = SimpleCookie(set_cookie("abc-_123", WHEN, secure=True))
    assert read_token({name: morsel.value for name, morsel in jar.items()}) == "abc-_123"


def test_the_cookie_is_for_this_site_and_out_of_reach_of_scripts() -> None:
    text = set_cookie("abc", WHEN, secure=True)
    assert {"HttpOnly", "SameSite=Strict", "Secure", "Path=/"} <= set(text.split("; "))


def test_without_https_the_cookie_still_works() -> None:
    assert "Secure" not in set_cookie("abc", WHEN, secure=False)


def test_the_browser_forgets_it_when_the_login_ends() -> None:
    assert "expires=Sun, 01 Mar 2026 12:00:00 GMT" in set_cookie("abc", WHEN, secure=True)


def test_a_cleared_cookie_lies_in_the_past_and_holds_nothing() -> None:
    text = clear_cookie(secure=True)
    assert text.startswith(f'{COOKIE_NAME}=""')
    assert "expires=Thu, 01 Jan 1970" in text


def test_an_empty_cookie_is_no_token() -> None:
    assert read_token({COOKIE_NAME: ""}) is None
