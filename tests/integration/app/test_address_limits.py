"""Limits by address: what is refused, who never is, and that nothing of an address is left."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from app.address_limit import AddressLimit, address_of
from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.migrate import upgrade
from app.settings_staff import LimitSettings
from app.ui.running import RunningTurns
from app.ui.services import PageLimits
from app.ui.texts import load_texts
from app.ui.turn_stream import TurnStream, turn_request
from app.ui.view import View, ViewBuilder
from safety.country_guess import guess_country
from safety.helplines import load_directory
from safety.levels import RiskAssessment, SessionRisk
from tests.browser.staff_site import PASSWORD, build_staff_site, fill
from tests.fakes.chat_model import FakeChatModel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store
from tests.integration.app.world import OTHER, PERSON, World, a_world

SCHOOL, HOME = "203.0.113.7", "203.0.113.8"
CRISIS = "I am going to kill myself tonight"
TEXTS = load_texts()


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path, FakeChatModel(lambda *_: ["I am listening."])) as world:
        yield world


@pytest.fixture
def stream(world: World) -> TurnStream:
    """The page's way to a turn, with two new conversations an hour."""
    helplines, running = load_directory(None), RunningTurns()
    builder = ViewBuilder(world.conversations, helplines, TEXTS, 12.0, running)
    limits, newcomers = PageLimits(), AddressLimit(2)
    return TurnStream(world.conversations, world.turns, builder, running, limits, guess_country, newcomers)


async def send(
    stream: TurnStream, text: str, address: str | None = SCHOOL, person: str = PERSON, **data: Any
) -> View:
    """The last view of a turn."""
    fields = {"action": "send", "text": text, "locale": "en", **data}
    views = [view async for view in stream.views(turn_request(person, fields, "en-US", address))]
    return views[-1]


async def test_a_third_new_conversation_from_one_address_is_kindly_put_off(
    stream: TurnStream, world: World
) -> None:
    kinds = [(await send(stream, "hello"))["outcome"]["kind"] for _ in range(2)]
    put_off = await send(stream, "hello", person=OTHER)
    assert kinds == ["done", "done"]
    assert put_off["outcome"] == {
        "kind": "unsent",
        "text": TEXTS["en"]("errors.too_many_new"),
        "code": "too_many_new",
    }
    assert put_off["busy"] is False
    assert await world.conversations.list(OTHER) == []


async def test_whoever_is_in_danger_gets_help_and_a_reply_beyond_the_limit(stream: TurnStream) -> None:
    for _ in range(2):
        await send(stream, "hello")
    answered = await send(stream, CRISIS, person=OTHER)
    assert answered["outcome"]["kind"] == "done"
    assert answered["card"]["html"]
    assert len(answered["items"]) == 2


async def test_whoever_is_in_danger_and_writes_too_much_sees_the_helplines(stream: TurnStream) -> None:
    for _ in range(2):
        await send(stream, "hello")
    refused = await send(stream, f"{'a long day ' * 5000} {CRISIS}", person=OTHER)
    assert refused["outcome"]["code"] == "too_long"
    assert refused["card"]["html"]


async def test_an_earlier_conversation_goes_on_beyond_the_limit(stream: TurnStream) -> None:
    first = await send(stream, "hello")
    await send(stream, "hello")
    again = await send(stream, "still here", conversation=first["conversation"])
    assert again["outcome"]["kind"] == "done"


async def test_another_address_and_an_unknown_one_are_not_put_off(stream: TurnStream) -> None:
    for _ in range(2):
        await send(stream, "hello")
    others = [await send(stream, "hello", address) for address in (HOME, None, None, None)]
    assert [view["outcome"]["kind"] for view in others] == ["done"] * 4


