"""A request with far more text than the page would send costs little and still shows help."""

from pathlib import Path

import pytest

from app.chat.crisis import CrisisDesk, CrisisVerdict
from app.chat.events import HelplineShown, TurnFailed
from app.db.records import Person, Session
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import a_world

CRISIS = "I don’t want to live anymore and tonight I am going to take all my pills"
FILLER = "It rained again today. " * 40_000


@pytest.mark.parametrize("text", [f"{CRISIS} {FILLER}", f"{FILLER} {CRISIS}"], ids=["first", "last"])
async def test_only_beginning_and_end_are_read_and_help_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    read: list[int] = []
    look = CrisisDesk.look

    async def counted(self: CrisisDesk, text: str, person: Person, session: Session) -> CrisisVerdict:
        read.append(len(text))
        return await look(self, text, person, session)

    monkeypatch.setattr(CrisisDesk, "look", counted)
    async with a_world(tmp_path, FakeChatModel(lambda *_: ["I am listening."])) as world:
        session = await world.session()
        events = await world.take(session, text)
        edited = [event async for event in world.turns.edit_last(session, text)]
    assert read == [2 * 4000 + 20_000 + 1] * 2
    for told in (events, edited):
        assert isinstance(told[0], HelplineShown)
        assert told[-1] == TurnFailed(None, "too_long", retryable=False)
