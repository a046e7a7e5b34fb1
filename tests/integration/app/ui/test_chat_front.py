"""Over HTTP: the page in its frame, and nothing else of Gradio."""

import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI

from safety.helplines import load_directory
from tests.browser.serve import build
from tests.fakes.chat_world import FakeConversations, FakeTurns

PAGE = {"accept": "text/html"}


# Building the page takes a second: once for all.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app() -> FastAPI:
    conversations = FakeConversations(load_directory())
    return build(conversations, FakeTurns(conversations))


@pytest_asyncio.fixture(loop_scope="module")
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        yield client


async def _view(client: httpx.AsyncClient) -> int:
    """Id of the page's component, as the page itself learns it; the cookies of this look are dropped."""
    document = (await client.get("/", headers=PAGE)).text
    client.cookies.clear()
    found = re.search(r"window\.gradio_config = (.*?);</script>", document)
    assert found is not None
    components = json.loads(found[1])["components"]
    return next(one["id"] for one in components if one["props"].get("elem_id") == "hk-view")


async def test_the_page_is_framed_in_the_browsers_language(client: httpx.AsyncClient) -> None:
    answer = await client.get("/", headers={**PAGE, "accept-language": "zh-CN"})

    assert 'data-locale="zh"' in answer.text
    assert answer.headers["content-language"] == "zh"


async def test_the_chosen_language_goes_before_the_browsers(client: httpx.AsyncClient) -> None:
    answer = await client.get("/", headers={**PAGE, "accept-language": "zh", "cookie": "hearken_locale=en"})

    assert 'data-locale="en"' in answer.text


@pytest.mark.parametrize(
    "cookie", ['hearken_locale="><script>', "hearken_locale", "=;;,\x07", "hearken_locale=xx"]
)
async def test_a_damaged_language_cookie_does_no_harm(client: httpx.AsyncClient, cookie: str) -> None:
    answer = await client.get("/", headers={**PAGE, "cookie": cookie})

    assert answer.status_code == 200
    assert 'data-locale="en"' in answer.text


async def test_a_browser_that_accepts_compression_gets_the_frame_too(client: httpx.AsyncClient) -> None:
    answer = await client.get("/", headers={**PAGE, "accept-encoding": "gzip, br"})

    assert "hk-composer" in answer.text
    assert int(answer.headers["content-length"]) == len(answer.content)


async def test_a_first_visit_gets_a_cookie_and_a_second_keeps_it(client: httpx.AsyncClient) -> None:
    first = await client.get("/", headers=PAGE)
    second = await client.get("/", headers=PAGE)

    assert "hearken_person" in first.headers["set-cookie"]
    assert "set-cookie" not in second.headers


async def test_the_page_is_not_kept_by_the_browser(client: httpx.AsyncClient) -> None:
    assert (await client.get("/", headers=PAGE)).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/config",
        "/config/",
        "/login",
        "/logout",
        "/user",
        "/token",
        "/app_id",
        "/monitoring",
        "/monitoring/summary",
        "/docs",
        "/openapi.json",
        "/manifest.json",
        "/pwa_icon",
        "/gradio_api/info",
        "/gradio_api/openapi.json",
        "/gradio_api/runs",
        "/gradio_api/run-history/records",
        "/gradio_api/deep_link",
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file=../../pyproject.toml",
        "/gradio_api/file/etc/passwd",
        "/gradio_api/proxy=http://127.0.0.1:1/",
        "/gradio_api/upload_progress",
        "/gradio_api/stream/x",
        "/gradio_api/vibe-code",
        "/gradio_api/app_id",
        "/custom_component/1/client/component/index.js",
        "/assets/../routes.py",
        "/assets/%2e%2e/%2e%2e/routes.py",
        "/?view=api/../../config",
    ],
)
async def test_gradios_other_addresses_are_not_there(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == (200 if path.startswith("/?") else 404)
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/upload",
        "/gradio_api/run/take_turn",
        "/gradio_api/api/take_turn",
        "/gradio_api/call/take_turn",
        "/gradio_api/call/v2/take_turn",
        "/gradio_api/reset",
        "/gradio_api/process_recording",
        "/gradio_api/vibe-edit",
        "/gradio_api/run-history/connect",
        "/login",
        "/",
    ],
)
async def test_nothing_but_turns_and_calls_can_be_posted(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.post(path, json={})).status_code == 404


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_other_methods_lead_nowhere(client: httpx.AsyncClient, method: str) -> None:
    assert (await client.request(method, "/gradio_api/queue/join")).status_code == 404


@pytest.mark.parametrize("name", ["open", "rate", "delete_all", "set_country"])
async def test_calls_without_a_cookie_do_nothing(client: httpx.AsyncClient, name: str) -> None:
    body = {"data": {}, "component_id": await _view(client), "fn_name": name, "session_hash": "x"}

    answer = await client.post("/gradio_api/component_server/", json=body)

    assert answer.json() == {"ok": False, "error": "no_cookie"}


@pytest.mark.parametrize("name", ["postprocess", "get_config", "__init__", "person", "no_such"])
async def test_only_the_pages_own_calls_can_be_named(client: httpx.AsyncClient, name: str) -> None:
    body = {"data": {}, "component_id": await _view(client), "fn_name": name, "session_hash": "x"}

    assert (await client.post("/gradio_api/component_server/", json=body)).status_code == 404


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("component_server/", {"component_id": 99999, "fn_name": "start", "data": {}, "session_hash": "a"}),
        ("queue/join", {"fn_index": 99999, "data": [], "session_hash": "a"}),
        ("queue/join", {"fn_index": -1, "data": [], "session_hash": "a"}),
    ],
)
async def test_what_the_page_does_not_have_is_not_found_and_not_logged(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, address: str, body: dict[str, object]
) -> None:
    answer = await client.post(f"/gradio_api/{address}", json=body)

    assert (answer.status_code, answer.text) == (404, "Not found")
    assert not caplog.records


async def test_a_stream_that_nobody_opened_ends_without_a_line_in_the_log(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await client.get("/gradio_api/queue/data", params={"session_hash": "zz1"})

    assert "session_not_found" in answer.text
    assert not caplog.records


@pytest.mark.parametrize("address", ["queue/join", "cancel", "component_server/"])
@pytest.mark.parametrize(
    "body",
    [
        b"NaN",
        b"[Infinity]",
        b'{"data": NaN}',
        b'{"fn_index": 1e400, "data": [], "session_hash": "a", "event_id": "b"}',
        rb'{"a": "\ud800"}',
        b"\xff\xfe",
        b"[" * 20_000,
        b"9" * 5_000,
        b"",
    ],
)
async def test_a_body_that_cannot_be_read_is_refused_without_a_line_in_the_log(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, address: str, body: bytes
) -> None:
    kind = {"content-type": "application/json"}
    answer = await client.post(f"/gradio_api/{address}", content=body, headers=kind)

    assert answer.status_code == 400
    assert not caplog.records


@pytest.mark.parametrize("address", ["queue/join", "cancel", "component_server/"])
@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
async def test_a_body_of_another_kind_is_refused_without_a_line_in_the_log(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, address: str, kind: str
) -> None:
    answer = await client.post(f"/gradio_api/{address}", content=b"a=b", headers={"content-type": kind})

    assert answer.status_code == 400
    assert not caplog.records
