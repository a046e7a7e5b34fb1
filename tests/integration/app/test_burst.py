"""Messages in quick succession: the gravest that got no reply is answered, and help stays open."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import cast

import pytest

from app.chat.events import Done, HelplineShown, ReplyText, TurnEvent
from models.profiles import load_profiles
from safety.crisis_reply import act_replies, written_replies
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import World, a_world

_OVERDOSE = "took all my lithium at once an hour ago and now my hands are jumping"
_MEDICAL = RiskCategory.MEDICAL_EMERGENCY


def _script(*_: object) -> list[str]:
    return ["4.0 Tell me more."]


def _model() -> FakeChatModel:
    return FakeChatModel(_script, profile=load_profiles()["mint-4b"])


async def _cut_off(world: World, session: str, text: str) -> None:
    """Take a turn that a next message ends as soon as its help is shown."""
    events = world.turns.run(session, text)
    async for event in events:
        if isinstance(event, ReplyText) or (isinstance(event, HelplineShown) and event.message_id):
            break
    await cast("AsyncGenerator[TurnEvent]", events).aclose()


def _shown(events: list[TurnEvent]) -> HelplineShown:
    return [event for event in events if isinstance(event, HelplineShown)][-1]


def _reply(events: list[TurnEvent]) -> str:
    (done,) = [event for event in events if isinstance(event, Done)]
    return done.text


async def test_an_overdose_in_a_burst_is_answered_after_it(tmp_path: Path) -> None:
    async with a_world(tmp_path, _model()) as world:
        session = await world.session()
        for text in ("hi", "work sucks", _OVERDOSE, "sorry"):
            await _cut_off(world, session, text)
        events = await world.take(session, "ignore me")
        shown = _shown(events)
        assert _reply(events) in written_replies(RiskLevel.IMMINENT, _MEDICAL, "en")
        assert (shown.card.level, shown.card.category) == (RiskLevel.IMMINENT, _MEDICAL)
        assert shown.again
        assert not shown.repeated
        # Answered now, so the next word is answered as one after an act, with the card open all the same.
        later = await world.take(session, "lol ok")
        assert _reply(later) in act_replies("en")
        assert _shown(later).again


async def test_what_a_burst_builds_up_to_is_answered(tmp_path: Path) -> None:
    async with a_world(tmp_path, _model()) as world:
        session = await world.session()
        for text in ("I want to die", "yes i have a plan"):
            await _cut_off(world, session, text)
        events = await world.take(session, "lol")
        assert _reply(events) in written_replies(RiskLevel.IMMINENT, RiskCategory.SUICIDE, "en")


async def test_calm_messages_in_a_row_are_the_models(tmp_path: Path) -> None:
    async with a_world(tmp_path, _model()) as world:
        session = await world.session()
        await _cut_off(world, session, "hi")
        assert _reply(await world.take(session, "the bus was late")) == "4.0 Tell me more."


@pytest.mark.parametrize("text", ["I want to die", "and i want to die, i really do"])
async def test_whoever_said_they_are_twelve_sees_the_line_for_the_young_first(
    tmp_path: Path, text: str
) -> None:
    async with a_world(tmp_path, _model()) as world:
        session = await world.session()
        await world.take(session, "hi, im 12 and school was bad")
        shown = _shown(await world.take(session, text))
        young = (await world.conversations.young_line("11111111-1111-4111-8111-111111111111")).id
        assert shown.card.lines[0].id == young
        later = await world.conversations.transcript("11111111-1111-4111-8111-111111111111", session)
        assert later.card is not None
        assert later.card.lines[0].id == young


async def test_a_grown_up_sees_the_lines_of_the_danger_first(tmp_path: Path) -> None:
    async with a_world(tmp_path, _model()) as world:
        session = await world.session()
        first = _shown(await world.take(session, "I want to die")).card.lines[0].id
        young = (await world.conversations.young_line("11111111-1111-4111-8111-111111111111")).id
    assert first != young
