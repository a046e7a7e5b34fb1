"""Style and memory in whole turns: what prompts hold, what is never noted, and whose it is."""

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from app.chat.own_memory import CantBeKeptError
from app.chat.session import NotYoursError
from models.chat_model import ChatMessage
from models.facts import FactKind, FoundFact
from models.profiles import Profile, load_profiles
from models.styles import Style
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import OTHER, PERSON, World, a_world

CRISIS = "My cat Miso is 15 and tonight I am going to take all my pills and die"
SMALL_TALK = (
    "It was one of those grey afternoons again, and the hours went by so slowly that I looked at the clock. "
    * 3
)


def three(*_: object) -> list[str]:
    return ["3.0 That is hard.", "4.5 I hear how much this weighs on you.", "4.0 What happened then?"]


def a_model(key: str, **changes: Any) -> FakeChatModel:
    profile: Profile = replace(load_profiles()[key], answers_at_risk=True, monolingual=False, **changes)
    return FakeChatModel(three, profile=profile)


def whole(prompt: list[ChatMessage]) -> str:
    return "\n".join(message.content for message in prompt)


async def facts_of(world: World, session: str) -> list[str]:
    return [fact.text for fact in (await world.own_memory.kept(PERSON, session)).facts]


async def long_talk(world: World, told: str, then: str) -> str:
    """Sixty turns; the third tells something, the last asks for it."""
    session = await world.session()
    for turn in range(1, 60):
        await world.take(session, told if turn == 3 else f"{turn}: {SMALL_TALK}")
    await world.take(session, then)
    return session


@pytest.mark.parametrize("key", ["embedded", "qwen3"])
async def test_turn_60_knows_what_turn_3_told_and_fits(tmp_path: Path, database_url: URL, key: str) -> None:
    model = a_model(key, context_length=2048, max_reply_tokens=128)
    url = database_url.render_as_string(hide_password=False)
    async with a_world(tmp_path, model, url=url) as world:
        await long_talk(world, "My cat Miso is 15 and she is all I have.", "Do you remember my cat?")
    assert len(model.prompts) == 60
    third, last = model.prompts[2], model.prompts[-1]
    # While the turn itself is in the prompt, nothing is told twice.
    assert whole(third).count("Miso") == 1
    assert whole(last).lower().count("my cat miso is 15") == 1
    assert model.count_tokens(last) <= 2048 - 128
    assert [message.role for message in last[:2]] == ["system", "user"]
    roles = [message.role for message in last[1:]]
    assert all(before != after for before, after in pairwise(roles))
    assert last[-1].content.endswith("Do you remember my cat?")


async def test_what_is_remembered_is_no_invention_to_the_scorer(tmp_path: Path) -> None:
    async with a_world(tmp_path, a_model("embedded"), history=4) as world:
        session = await world.session()
        for text in ("My cat Miso is 15 and she is all I have.", "Hm.", "It rained today.", "I am tired."):
            await world.take(session, text)
    assert not any("Miso" in turn.content for turn in world.scorer.contexts[-1])
    assert any("Miso" in fact for fact in world.scorer.facts[-1])


async def test_the_embedded_model_sees_the_system_text_it_was_tuned_with_and_only_that(
    tmp_path: Path,
) -> None:
    model = a_model("embedded")
    async with a_world(tmp_path, model) as world:
        session = await long_talk(world, "My cat Miso is 15.", "And now?")
        await world.own_memory.set_style(PERSON, session, Style.BRIEF)
        await world.take(session, "Still there?")
    assert {prompt[0].content for prompt in model.prompts} == {model.prompts[0][0].content}
    assert model.prompts[-1][1].content.startswith("My cat Miso is 15.\n\n")
    assert model.prompts[-1][1].role == "user"


async def test_a_changed_fact_is_told_as_the_person_changed_it(tmp_path: Path) -> None:
    model = a_model("qwen3")
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        await world.take(session, "My cat Miso is 15.")
        [fact] = (await world.own_memory.kept(PERSON, session)).facts
        await world.own_memory.change(PERSON, session, fact.id, "My cat Miso is 16")
        await world.take(session, "What now?")
    assert '- "My cat Miso is 16"' in model.prompts[-1][0].content


async def test_a_deleted_fact_is_told_no_more_and_a_retry_does_not_find_it_again(tmp_path: Path) -> None:
    model = a_model("embedded")
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        await world.take(session, "My cat Miso is 15.")
        [fact] = (await world.own_memory.kept(PERSON, session)).facts
        await world.own_memory.forget(PERSON, session, fact.id)
        assert [event async for event in world.turns.retry(session)]
        assert await facts_of(world, session) == []


async def test_while_the_memory_is_off_nothing_is_noted_or_told(tmp_path: Path) -> None:
    model = a_model("qwen3", context_length=2048, max_reply_tokens=128)
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        await world.take(session, "My cat Miso is 15.")
        await world.own_memory.set_remember(PERSON, session, remember=False)
        await world.take(session, "My sister Mara lives in Leeds.")
        for _ in range(8):
            await world.take(session, SMALL_TALK)
        assert await facts_of(world, session) == ["My cat Miso is 15"]
    assert "Miso" not in whole(model.prompts[-1])


