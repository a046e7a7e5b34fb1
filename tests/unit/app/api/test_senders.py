import httpx
import pytest
from fastapi import FastAPI
from pydantic import HttpUrl

from app.api.senders import SendersMiddleware, own_hosts
from app.settings import ServerSettings

LOCAL = ServerSettings()
PUBLIC = ServerSettings(public_url=HttpUrl("https://talk.example.org"))
HOST = "http://localhost:7860"


async def status(headers: dict[str, str], method: str = "POST", server: ServerSettings = LOCAL) -> int:
    app = FastAPI(openapi_url=None)
    app.api_route("/", methods=[method])(lambda: None)
    app.add_middleware(SendersMiddleware, own=own_hosts(server))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOST) as browser:
        return (await browser.request(method, "/", headers=headers)).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "something new"},
        {"sec-fetch-site": "same-site", "origin": HOST},
        {"origin": "http://evil.com"},
        {"origin": "http://localhost:9000"},
        {"origin": "http://localhost:7860.evil.com"},
        {"origin": "http://evil.com", "content-type": "text/plain"},
        {"origin": "null"},
        {"origin": ""},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_what_another_site_or_another_port_sends_changes_nothing(
    headers: dict[str, str], method: str
) -> None:
    assert await status(headers, method) == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "same-origin", "origin": HOST},
        {"sec-fetch-site": "none"},
        {"origin": HOST},
        {"origin": "http://LOCALHOST:7860"},
        {"origin": "http://192.168.1.7", "host": "192.168.1.7:80"},
    ],
)
async def test_what_a_page_of_ours_or_no_browser_sends_is_taken(headers: dict[str, str]) -> None:
    assert await status(headers) == 200


async def test_reading_is_open_to_links_from_other_sites() -> None:
    assert await status({"sec-fetch-site": "cross-site"}, "GET") == 200


async def test_the_public_address_is_ours_also_where_a_proxy_names_another_host() -> None:
    proxied = {"origin": "https://talk.example.org", "host": "127.0.0.1:7860"}
    assert await status(proxied, server=PUBLIC) == 200
    assert await status(proxied, server=LOCAL) == 403
    assert await status({"origin": "https://other.example.org"}, server=PUBLIC) == 403
