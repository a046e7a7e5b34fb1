"""Help and a true word for a message whose turn the database fails or holds up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from app.address_limit import AddressLimit
from app.chat.events import MessageStored, TurnEvent
from app.ui import help_first
from app.ui.running import RunningTurns
from app.ui.services import PageLimits
from app.ui.texts import load_texts
from app.ui.turn_stream import TurnStream, turn_request
from app.ui.view import View, ViewBuilder
from safety.helplines import load_directory
from tests.fakes.chat_world import FakeConversations, FakeTurns

TEXTS = load_texts()
PERSON = "person-1"
STEPS = ("create", "owns", "transcript", "notice_due", "nudge_due", "list")


class FullDiskError(Exception):
    """The database can't be written."""


class StubbornConversations(FakeConversations):
    """Fails, or waits, at the steps that a test names."""

    fails: frozenset[str] = frozenset()
    held: asyncio.Event | None = None

    def __getattribute__(self, name: str) -> Any:
        if name not in STEPS:
            return super().__getattribute__(name)
        if name in self.fails:
            return self._fail
        if self.held is not None and name in ("create", "owns"):
            return self._hold(super().__getattribute__(name))
        return super().__getattribute__(name)

    async def _fail(self, *_: Any, **__: Any) -> Any:
        raise FullDiskError

    def _hold(self, step: Any) -> Any:
        async def later(*values: Any, **named: Any) -> Any:
            assert self.held is not None
            await self.held.wait()
            return await step(*values, **named)

        return later


class LosingTurns(FakeTurns):
    """Ends with a fault after the message was stored."""

    async def _new(self, session_id: str, text: str) -> AsyncIterator[TurnEvent]:
        yield MessageStored("message-1")
        self.conversations.fails = frozenset(STEPS)  # type: ignore[attr-defined]
        raise FullDiskError(session_id + text)


class World:
    def __init__(self, turns: type[FakeTurns] = FakeTurns) -> None:
        helplines, running = load_directory(), RunningTurns()
        self.conversations = StubbornConversations(helplines)
        self.turns = turns(self.conversations, step_s=0.0, pause_s=0.0)
        builder = ViewBuilder(self.conversations, helplines, TEXTS, resume_hours=12, running=running)
        limits, newcomers = PageLimits(tick_s=0.01), AddressLimit(0)
        self.stream = TurnStream(
            self.conversations, self.turns, builder, running, limits, lambda *_: "US", newcomers
        )

    async def take(self, **data: Any) -> list[View]:
        request = turn_request(PERSON, {"action": "send", "locale": "en", **data}, "en-US")
        return [view async for view in self.stream.views(request)]


async def test_a_first_message_that_cant_be_stored_brings_help_and_a_true_word() -> None:
    world = World()
    world.conversations.fails = frozenset(STEPS)

    last = (await world.take(text="crisis"))[-1]

    assert "tel:988" in last["card"]["html"]
    assert last["outcome"] == {
        "kind": "unsent",
        "text": TEXTS["en"]("errors.not_saved"),
        "code": "not_saved",
    }
    assert last["busy"] is False


@pytest.mark.parametrize("step", [step for step in STEPS if step not in ("create", "list")])
async def test_a_later_message_brings_help_whichever_step_fails(step: str) -> None:
    world = World()
    session = (await world.take(text="hello"))[-1]["conversation"]
    world.conversations.fails = frozenset({step})

    last = (await world.take(text="crisis", conversation=session))[-1]

    assert "tel:988" in last["card"]["html"]
    assert last["outcome"]["code"] == "not_saved"


async def test_a_calm_message_that_cant_be_stored_brings_no_card() -> None:
    world = World()
    world.conversations.fails = frozenset(STEPS)

    last = (await world.take(text="hello"))[-1]

    assert not last.get("card")
    assert last["outcome"]["code"] == "not_saved"


async def test_help_does_not_wait_for_a_lock_and_the_page_hears_from_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(help_first, "PATIENCE_S", 0.0)
    world = World()
    world.conversations.held = asyncio.Event()
    request = turn_request(PERSON, {"action": "send", "locale": "en", "text": "crisis"}, "en-US")

    async with aclosing(world.stream.views(request)) as views:
        first = await anext(views)
        second = await anext(views)
        assert "tel:988" in first["card"]["html"]
        assert first["busy"] is True
        assert second["busy"] is True
        world.conversations.held.set()
        rest = [view async for view in views]

    assert rest[-1]["outcome"]["kind"] == "done"
    assert all(view["card"] for view in rest)


async def test_a_message_tried_again_is_read_from_the_page_when_it_cant_be_read_from_the_database() -> None:
    world = World()
    session = (await world.take(text="crisis"))[-1]["conversation"]
    world.conversations.fails = frozenset(STEPS)

    last = (await world.take(action="retry", text="crisis", conversation=session))[-1]

    assert "tel:988" in last["card"]["html"]
    assert last["outcome"]["text"] == TEXTS["en"]("errors.internal")


async def test_a_stored_message_stays_on_the_page_when_nothing_can_be_read() -> None:
    last = (await World(LosingTurns).take(text="crisis, all of it"))[-1]

    assert last["outcome"]["kind"] == "failed"
    assert last["outcome"]["text"] == TEXTS["en"]("errors.unanswered")
    assert "crisis, all of it" in last["items"][-1]["html"]
    assert "retry" in last["items"][-1]["html"]
    assert "tel:988" in last["card"]["html"]


async def test_a_new_conversation_that_cant_be_listed_is_answered_all_the_same() -> None:
    world = World()
    world.conversations.fails = frozenset({"list"})

    last = (await world.take(text="hello"))[-1]

    assert last["outcome"]["kind"] == "done"
