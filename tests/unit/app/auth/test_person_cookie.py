import uuid
from http.cookies import SimpleCookie

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.auth.person_cookie import COOKIE_NAME, PersonCookie, PersonCookieMiddleware

SECRET = "x" * 40


def client(cookie: PersonCookie) -> TestClient:
    async def page(request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(cookie.read(request.cookies)))

    app = Starlette(routes=[Route("/", page, methods=["GET", "POST"])])
    app.add_middleware(PersonCookieMiddleware, cookie=cookie)
    return TestClient(app)


def test_a_page_gives_a_new_browser_a_cookie_that_is_read_back() -> None:
    browser = client(PersonCookie(SECRET, secure=False))
    first = browser.get("/", headers={"accept": "text/html"})
    header = first.headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Lax" in header
    assert "Secure" not in header
    second = browser.get("/", headers={"accept": "text/html"})
    uuid.UUID(second.text)
    assert "set-cookie" not in second.headers


def test_requests_for_anything_but_pages_get_no_cookie() -> None:
    browser = client(PersonCookie(SECRET, secure=False))
    assert "set-cookie" not in browser.get("/", headers={"accept": "application/json"}).headers
    assert "set-cookie" not in browser.post("/", headers={"accept": "text/html"}).headers


def test_a_forged_or_foreign_cookie_is_nobody() -> None:
    cookie = PersonCookie(SECRET, secure=True)
    other = SimpleCookie(PersonCookie("y" * 40, secure=True).header(str(uuid.uuid4())))
    assert cookie.read({COOKIE_NAME: other[COOKIE_NAME].value}) is None
    assert cookie.read({COOKIE_NAME: str(uuid.uuid4())}) is None
    assert cookie.read({COOKIE_NAME: ""}) is None
    assert cookie.read({}) is None


def test_behind_https_the_cookie_is_secure() -> None:
    assert "Secure" in PersonCookie(SECRET, secure=True).header(str(uuid.uuid4()))
