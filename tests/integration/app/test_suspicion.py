"""A card that only the classifier argued for does not keep the model silent; one of a rule does."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from app.chat.crisis import CrisisDesk
from app.chat.events import Done, HelplineShown
from app.chat.turn import TurnService
from app.db.crisis import CrisisRecorder
from models.profiles import load_profiles
from safety.helplines import load_directory
from safety.levels import RiskCategory, RiskLevel, RiskMatch
from safety.normalize import NormalizedText
from safety.risk import RiskAssessor, load_assessor
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import World, a_world

_SUSPECT = "The lighthouse is quiet."
_WISH = "I want to die."
_CALM = ("We had soup for lunch.", "The film was good.")


class _Suspicious:
    """Stands for the classifier: suspects whoever speaks of a lighthouse."""

    is_whole = True

    def __init__(self, level: RiskLevel) -> None:
        self._level = level

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        del suspicion
        found = RiskMatch(self._level, RiskCategory.ABUSE, "classifier", "classifier.abuse", 0, 3)
        return [found] if "lighthouse" in text.text else []


def _turns(world: World, level: RiskLevel) -> TurnService:
    plain = load_assessor()
    normalizer, engine = plain._normalizer, plain._engine  # pyright: ignore[reportPrivateUsage]
    assessor = RiskAssessor(normalizer, engine, _Suspicious(level))
    desk = CrisisDesk(assessor, load_directory(None), CrisisRecorder(world.factory), world.metrics, None)
    return TurnService(world.stores, desk, world.turns._maker, world.metrics, 4000, reveal_delay_s=0)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("first", "level", "asked_after", "level_after"),
    [
        # A suspicion: the model answers the first calm message, and after the second the conversation is low.
        (_SUSPECT, RiskLevel.MODERATE, 2, RiskLevel.LOW),
        # A rule: the model answers as well, but the conversation is watched as long as before.
        (_WISH, RiskLevel.MODERATE, 2, RiskLevel.MODERATE),
        # Imminent, even if only suspected: the calm messages get written replies.
        (_SUSPECT, RiskLevel.IMMINENT, 0, RiskLevel.IMMINENT),
    ],
    ids=["suspected", "found by a rule", "suspected to be imminent"],
)
async def test_how_long_a_card_keeps_the_model_from_answering(
    tmp_path: Path, first: str, level: RiskLevel, asked_after: int, level_after: RiskLevel
) -> None:
    model = FakeChatModel(lambda *_: ["4.0 Tell me more."], profile=load_profiles()["embedded"])
    async with a_world(tmp_path, model) as world:
        turns, session = _turns(world, level), await world.session()
        events = [event async for event in turns.run(session, first)]
        assert any(isinstance(event, HelplineShown) for event in events)
        assert model.prompts == []
        for text in _CALM:
            events = [event async for event in turns.run(session, text)]
            assert isinstance(events[-1], Done)
        stored = await world.stores.sessions.get(session)
    assert len(model.prompts) == asked_after
    assert stored is not None
    assert stored.risk.level is level_after
    shown = [event for event in events if isinstance(event, HelplineShown)]
    assert bool(shown) == (level_after >= RiskLevel.MODERATE)


@pytest.mark.parametrize(("first", "level_after"), [("I'm 12. " + _SUSPECT, RiskLevel.MODERATE)])
async def test_what_a_child_hints_at_is_not_let_go_as_a_suspicion(
    tmp_path: Path, first: str, level_after: RiskLevel
) -> None:
    model = FakeChatModel(lambda *_: ["4.0 Tell me more."], profile=load_profiles()["embedded"])
    async with a_world(tmp_path, model) as world:
        turns, session = _turns(world, RiskLevel.MODERATE), await world.session()
        for text in (first, *_CALM):
            assert [event async for event in turns.run(session, text)]
        stored = await world.stores.sessions.get(session)
    assert stored is not None
    assert stored.risk.level is level_after
