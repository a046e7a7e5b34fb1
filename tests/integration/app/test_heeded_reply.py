"""A danger that only the model has read brings the card and the reply of its level, and the session rises."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select

from app.chat.events import Done, HelplineShown, ReplyText
from app.db.tables import RiskAssessmentRow
from models.chat_model import ChatMessage, ModelUnreachableError
from safety.levels import RiskLevel
from safety.reply_echo import LAYER
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import World, a_world

_UNREADABLE = "xqz zzyx wvut"
_ECHO = "4.0 I'm so sorry that you want to die tonight. I'm with you."
_CALM = "4.0 The garden sounds lovely. Tell me more."


async def _layers(world: World) -> list[str]:
    async with world.factory() as database:
        return list(await database.scalars(select(RiskAssessmentRow.layer)))


async def test_the_card_comes_before_the_reply_and_the_session_rises(tmp_path: Path) -> None:
    model = FakeChatModel(lambda *_: [_CALM, _ECHO])
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        events = await world.take(session, _UNREADABLE)
        stored = await world.stores.sessions.get(session)
        layers = await _layers(world)
    kinds = [type(event) for event in events]
    assert kinds.index(HelplineShown) < kinds.index(ReplyText)
    assert kinds.count(HelplineShown) == 1
    assert stored is not None
    assert stored.risk.level is RiskLevel.MODERATE
    assert LAYER in layers


async def test_the_reply_is_sampled_anew_with_the_guidance_of_the_level(tmp_path: Path) -> None:
    model = FakeChatModel(lambda *_: [_ECHO])
    async with a_world(tmp_path, model) as world:
        await world.take(await world.session(), _UNREADABLE)
    first, second = model.prompts
    assert second[0].content != first[0].content


async def test_a_calm_reply_changes_nothing(tmp_path: Path) -> None:
    model = FakeChatModel(lambda *_: [_CALM])
    async with a_world(tmp_path, model) as world:
        session = await world.session()
        events = await world.take(session, _UNREADABLE)
        stored = await world.stores.sessions.get(session)
    assert not [event for event in events if isinstance(event, HelplineShown)]
    assert len(model.prompts) == 1
    assert stored is not None
    assert stored.risk.level is RiskLevel.NONE


async def test_a_model_that_fails_the_second_time_leaves_a_written_reply(tmp_path: Path) -> None:
    calls: list[int] = []

    def script(messages: Sequence[ChatMessage], n: int) -> list[str]:
        del messages, n
        calls.append(1)
        if len(calls) > 1:
            raise ModelUnreachableError
        return [_ECHO]

    async with a_world(tmp_path, FakeChatModel(script)) as world:
        events = await world.take(await world.session(), _UNREADABLE)
    done = events[-1]
    assert isinstance(done, Done)
    assert done.status == "fallback"
    assert done.text
