"""The staff pages over a real, filled database: ``python -m tests.browser.staff_site PORT``."""

import asyncio
import sys
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy import URL

from app.api.headers import SecurityHeadersMiddleware
from app.auth.passwords import hash_password
from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.migrate import upgrade
from app.db.records import StaffRole
from app.settings import Settings
from app.settings_staff import LimitSettings
from app.staff import add_staff
from safety.helplines import load_directory
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store, an_assessment

ROOT = Path(__file__).parent.parent.parent
PASSWORD = "quiet river at dawn"
UNLIMITED = LimitSettings(sign_ins_per_hour=0, conversations_per_hour=0)
CRISIS = "I can't do this any more <b>tonight</b>"
CALM = "My sister moved away and the evenings are long"


def build_staff_site(
    sessions: SessionFactory, limits: LimitSettings = UNLIMITED, settings: Settings | None = None
) -> FastAPI:
    """The application as far as staff see it; tests sign in more often than people do."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static", StaticFiles(directory=ROOT / "static"), name="static")
    add_staff(app, settings or Settings(limits=limits), sessions, load_directory())
    app.mount("/", PlainTextResponse("the chat page takes every other address", 404))
    app.add_middleware(SecurityHeadersMiddleware, https=False)
    return app


async def fill(store: Store) -> None:
    """Two staff accounts, a flagged conversation, and one with consent and two replies to rate."""
    await add_accounts(store)
    flagged = await store.session()
    message, _ = await store.turn(flagged, CRISIS, {"validation": 1})
    await store.risk.add(message.id, flagged.id, an_assessment(RiskLevel.IMMINENT))
    await store.flags.raise_flag(flagged.id, message.id, RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    willing = await store.person()
    await store.persons.update(willing.id, consent=True)
    calm = await store.session(willing)
    await store.turn(calm, CALM, {"validation": 1})
    store.clock.advance(seconds=1)
    await store.turn(calm, "I miss our walks", {"questioning": 1})


async def add_accounts(store: Store) -> None:
    """An account of each role, named after it."""
    for role in StaffRole:
        await store.staff.create(role.value, _hash(), role)


@cache
def _hash() -> str:
    """Hashing takes its time by design; once is enough for tests."""
    return hash_password(PASSWORD)


def a_filled_database(folder: Path) -> URL:
    """Address of a fresh SQLite file with the above in it."""
    url = URL.create("sqlite", database=str(folder / "staff.sqlite3"))
    upgrade(url)

    async def work() -> None:
        engine = create_engine(url)
        await fill(a_store(session_factory(engine), FakeClock(datetime.now(UTC))))
        await engine.dispose()

    asyncio.run(work())
    return url


def main() -> None:
    """Serve until stopped."""
    url = a_filled_database(Path(tempfile.mkdtemp()))
    app = build_staff_site(session_factory(create_engine(url)))
    uvicorn.run(app, port=int(sys.argv[1]), log_level="info", access_log=True)


if __name__ == "__main__":
    main()
