"""The staff pages behind a server, what a test does to their database meanwhile, and how one signs in."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI
from playwright.sync_api import Page
from sqlalchemy import URL

from app.db.engine import create_engine, session_factory
from app.settings import Settings
from tests.browser.conftest import READY_MS
from tests.browser.server_thread import ServerThread
from tests.browser.staff_site import PASSWORD, build_staff_site
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store

Work = Callable[[Store], Awaitable[Any]]
_DONE_S = 120


@dataclass(frozen=True)
class StaffServer:
    """A running server, and the way to do something to its database meanwhile."""

    url: str
    do: Callable[[Work], Any]


@contextmanager
def staff_server(database: URL, *preparing: Work, settings: Settings | None = None) -> Generator[StaffServer]:
    """Serve the staff pages over a migrated database, after the rows that ``preparing`` makes.

    Nothing of the database is touched in this thread: the browser's own event loop runs in it.
    """
    stores: list[Store] = []

    @asynccontextmanager
    async def application() -> AsyncGenerator[FastAPI]:
        engine = create_engine(database)
        stores.append(a_store(session_factory(engine), FakeClock(datetime.now(UTC))))
        for work in preparing:
            await work(stores[0])
        yield build_staff_site(stores[0].factory, settings=settings)
        await engine.dispose()

    server = ServerThread(application)
    server.start()

    def do(work: Work) -> Any:
        async def run() -> Any:
            return await work(stores[0])

        assert server.loop is not None
        return asyncio.run_coroutine_threadsafe(run(), server.loop).result(_DONE_S)

    try:
        yield StaffServer(server.url, do)
    finally:
        server.stop()


def sign_in(page: Page, address: str, name: str, to: str = "") -> Page:
    """Sign an account in and wait until the login has been left: what follows may ask for any page."""
    page.goto(f"{address}/login" + (f"?next={to}" if to else ""))
    page.fill("#username", name)
    page.fill("#password", PASSWORD)
    page.click("button")
    page.wait_for_url(lambda url: urlsplit(url).path != "/login", wait_until="commit", timeout=READY_MS)
    return page
