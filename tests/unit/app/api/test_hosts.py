import httpx
import pytest
from fastapi import FastAPI
from pydantic import HttpUrl

from app.api.hosts import KnownHostsMiddleware, known_hosts
from app.settings import ServerSettings

LOCAL = ServerSettings()
ALL_INTERFACES = "0.0.0.0"  # noqa: S104 - a setting, nothing is bound
PUBLIC = ServerSettings(host=ALL_INTERFACES, public_url=HttpUrl("https://Talk.example.org"))
OPEN = ServerSettings(host=ALL_INTERFACES)


async def status(server: ServerSettings, host: str, path: str = "/") -> int:
    app = FastAPI(openapi_url=None)
    for address in ("/", "/metrics"):
        app.get(address)(lambda: None)
    app.add_middleware(KnownHostsMiddleware, hosts=known_hosts(server))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as browser:
        return (await browser.get(path, headers={"host": host})).status_code


@pytest.mark.parametrize(
    ("server", "host"),
    [
        (LOCAL, "127.0.0.1:7860"),
        (LOCAL, "localhost:7860"),
        (LOCAL, "[::1]:7860"),
        (PUBLIC, "talk.example.org"),
        (PUBLIC, "TALK.example.org:443"),
        (PUBLIC, "127.0.0.1:7860"),
        (OPEN, "192.168.1.7:7860"),
        (OPEN, "any-name"),
    ],
)
async def test_our_own_names_are_answered(server: ServerSettings, host: str) -> None:
    assert await status(server, host) == 200


@pytest.mark.parametrize(
    ("server", "host"),
    [
        (LOCAL, "evil.example"),
        (LOCAL, "localhost.evil.example"),
        (LOCAL, ""),
        (PUBLIC, "evil.example"),
        (PUBLIC, "talk.example.org.evil.example"),
        (PUBLIC, "talk.example.org@evil.example"),
        (PUBLIC, "192.168.1.7"),
    ],
)
async def test_a_foreign_name_is_refused(server: ServerSettings, host: str) -> None:
    assert await status(server, host) == 400


async def test_counts_are_read_under_any_name_of_the_private_network() -> None:
    assert await status(PUBLIC, "app:7860", "/metrics") == 200
