"""A real browser before a real server; what lies behind the page is the world in memory.

Two variables of the environment make every page of :func:`new_context` a slow one, to find what only
works on a quick machine: ``HEARKEN_TEST_LATENCY_MS`` adds so many milliseconds to every answer of the
network, ``HEARKEN_TEST_CPU_SLOWDOWN`` divides the speed of the page's scripts by so much. What fails
with 400 and 4 counts on a quick machine.
"""

import os
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from fastapi import FastAPI
from gradio.context import Context
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)
from sqlalchemy import URL

from app.db.migrate import upgrade
from safety.helplines import load_directory
from tests.browser.serve import build
from tests.browser.server_thread import ServerThread
from tests.fakes.chat_world import FakeConversations, FakeTurns

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMIUM_ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
LATENCY_MS = float(os.environ.get("HEARKEN_TEST_LATENCY_MS", "0"))
CPU_SLOWDOWN = float(os.environ.get("HEARKEN_TEST_CPU_SLOWDOWN", "1"))
PATIENCE_MS = 15_000
READY_MS = 90_000

# How long a page takes says something about the machine: what has to come may take its time.
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@dataclass(frozen=True)
class Site:
    """A running server and the world behind it."""

    url: str
    conversations: FakeConversations
    turns: FakeTurns
    halt: Callable[..., Callable[[], None]]

    def restart(self) -> None:
        """Stop the server and start it anew."""
        self.halt()()


def chat_server(
    conversations: FakeConversations, turns: FakeTurns, port: int = 0, conversations_per_hour: int = 0
) -> ServerThread:
    """The chat page over the world in memory."""

    @asynccontextmanager
    async def application() -> AsyncGenerator[FastAPI]:
        yield build(conversations, turns, conversations_per_hour)

    return ServerThread(application, port)


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    conversations = FakeConversations(load_directory(None))
    turns = FakeTurns(conversations)
    first_id = Context.id
    server = chat_server(conversations, turns)
    server.start()

    def halt(*, changed: bool = False) -> Callable[[], None]:
        """Stop the server; what comes back starts it anew, at the same address.

        Args:
            changed: Gradio numbers the parts of the new page in another way, as a newer version may.
        """
        port = server.port
        server.stop()

        def start() -> None:
            nonlocal server
            # A new process counts from the beginning.
            Context.id += 100 if changed else first_id - Context.id
            server = chat_server(conversations, turns, port)
            server.start()

        return start

    yield Site(f"{server.url}/", conversations, turns, halt)
    server.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if shutil.which(CHROMIUM) is None:
        pytest.skip("no Chromium; apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(CHROMIUM_ARGS))
        yield browser
        browser.close()


_networks: "WeakKeyDictionary[Page, CDPSession]" = WeakKeyDictionary()


def slowed(page: Page) -> Page:
    """The same page, as slow as the environment asks for (see above)."""
    if LATENCY_MS or CPU_SLOWDOWN > 1:
        connect(page)
        session: Any = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    return page


def connect(page: Page, *, offline: bool = False) -> None:
    """Cut a page off from the network, or connect it again; it stays as slow as it was."""
    if page not in _networks:
        _networks[page] = page.context.new_cdp_session(page)
    session: Any = _networks[page]
    session.send("Network.enable")
    conditions: dict[str, Any] = {"offline": offline, "latency": LATENCY_MS}
    unlimited = {"downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", conditions | unlimited)


OpenPage = Callable[..., Page]


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers of different persons: each has cookies of its own."""
    contexts: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        settings = {"viewport": DESK, "locale": "en-US", "timezone_id": "America/New_York", **options}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        new_page = context.new_page
        context.new_page = lambda: slowed(new_page())  # type: ignore[method-assign]
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(site: Site, new_context: Callable[..., BrowserContext]) -> OpenPage:
    """Opens the page as a new person and waits until it is ready."""

    def make(context: BrowserContext | None = None, **options: object) -> Page:
        page = (context or new_context(**options)).new_page()
        page.goto(site.url)
        ready(page)
        return page

    return make


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file without rows; migrating takes longer than copying."""
    file = tmp_path_factory.mktemp("browser") / "template.sqlite3"
    with ThreadPoolExecutor(1) as thread:
        thread.submit(upgrade, URL.create("sqlite", database=str(file))).result()
    return file


@pytest.fixture
def staff_database(migrated: Path, tmp_path: Path) -> URL:
    """Address of a migrated database of its own."""
    shutil.copy(migrated, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


def ready(page: Page) -> None:
    """Wait until the page is connected."""
    page.wait_for_selector("html.hk-ready", state="attached", timeout=READY_MS)


def send(page: Page, text: str) -> None:
    """Type a message and press Enter."""
    page.fill("#hk-message", text)
    page.press("#hk-message", "Enter")


def replied(page: Page, count: int = 1) -> None:
    """Wait until so many replies are complete."""
    page.wait_for_function(
        "count => document.querySelectorAll('.hk-reply .hk-thumbs').length === count"
        " && document.getElementById('hk-stop').hidden",
        arg=count,
    )


def conversation_of(page: Page) -> str:
    """Id of the conversation that the page shows, once it has one."""
    return str(page.wait_for_function("() => history.state?.conversation").json_value())


def let_on(page: Page, site: Site, steps: int = 1) -> None:
    """Let the page's ``step by step`` turn take so many steps."""
    site.turns.allowed[conversation_of(page)] += steps


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for something outside of the page, such as the server's side of what a page does.

    Raises:
        AssertionError: It did not come within the usual time.
    """
    last = time.monotonic() + PATIENCE_MS / 1000
    while not condition():
        assert time.monotonic() < last, "it did not come"
        page.wait_for_timeout(20)


def is_call(request: Request, name: str) -> bool:
    """Whether a request is the call of the page's script with this name."""
    return "/component_server" in request.url and f'"{name}"' in (request.post_data or "")


def called(page: Page, name: str) -> AbstractContextManager[Any]:
    """Wait, at the end of the block, for the answer to such a call that began in it."""

    def matches(answer: Response) -> bool:
        return is_call(answer.request, name)

    return page.expect_response(matches)


def settled(page: Page) -> None:
    """Wait until the page has dealt with every answer that it got before: one more is asked for and shown."""
    with called(page, "help"):
        page.click("#hk-help")
    page.wait_for_selector("#hk-help-body .hk-lines")
    page.keyboard.press("Escape")
