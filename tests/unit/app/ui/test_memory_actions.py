"""What the page can ask about style and memory; everything is checked against the cookie's person."""

from dataclasses import dataclass
from typing import Any, cast

import gradio as gr
import pytest

from app.ui.memory_actions import MemoryActions
from models.styles import Style
from safety.helplines import load_directory
from tests.fakes.chat_world import FakeConversations, FakeTurns
from tests.fakes.memory_world import FakeMemory
from tests.unit.app.ui.test_actions import ME, OTHER, FakeRequest, PlainCookie

CALLS = ("memory", "change_fact", "forget_fact", "forget_all", "set_remember", "set_style")


@dataclass(frozen=True)
class World:
    """The actions and a conversation of ME in which a cat was told of."""

    actions: MemoryActions
    conversations: FakeConversations
    session: str

    async def ask(self, name: str, person: str | None = ME, **data: Any) -> dict[str, Any]:
        cookies = {} if person is None else {"person": person}
        request = cast("gr.Request", FakeRequest(cookies, {}))
        return await getattr(self.actions, name)({"conversation": self.session, **data}, request)

    async def fact(self) -> str:
        return (await self.ask("memory"))["facts"][0]["id"]


@pytest.fixture
async def world() -> World:
    conversations = FakeConversations(load_directory())
    turns = FakeTurns(conversations, step_s=0.0, pause_s=0.0)
    session = await conversations.create(ME, "en")
    async for _ in turns.run(session.id, "My cat Miso is 15."):
        pass
    return World(MemoryActions(FakeMemory(conversations), turns, PlainCookie()), conversations, session.id)


def test_the_page_may_name_no_other_calls(world: World) -> None:
    assert tuple(call.__name__ for call in world.actions.all()) == CALLS


@pytest.mark.parametrize("name", CALLS)
async def test_nobody_else_gets_or_changes_anything(world: World, name: str) -> None:
    given = {"fact": await world.fact(), "text": "mine now", "remember": False, "style": "brief"}
    assert await world.ask(name, OTHER, **given) == {"ok": False, "error": "gone"}
    assert await world.ask(name, None, **given) == {"ok": False, "error": "no_cookie"}
    answer = await world.ask("memory")
    assert [fact["text"] for fact in answer["facts"]] == ["My cat Miso is 15"]
    assert answer["remember"] is True
    assert world.conversations.sessions[world.session].style is Style.BALANCED


@pytest.mark.parametrize("style", ["", "loud", None, 3, ["brief"], "b" * 999])
async def test_a_style_that_is_not_offered_is_refused(world: World, style: object) -> None:
    assert await world.ask("set_style", style=style) == {"ok": False, "error": "refused"}


@pytest.mark.parametrize("remember", [None, "false", 0, []])
async def test_the_switch_is_on_or_off(world: World, remember: object) -> None:
    assert await world.ask("set_remember", remember=remember) == {"ok": False, "error": "refused"}


@pytest.mark.parametrize("text", ["", None, 7, "x" * 201, "x" * 5000, "I have 30 pills"])
async def test_a_wording_that_may_not_be_kept_changes_nothing(world: World, text: object) -> None:
    answer = await world.ask("change_fact", fact=await world.fact(), text=text)
    assert answer == {"ok": True, "kept": False}


async def test_a_wording_that_shows_danger_is_answered_with_help(world: World) -> None:
    answer = await world.ask("change_fact", fact=await world.fact(), text="a crisis")
    assert answer == {"ok": True, "kept": False, "danger": True}


async def test_a_change_comes_back_with_all_that_is_kept(world: World) -> None:
    answer = await world.ask("change_fact", fact=await world.fact(), text="My cat is 16")
    assert answer["kept"] is True
    assert [(fact["kind"], fact["text"], fact["changed"]) for fact in answer["facts"]] == [
        ("pet", "My cat is 16", True)
    ]


async def test_without_a_conversation_there_is_nothing_to_ask_for(world: World) -> None:
    assert await world.ask("memory", conversation=None) == {"ok": False, "error": "gone"}
