"""The whole application as `app.main` builds it, over a filled database, with a made-up model."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI

from app.auth.staff_cookie import COOKIE_NAME
from app.db.migrate import upgrade
from app.db.records import StaffRole
from app.main import Parts, build_parts, create_app
from app.settings import Settings, StorageSettings
from tests.browser.staff_site import PASSWORD, UNLIMITED, fill
from tests.fakes.chat_model import FakeChatModel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store

HOST = "http://localhost"


@dataclass(frozen=True)
class WholeApp:
    """The running application and the database behind it."""

    app: FastAPI
    parts: Parts
    store: Store

    def browser(self, cookies: dict[str, str] | None = None) -> httpx.AsyncClient:
        """A browser of its own; closed by whoever asked for it."""
        transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 50000), raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=HOST, cookies=cookies)

    async def token(self, role: StaffRole) -> str:
        """The token of a fresh login of the account of that role."""
        async with self.browser() as browser:
            form = {"username": role.value, "password": PASSWORD}
            answer = await browser.post("/login", data=form)
        return answer.cookies[COOKIE_NAME]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def whole(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WholeApp]:
    """Built once a module: it takes seconds and hundreds of megabytes."""
    storage = StorageSettings(folder=tmp_path_factory.mktemp("whole"))
    settings = Settings(storage=storage, limits=UNLIMITED)
    await asyncio.to_thread(upgrade, settings.database_url)
    parts = build_parts(settings, model=FakeChatModel(lambda *_: ["I am listening."]))
    store = a_store(parts.sessions, FakeClock(datetime.now(UTC)))
    await fill(store)
    app = create_app(settings, parts)
    async with app.router.lifespan_context(app):
        yield WholeApp(app, parts, store)


As = Callable[[StaffRole | None], Awaitable[dict[str, str]]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cookies_of(whole: WholeApp) -> As:
    """Cookies of a signed-in account of a role, signed in once a module; none for nobody."""
    known: dict[StaffRole, str] = {}

    async def find(role: StaffRole | None) -> dict[str, str]:
        if role is None:
            return {}
        if role not in known:
            known[role] = await whole.token(role)
        return {COOKIE_NAME: known[role]}

    return find
