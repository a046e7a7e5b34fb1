"""Whoever lost the rent on bets sees a card, reads words and is counted as what that is, in each language."""

from pathlib import Path

import pytest

from app.chat.events import Done, HelplineShown, TurnEvent
from app.db.flags import FlagRepository
from app.db.referrals import ReferralRepository
from models.chat_model import ModelUnreachableError
from safety.crisis_reply import carried_replies, written_replies
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import a_world

GAMBLING = RiskCategory.GAMBLING
TOLD = [
    ("en", "i put our rent on a horse and she doesnt know"),
    ("zh", "把房租都押在球赛上了，老婆还不知道"),
]


def _shown(events: list[TurnEvent]) -> HelplineShown:
    (shown,) = (event for event in events if isinstance(event, HelplineShown))
    return shown


def _text(events: list[TurnEvent]) -> str:
    done = events[-1]
    assert isinstance(done, Done)
    return done.text


def _no_replies(*_: object) -> list[str]:
    return []


@pytest.mark.parametrize(("locale", "told"), TOLD)
async def test_the_card_the_reply_and_the_counts_are_about_bets(
    tmp_path: Path, locale: str, told: str
) -> None:
    async with a_world(tmp_path, FakeChatModel(_no_replies, error=ModelUnreachableError())) as world:
        session = await world.session()
        events = await world.take(session, told)
        shown = _shown(events)
        assert (shown.card.level, shown.card.category) == (RiskLevel.MODERATE, GAMBLING)
        assert not any(RiskCategory.MEDICAL_EMERGENCY in line.categories for line in shown.card.lines)
        assert _text(events) in written_replies(RiskLevel.MODERATE, GAMBLING, locale)

        flag = await FlagRepository(world.factory).open_for(session)
        assert flag is not None
        assert flag.category is GAMBLING
        referrals = ReferralRepository(world.factory)
        last = await referrals.last(session)
        assert last is not None
        assert last.category is GAMBLING
        assert [(row.category, row.count) for row in await referrals.count_by_month()] == [(GAMBLING, 1)]


async def test_calm_turns_afterwards_ask_after_the_bets(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(_no_replies, error=ModelUnreachableError())) as world:
        session = await world.session()
        said = [_text(await world.take(session, text)) for text in (TOLD[0][1], "It is raining again.")]
        assert said[1] in carried_replies("en", GAMBLING)


async def test_a_plan_that_answers_the_reply_is_one_to_die(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(_no_replies, error=ModelUnreachableError())) as world:
        session = await world.session()
        await world.take(session, TOLD[0][1])
        events = await world.take(session, "yes, i have a plan")
        card = _shown(events).card
        assert (card.level, card.category) == (RiskLevel.IMMINENT, RiskCategory.SUICIDE)
        assert _text(events) in written_replies(RiskLevel.IMMINENT, RiskCategory.SUICIDE, "en")
