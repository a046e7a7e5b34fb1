"""A person names a conversation; everything is checked against the cookie's person."""

from dataclasses import dataclass
from typing import Any, cast

import gradio as gr
import pytest

from app.ui.name_action import NameAction
from app.ui.running import RunningTurns
from app.ui.texts import load_texts
from app.ui.view import ViewBuilder
from safety.helplines import load_directory
from tests.fakes.chat_world import FakeConversations, FakeTurns
from tests.unit.app.ui.test_actions import ME, OTHER, FakeRequest, PlainCookie


@dataclass(frozen=True)
class World:
    """The action and a conversation of ME."""

    action: NameAction
    conversations: FakeConversations
    session: str

    async def name(self, person: str | None = ME, **data: Any) -> dict[str, Any]:
        request = cast("gr.Request", FakeRequest({} if person is None else {"person": person}, {}))
        return await self.action.name({"locale": "en", "conversation": self.session, **data}, request)

    @property
    def title(self) -> str | None:
        return self.conversations.sessions[self.session].title


@pytest.fixture
async def world() -> World:
    helplines = load_directory()
    conversations = FakeConversations(helplines)
    builder = ViewBuilder(conversations, helplines, load_texts(), resume_hours=12, running=RunningTurns())
    session = await conversations.create(ME, "en")
    action = NameAction(conversations, FakeTurns(conversations), builder, PlainCookie())
    return World(action, conversations, session.id)


async def test_the_list_comes_back_with_the_name_and_the_open_conversation(world: World) -> None:
    answer = await world.name(name="my job", shown=world.session)

    assert world.title == "my job"
    assert ">my job<" in answer["list"]
    assert 'aria-current="true"' in answer["list"]
    assert answer["danger"] is False


async def test_an_empty_name_takes_it_away(world: World) -> None:
    await world.name(name="my job")

    assert ">Conversation<" in (await world.name(name=""))["list"]
    assert world.title is None


async def test_the_name_comes_back_as_it_is_kept(world: World) -> None:
    assert (await world.name(name=" my \u202ejob"))["name"] == "my job"
    assert (await world.name(name="\u202e"))["name"] == ""


async def test_words_of_danger_are_answered_with_help(world: World) -> None:
    assert (await world.name(name="the crisis"))["danger"] is True
    assert world.title == "the crisis"


async def test_nobody_else_names_it(world: World) -> None:
    assert await world.name(OTHER, name="theirs") == {"ok": False, "error": "gone"}
    assert await world.name(None, name="theirs") == {"ok": False, "error": "no_cookie"}
    assert await world.name(name="mine", conversation=None) == {"ok": False, "error": "gone"}
    assert world.title is None


@pytest.mark.parametrize("name", [None, 7, ["x"], "x" * 241])
async def test_what_the_page_never_sends_is_refused(world: World, name: object) -> None:
    assert await world.name(name=name) == {"ok": False, "error": "refused"}