async def test_nothing_is_noted_from_a_message_that_shows_risk(tmp_path: Path) -> None:
    async with a_world(tmp_path, a_model("embedded")) as world:
        session = await world.session()
        await world.take(session, CRISIS)
        assert await facts_of(world, session) == []


async def test_what_is_said_soon_after_is_told_as_said_in_a_hard_moment(tmp_path: Path) -> None:
    model = a_model("qwen3", context_length=2048, max_reply_tokens=128)
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        await world.take(session, CRISIS)
        await world.take(session, "My sister Mara lives in Leeds.")
        for _ in range(8):
            await world.take(session, SMALL_TALK)
    assert '(said in a hard moment) "My sister Mara lives in Leeds"' in model.prompts[-1][0].content


async def test_the_style_shapes_prompt_and_reply_from_the_next_turn_on(tmp_path: Path) -> None:
    model = a_model("qwen3")
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        await world.take(session, "I had a long day")
        await world.own_memory.set_style(PERSON, session, Style.BRIEF)
        await world.take(session, "and it is not over")
        replies = [one for one in await world.stores.messages.history(session) if one.role == "assistant"]
    assert "They chose brief replies" not in model.prompts[0][0].content
    assert "They chose brief replies" in model.prompts[1][0].content
    assert [params and params.max_tokens for params in model.params] == [None, 80]
    assert [reply.style for reply in replies] == [Style.BALANCED, Style.BRIEF]


async def test_at_risk_the_style_gives_way_to_the_crisis_guidance(tmp_path: Path) -> None:
    model = a_model("qwen3")
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        await world.own_memory.set_style(PERSON, session, Style.PRACTICAL)
        await world.take(session, CRISIS)
    assert "They chose practical" not in model.prompts[0][0].content
    assert model.params == [None]


class SlowReader:
    """A served model that reads when it is let."""

    def __init__(self, found: list[FoundFact] | Exception) -> None:
        self.found = found
        self.let = asyncio.Event()
        self.asked: list[str] = []

    async def read(self, text: str) -> list[FoundFact]:
        self.asked.append(text)
        await self.let.wait()
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    async def close(self) -> None:
        self.let.set()


async def test_a_reading_model_delays_no_turn_and_adds_later(tmp_path: Path) -> None:
    reader = SlowReader([FoundFact(FactKind.EVENT, "the flood took the garden")])
    async with a_world(tmp_path, a_model("embedded"), facts=reader) as world:
        session = await world.session()
        async with asyncio.timeout(30):
            await world.take(session, "You know, the flood took the garden.")
        assert await facts_of(world, session) == []
        reader.let.set()
        await world.memory.settled()
        assert await facts_of(world, session) == ["the flood took the garden"]


async def test_a_reading_model_that_fails_is_counted_and_harms_nothing(tmp_path: Path) -> None:
    reader = SlowReader(RuntimeError("no answer"))
    reader.let.set()
    async with a_world(tmp_path, a_model("embedded"), facts=reader) as world:
        session = await world.session()
        await world.take(session, "My cat Miso is 15.")
        await world.memory.settled()
        assert await facts_of(world, session) == ["My cat Miso is 15"]
        assert 'layer="memory"} 1.0' in world.metrics.render().decode()


async def test_a_reading_model_gets_no_message_that_shows_risk(tmp_path: Path) -> None:
    reader = SlowReader([])
    async with a_world(tmp_path, a_model("embedded"), facts=reader) as world:
        await world.take(await world.session(), CRISIS)
    assert reader.asked == []


async def test_another_person_can_neither_read_nor_change_anything(tmp_path: Path) -> None:
    async with a_world(tmp_path, a_model("embedded")) as world:
        session = await world.session()
        await world.session(OTHER)
        await world.take(session, "My cat Miso is 15.")
        [fact] = (await world.own_memory.kept(PERSON, session)).facts
        mine = world.own_memory
        for attempt in (
            mine.kept(OTHER, session),
            mine.change(OTHER, session, fact.id, "My cat is dead"),
            mine.forget(OTHER, session, fact.id),
            mine.forget_all(OTHER, session),
            mine.set_remember(OTHER, session, remember=False),
            mine.set_style(OTHER, session, Style.BRIEF),
        ):
            with pytest.raises(NotYoursError):
                await attempt
        kept = await mine.kept(PERSON, session)
        assert (kept.remember, [one.text for one in kept.facts]) == (True, ["My cat Miso is 15"])


@pytest.mark.parametrize("text", ["", "   ", "I keep 30 pills at home", "x" * 201, "call 07700 900 123"])
async def test_a_new_wording_may_not_hold_what_is_never_kept(tmp_path: Path, text: str) -> None:
    async with a_world(tmp_path, a_model("embedded")) as world:
        session = await world.session()
        await world.take(session, "My cat Miso is 15.")
        [fact] = (await world.own_memory.kept(PERSON, session)).facts
        with pytest.raises(CantBeKeptError):
            await world.own_memory.change(PERSON, session, fact.id, text)


async def test_facts_never_come_to_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    reader = SlowReader(RuntimeError("My cat Miso is 15"))
    reader.let.set()
    async with a_world(tmp_path, a_model("embedded"), facts=reader) as world:
        session = await world.session()
        await world.take(session, "My cat Miso is 15.")
        await world.memory.settled()
    assert "no facts of a message" in caplog.text
    assert "Miso" not in caplog.text
