"""A conversation in which danger is told in short messages: the turn reads them with those before."""

from pathlib import Path

import pytest

from app.chat.crisis import CrisisDesk
from app.chat.events import HelplineShown, TurnEvent
from app.chat.turn import TurnService
from app.db.crisis import CrisisRecorder
from safety.helplines import load_directory
from safety.levels import RiskCategory
from safety.risk import load_assessor
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import World, a_world


def _reply(*_: object) -> list[str]:
    return ["4.0 Tell me more."]


def _turns(world: World) -> TurnService:
    desk = CrisisDesk(
        load_assessor(), load_directory(None), CrisisRecorder(world.factory), world.metrics, None
    )
    return TurnService(world.stores, desk, world.turns._maker, world.metrics, 4000, reveal_delay_s=0)  # pyright: ignore[reportPrivateUsage]


def _cards(events: list[TurnEvent]) -> list[HelplineShown]:
    return [event for event in events if isinstance(event, HelplineShown)]


async def test_the_card_comes_with_the_message_that_completes_it(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(_reply)) as world:
        turns, session = _turns(world), await world.session()
        shown = [
            _cards([event async for event in turns.run(session, text)])
            for text in ("took something", "a whole bottle", "paracetamol")
        ]
        stored = await world.stores.sessions.get(session)

    assert [bool(cards) for cards in shown] == [False, True, True]
    assert stored is not None
    assert stored.risk.category is RiskCategory.MEDICAL_EMERGENCY


async def test_an_edited_message_is_read_without_its_earlier_wording(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(_reply)) as world:
        turns, session = _turns(world), await world.session()
        for text in ("hello there", "took something"):
            assert [event async for event in turns.run(session, text)]
        events = [event async for event in turns.edit_last(session, "a whole bottle")]

    assert _cards(events) == []


async def test_where_earlier_messages_can_not_be_read_the_message_is_read_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> list[str]:
        raise OSError("database is locked")

    async with a_world(tmp_path, FakeChatModel(_reply)) as world:
        turns, session = _turns(world), await world.session()
        monkeypatch.setattr(type(world.stores), "lately", broken)
        events = [event async for event in turns.run(session, "I want to kill myself")]

    assert _cards(events)
