import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI

from app.db.migrate import upgrade
from app.main import build_parts, create_app
from app.settings import Settings, StorageSettings
from tests.fakes.chat_model import FakeChatModel

PAGE = {"accept": "text/html"}


def one(*_: object) -> list[str]:
    return ["I am listening."]


# One application for all tests: building one takes seconds and its models hundreds of megabytes.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FastAPI]:
    settings = Settings(storage=StorageSettings(folder=tmp_path_factory.mktemp("web")))
    await asyncio.to_thread(upgrade, settings.database_url)
    parts = build_parts(settings, model=FakeChatModel(one))
    app = create_app(settings, parts)
    async with app.router.lifespan_context(app):
        yield app


@pytest_asyncio.fixture(loop_scope="module")
async def web(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A browser without cookies."""
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 50000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def test_the_process_says_that_it_is_alive(web: httpx.AsyncClient) -> None:
    assert (await web.get("/healthz")).json() == {"status": "alive"}


async def test_readiness_names_every_part(web: httpx.AsyncClient) -> None:
    answer = (await web.get("/readyz")).json()
    names = {part["name"] for part in answer["parts"]}
    assert names == {
        "database",
        "chat model",
        "reply scorer",
        "crisis classifier",
        "reply toxicity check",
        "reply classifier",
        "emotions",
        "helplines",
    }


async def test_metrics_are_for_loopback_only_and_not_through_a_proxy(web: httpx.AsyncClient) -> None:
    assert "hearken_turns" in (await web.get("/metrics")).text
    assert (await web.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"})).status_code == 403


async def test_the_page_gives_a_cookie_and_forbids_other_hosts(web: httpx.AsyncClient) -> None:
    answer = await web.get("/", headers=PAGE)
    assert answer.status_code == 200
    assert "hearken_person" in answer.cookies
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"


async def test_own_data_needs_the_cookie(web: httpx.AsyncClient) -> None:
    assert (await web.get("/api/me/export")).status_code == 401
    assert (await web.get("/api/me/conversations.html")).status_code == 401
    assert (await web.request("DELETE", "/api/me", headers={"x-requested-with": "page"})).status_code == 401


async def test_deleting_needs_a_header_that_other_sites_can_not_send(web: httpx.AsyncClient) -> None:
    await web.get("/", headers=PAGE)
    assert (await web.request("DELETE", "/api/me")).status_code == 422
    assert (await web.request("DELETE", "/api/me", headers={"x-requested-with": "page"})).status_code == 204


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file=var/hearken.sqlite3",
        "/gradio_api/file=.env",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2f.env",
        "/gradio_api/proxy=http://169.254.169.254/latest",
        "/docs",
        "/openapi.json",
        "/gradio_api/runs",
        "/gradio_api/openapi.json",
    ],
)
async def test_no_route_serves_files_of_the_machine_or_other_hosts(web: httpx.AsyncClient, path: str) -> None:
    answer = await web.get(path)
    body = answer.text
    assert answer.status_code in (400, 403, 404, 405) or "root:" not in body
    assert "SQLite format" not in body
    assert "SECRET" not in body
    if path in ("/docs", "/openapi.json"):
        assert answer.status_code == 404
    if path.startswith(("/gradio_api/file", "/gradio_api/proxy", "/static")):
        assert answer.status_code in (400, 403, 404)


@pytest.mark.parametrize("address", ["/gradio_api/queue/join", "/login", "/logout", "/nowhere"])
async def test_a_huge_body_is_refused_everywhere(web: httpx.AsyncClient, address: str) -> None:
    assert (await web.post(address, content=b"x" * 1_000_001)).status_code == 413


@pytest.mark.parametrize("address", ["/gradio_api/queue/join", "/login", "/logout"])
async def test_a_huge_body_that_announces_no_length_is_not_read_to_its_end(
    web: httpx.AsyncClient, address: str
) -> None:
    sent = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 100_000
            yield b"x" * 100_000

    answer = await web.post(address, content=pieces())
    assert answer.status_code >= 300
    assert sent <= 1_200_000


@pytest.mark.parametrize("foreign", ["a/b=1", "a@b=1", "a{b=1", "=;;", "x=\x07"])
@pytest.mark.parametrize("address", ["/", "/safety", "/review"])
async def test_cookies_of_other_applications_break_nothing(
    web: httpx.AsyncClient, foreign: str, address: str
) -> None:
    answer = await web.get(address, headers={**PAGE, "cookie": foreign})
    assert answer.status_code in (200, 303)


@pytest.mark.parametrize("order", ["{foreign}; {ours}", "{ours}; {foreign}"])
async def test_a_person_is_known_beside_foreign_cookies(web: httpx.AsyncClient, order: str) -> None:
    first = await web.get("/", headers=PAGE)
    ours = first.headers["set-cookie"].split(";")[0]
    web.cookies.clear()
    answer = await web.get("/", headers={**PAGE, "cookie": order.format(foreign="a/b=1", ours=ours)})
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("language", "minors", "human"),
    [("en", "If you are under 18", "Nobody watches"), ("zh", "如果你未满 18 岁", "没有人")],
)
async def test_the_crisis_protocol_is_published_with_every_line(
    web: httpx.AsyncClient, language: str, minors: str, human: str
) -> None:
    page = (await web.get(f"/safety?lang={language}")).text
    assert minors in page
    assert human in page
    for href in ("tel:988", "tel:18007997233", "tel:08001111", "tel:131126", "sms:741741"):
        assert href in page


async def test_undated_helplines_are_told_to_admins_by_name(web: httpx.AsyncClient) -> None:
    parts = {part["name"]: part for part in (await web.get("/readyz")).json()["parts"]}
    assert parts["helplines"]["state"] == "degraded"
    assert "cn-12338" in parts["helplines"]["detail"]