async def test_a_message_that_can_not_be_judged_is_let_in(
    stream: TurnStream, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        await send(stream, "hello")
    assessor = world.turns._desk._assessor
    assess = assessor.assess

    def broken(text: str, session: SessionRisk, **rest: Any) -> RiskAssessment:
        return replace(assess(text, session, **rest), failed_layers=("rules",))

    monkeypatch.setattr(assessor, "assess", broken)
    assert (await send(stream, "hello", person=OTHER))["outcome"]["kind"] == "done"


@pytest.fixture
async def staff(tmp_path: Path) -> AsyncIterator[tuple[SessionFactory, Store]]:
    url = f"sqlite:///{tmp_path / 'staff.sqlite3'}"
    await asyncio.to_thread(upgrade, url)
    engine = create_engine(url)
    factory = session_factory(engine)
    store = a_store(factory, FakeClock())
    await fill(store)
    yield factory, store
    await engine.dispose()


def a_browser(app: Any, address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 1)), base_url="http://test")


async def test_the_third_attempt_to_sign_in_from_one_address_waits(
    staff: tuple[SessionFactory, Store], caplog: pytest.LogCaptureFixture
) -> None:
    factory, store = staff
    app = build_staff_site(factory, LimitSettings(sign_ins_per_hour=2))
    wrong = {"username": "nobody", "password": "no such password", "next": "/annotate"}
    right = {"username": "admin", "password": PASSWORD}
    with caplog.at_level(logging.DEBUG):
        async with a_browser(app, SCHOOL) as there, a_browser(app, HOME) as here:
            tried = [(await there.post("/login", data=wrong)).status_code for _ in range(2)]
            refused = await there.post("/login", data=right)
            chinese = await there.post("/login", data=wrong, headers={"accept-language": "zh-CN"})
            form = await there.get("/login")
            elsewhere = await here.post("/login", data=right)
    assert tried == [401, 401]
    assert refused.status_code == chinese.status_code == 429
    assert 3590 <= int(refused.headers["retry-after"]) <= 3600
    assert "60 minutes" in refused.text
    assert "set-cookie" not in refused.headers
    assert "60 分钟" in chinese.text
    assert 'value="/annotate"' in chinese.text
    assert (form.status_code, elsewhere.status_code) == (200, 303)
    left = str([await store.contents(table) for table in ("audit_log", "staff", "staff_sessions")])
    assert SCHOOL not in left + caplog.text
    assert "too many from one network" in caplog.text


async def test_no_limit_is_set_by_zero() -> None:
    limit = AddressLimit(0)
    assert [limit.wait(SCHOOL) for _ in range(1000)] == [0] * 1000


async def test_an_ipv6_household_counts_as_one_and_its_neighbour_does_not() -> None:
    limit = AddressLimit(1)
    addresses = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "::ffff:203.0.113.7", SCHOOL]
    assert [bool(limit.wait(address)) for address in addresses] == [False, True, False, False, True]


async def test_an_hour_later_the_same_address_may_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    limit = AddressLimit(2)
    assert limit.wait(SCHOOL) == 0
    now += 1800
    assert limit.wait(SCHOOL) == 0
    now += 600
    assert limit.wait(SCHOOL) == 1200
    now += 1201
    assert limit.wait(SCHOOL) == 0
    # The window moves: the second one is still inside.
    assert limit.wait(SCHOOL) > 0


async def test_what_is_remembered_holds_no_address() -> None:
    limit = AddressLimit(5)
    limit.wait(SCHOOL)
    assert len(limit._storage.events) == 1
    assert "203.0" not in str(limit._storage.__dict__)


async def test_the_number_of_networks_in_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.address_limit._MOST_NETWORKS", 10)
    limit = AddressLimit(5)
    for last in range(100):
        limit.wait(f"198.51.100.{last}")
    assert len(limit._storage.events) <= 11


@pytest.mark.parametrize(
    ("client", "headers", "known"),
    [
        ((SCHOOL, 1), {}, SCHOOL),
        # Somebody who only claims to be forwarded is counted by where they are.
        ((SCHOOL, 1), {"x-forwarded-for": HOME}, SCHOOL),
        (("127.0.0.1", 1), {}, "127.0.0.1"),
        (("127.0.0.1", 1), {"x-forwarded-for": HOME}, None),
        (("::1", 1), {"forwarded": f"for={HOME}"}, None),
        (None, {}, None),
    ],
)
def test_the_address_is_that_of_the_connection(
    client: tuple[str, int] | None, headers: dict[str, str], known: str | None
) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert address_of(Request({"type": "http", "client": client, "headers": raw})) == known
