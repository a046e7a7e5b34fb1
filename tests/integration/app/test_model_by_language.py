"""Two models at once: each conversation is answered by the one of its language."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.chat.events import Done, OtherModel, TurnEvent, TurnFailed
from models.chat_model import ChatModelError, EngineDeadError, ModelTimeoutError, ModelUnreachableError
from models.profiles import load_profiles
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import PERSON, World, a_world

ZH, EN = "我昨天被裁员了，心里很乱", "I lost my job and my head is a mess"
PLAIN_ZH = replace(load_profiles()["mindchat-r0"], ecot=False)


def english(**values: object) -> FakeChatModel:
    return FakeChatModel(lambda *_: ["4.0 I hear you."] * 3, name="english", **values)  # type: ignore[arg-type]


def chinese(**values: object) -> FakeChatModel:
    return FakeChatModel(
        lambda *_: ["4.0 我听到了。"] * 3,
        profile=PLAIN_ZH,
        name="chinese",
        **values,  # type: ignore[arg-type]
    )


async def answered_by(world: World, session: str, text: str) -> tuple[str | None, list[TurnEvent]]:
    events = await world.take(session, text)
    done = events[-1]
    assert isinstance(done, Done), events
    history = await world.stores.messages.history(session)
    return history[-1].model, events


async def test_each_conversation_goes_to_the_model_of_its_language(tmp_path: Path) -> None:
    async with a_world(tmp_path, english(), others={"zh": chinese()}) as world:
        one, two = await world.session(), await world.session()
        assert (await answered_by(world, one, EN))[0] == "english"
        model, events = await answered_by(world, two, ZH)
        assert model == "chinese"
        assert not any(isinstance(event, OtherModel) for event in events)


async def test_a_conversation_stays_with_its_model_through_short_foreign_messages(tmp_path: Path) -> None:
    async with a_world(tmp_path, english(), others={"zh": chinese()}) as world:
        session = await world.session()
        said = [ZH, "ok", "Jenny", "我今天 failed my exam 好难过", EN, "嗯", ZH]
        models = [(await answered_by(world, session, text))[0] for text in said]
        assert models == ["chinese"] * 4 + ["english"] * 2 + ["chinese"]


async def test_the_language_of_the_page_is_a_hint_and_no_force(tmp_path: Path) -> None:
    async with a_world(tmp_path, english(), others={"zh": chinese()}) as world:
        session = await world.session()
        await world.conversations.set_locale(PERSON, "zh")
        assert (await answered_by(world, session, "ok"))[0] == "chinese"
        assert (await answered_by(world, session, EN))[0] == "english"
        assert (await answered_by(world, session, "好累"))[0] == "chinese"


async def test_with_one_model_it_answers_in_both_languages(tmp_path: Path) -> None:
    model = english()
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        assert (await answered_by(world, session, ZH))[0] == "english"
        assert len(model.prompts) == 1


@pytest.mark.parametrize("error", [ModelUnreachableError("x"), EngineDeadError("x"), ModelTimeoutError("x")])
async def test_a_broken_second_model_is_replaced_by_the_first_and_the_person_is_told(
    tmp_path: Path, error: ChatModelError
) -> None:
    async with a_world(tmp_path, english(), others={"zh": chinese(error=error)}) as world:
        model, events = await answered_by(world, await world.session(), ZH)
        assert model == "english"
        assert sum(isinstance(event, OtherModel) for event in events) == 1
        counted = world.metrics.model_fallbacks.labels(error.code)
        assert counted._value.get() == 1  # pyright: ignore


async def test_where_the_first_reads_english_only_a_broken_second_means_an_honest_reply_in_chinese(
    tmp_path: Path,
) -> None:
    first = english(profile=load_profiles()["embedded"])
    async with a_world(tmp_path, first, others={"zh": chinese(error=ModelUnreachableError("x"))}) as world:
        events = await world.take(await world.session(), ZH)
        done = events[-1]
        assert isinstance(done, Done)
        assert done.status == "fallback"
        assert "英文" in done.text
        assert first.prompts == []


async def test_a_broken_first_model_is_not_replaced_by_one_of_another_language(tmp_path: Path) -> None:
    async with a_world(
        tmp_path, english(error=ModelUnreachableError("x")), others={"zh": chinese()}
    ) as world:
        events = await world.take(await world.session(), EN)
        assert isinstance(events[-1], TurnFailed)
        assert events[-1].code == "unreachable"


async def test_each_model_gets_a_prompt_of_its_own_kind(tmp_path: Path) -> None:
    first, second = english(), chinese()
    async with a_world(tmp_path, first, others={"zh": second}) as world:
        session = await world.session()
        await world.take(session, ZH)
        await world.take(session, EN)
        assert "<thinking>" in second.prompts[0][0].content
        assert "<thinking>" not in first.prompts[0][0].content
        assert [one.content for one in first.prompts[0] if one.role == "user"] == [ZH, EN]
