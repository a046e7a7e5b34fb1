"""Emotions in a turn: stored with the message, named to the model, in the person's data, in nobody's way."""

from pathlib import Path

import pytest

from app.chat.events import Done
from models.emotion import EmotionReading
from models.profiles import load_profiles
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import PERSON, World, a_world

GRIEF = EmotionReading({"grief": 0.82, "sadness": 0.14, "neutral": 0.04}, "grief")


class Reads:
    def __init__(self, found: EmotionReading | Exception) -> None:
        self._found = found

    def read(self, text: str) -> EmotionReading | None:
        del text
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def model() -> FakeChatModel:
    return FakeChatModel(lambda *_: ["I hear you."], profile=load_profiles()["qwen3"])


async def stored(world: World, session_id: str) -> list[object]:
    return [message.emotions for message in await world.stores.messages.full_log(session_id)]


async def test_the_message_carries_its_emotions_and_the_reply_none(tmp_path: Path) -> None:
    answering = model()
    async with a_world(tmp_path, answering, emotions=Reads(GRIEF)) as world:
        session = await world.session()
        assert isinstance((await world.take(session, "My dog died."))[-1], Done)
        assert await stored(world, session) == [{"grief": 0.82, "sadness": 0.14}, None]
    assert "Possibly grief." in answering.prompts[0][0].content


async def test_a_failing_head_stops_no_turn(tmp_path: Path) -> None:
    answering = model()
    async with a_world(tmp_path, answering, emotions=Reads(RuntimeError("broken"))) as world:
        session = await world.session()
        done = (await world.take(session, "My dog died."))[-1]
        assert isinstance(done, Done)
        assert done.status == "complete"
        assert await stored(world, session) == [None, None]
    assert "Possibly" not in answering.prompts[0][0].content


async def test_an_edited_message_is_read_anew_and_the_old_one_keeps_its_own(tmp_path: Path) -> None:
    async with a_world(tmp_path, model(), emotions=Reads(GRIEF)) as world:
        session = await world.session()
        await world.take(session, "My dog died.")
        events = [event async for event in world.turns.edit_last(session, "My old dog died.")]
        assert isinstance(events[-1], Done)
        log = await world.stores.messages.full_log(session)
        assert [one.emotions is not None for one in log] == [one.role == "user" for one in log]


async def test_somebody_in_danger_gets_help_and_the_prompt_keeps_to_safety(tmp_path: Path) -> None:
    answering = model()
    async with a_world(tmp_path, answering, emotions=Reads(GRIEF)) as world:
        session = await world.session()
        await world.take(session, "I want to kill myself tonight.")
        assert (await stored(world, session))[0] == {"grief": 0.82, "sadness": 0.14}
    assert all("Possibly" not in message.content for prompt in answering.prompts for message in prompt)


@pytest.mark.parametrize("whole", [True, False], ids=["person", "conversation"])
async def test_download_and_deletion_reach_them(tmp_path: Path, whole: bool) -> None:
    async with a_world(tmp_path, model(), emotions=Reads(GRIEF)) as world:
        session = await world.session()
        await world.take(session, "My dog died.")
        rows = [row async for name, row in world.conversations.export(PERSON) if name == "messages"]
        assert rows[0]["emotions"] == {"grief": 0.82, "sadness": 0.14}
        if whole:
            await world.conversations.delete_all(PERSON)
        else:
            await world.conversations.delete(PERSON, session)
        assert await stored(world, session) == []
