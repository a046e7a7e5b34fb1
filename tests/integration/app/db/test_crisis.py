from app.db.crisis import CrisisRecorder
from safety.helplines import load_directory
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, SessionRisk
from tests.integration.app.db.store import Store, an_assessment

CALM = RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk(calm_turns=1))
CARD = load_directory(None).card("US", RiskLevel.MODERATE, RiskCategory.SUICIDE, "en")


def recorder(store: Store) -> CrisisRecorder:
    return CrisisRecorder(store.factory, store.clock)


async def test_a_message_at_risk_leaves_verdict_flag_and_referral(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await recorder(store).record(session.id, message.id, an_assessment(), CARD)
    verdict = await store.risk.latest(session.id)
    flag = await store.flags.open_for(session.id)
    referral = await store.referrals.last(session.id)
    assert verdict is not None
    assert flag is not None
    assert referral is not None
    assert (verdict.message_id, flag.message_id, referral.message_id) == (message.id,) * 3
    assert referral.line_names == tuple(line.name for line in CARD.lines)


async def test_a_message_without_risk_leaves_a_verdict_alone(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await recorder(store).record(session.id, message.id, CALM, None)
    assert await store.risk.latest(session.id) is not None
    assert await store.flags.open_for(session.id) is None
    assert await store.referrals.last(session.id) is None


async def test_the_first_card_is_no_repetition_and_the_same_again_is(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    said = [await recorder(store).record(session.id, message.id, an_assessment(), CARD) for _ in range(2)]
    assert said == [False, True]


async def test_the_risk_of_the_conversation_follows(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await recorder(store).record(session.id, message.id, an_assessment(), CARD)
    after = await store.sessions.get(session.id)
    assert after is not None
    assert after.risk == an_assessment().session
