"""A conversation's risk outlives the process, and its card is not announced anew with every turn."""

from pathlib import Path

from app.chat.events import HelplineShown, TurnEvent
from app.ui.running import RunningTurns
from app.ui.texts import load_texts
from app.ui.turn_view import TurnView
from app.ui.view import ViewBuilder
from safety.helplines import load_directory
from safety.levels import RiskLevel
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import World, a_world

_PLAN = "I am going to kill myself tonight"
_DIRECTORY = load_directory()


def _reply(*_: object) -> list[str]:
    return ["4.0 I am here.", "3.0 Tell me more.", "2.0 Go on."]


def _shown(events: list[TurnEvent]) -> list[HelplineShown]:
    return [event for event in events if isinstance(event, HelplineShown)]


async def test_a_restart_keeps_the_risk_of_a_conversation(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(_reply)) as world:
        session = await world.session()
        await world.take(session, _PLAN)
    async with a_world(tmp_path, FakeChatModel(_reply)) as restarted:
        (shown,) = _shown(await restarted.take(session, "What a grey morning."))
    assert shown.card.level is RiskLevel.IMMINENT
    assert shown.repeated


async def test_a_carried_level_brings_no_new_card_in_calm_turns(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(_reply)) as world:
        session = await world.session()
        turns = [_PLAN, "What a grey morning.", "lol just kidding", "I had soup for lunch."]
        shown = [event for text in turns for event in _shown(await world.take(session, text))]
        ids = {_card_id(world, session, event) for event in shown}
    assert [event.repeated for event in shown] == [False, True, True, True]
    assert len(ids) == 1  # the page opens a card anew only when its id changes


def _card_id(world: World, session: str, event: HelplineShown) -> str:
    view = TurnView(_builder(world), "en", session, None)
    return view.apply(event)["card"]["id"]


def _builder(world: World) -> ViewBuilder:
    return ViewBuilder(world.conversations, _DIRECTORY, load_texts(), resume_hours=1, running=RunningTurns())
