"""Serves the chat page over the world in memory: ``python -m tests.browser.serve PORT``."""

import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from app.api.headers import SecurityHeadersMiddleware
from app.api.person_data import person_data_router
from app.auth.person_cookie import PersonCookie, PersonCookieMiddleware
from app.settings import Settings
from app.settings_staff import LimitSettings
from app.ui.mount import mount_pages
from safety.helplines import load_directory
from tests.fakes.chat_world import FakeConversations, FakeTurns
from tests.fakes.memory_world import FakeMemory

ROOT = Path(__file__).parent.parent.parent


def build(conversations: FakeConversations, turns: FakeTurns, conversations_per_hour: int = 0) -> FastAPI:
    """The application as the composition root builds it, over the fakes.

    Everybody in a test run comes from one address, so new conversations are not limited unless asked for.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    cookie = PersonCookie("k" * 40, secure=False)

    @app.get("/safety", response_class=HTMLResponse)
    async def safety() -> str:
        return "<title>Safety</title><h1>Safety</h1>"

    app.mount("/static", StaticFiles(directory=ROOT / "static"), name="static")
    memory = FakeMemory(conversations)
    app.include_router(person_data_router(conversations, cookie, memory))
    settings = Settings(limits=LimitSettings(conversations_per_hour=conversations_per_hour))
    app = mount_pages(app, settings, conversations, turns, conversations.helplines, cookie, memory)
    app.add_middleware(PersonCookieMiddleware, cookie=cookie)
    app.add_middleware(SecurityHeadersMiddleware, https=False)
    return app


def main() -> None:
    """Serve until stopped."""
    conversations = FakeConversations(load_directory(None))
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 7899
    uvicorn.run(
        build(conversations, FakeTurns(conversations)), port=port, log_level="warning", access_log=False
    )


if __name__ == "__main__":
    main()
