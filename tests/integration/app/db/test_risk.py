import pytest

from app.db.errors import GoneError
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, SessionRisk
from tests.integration.app.db.store import Store, an_assessment

CALM = RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk(calm_turns=1))


async def test_a_verdict_is_read_as_stored(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    verdict = an_assessment()
    stored = await store.risk.add(message.id, session.id, verdict)
    assert (stored.level, stored.category, stored.matches, stored.session, stored.failed_layers) == (
        verdict.level,
        verdict.category,
        verdict.matches,
        verdict.session,
        verdict.failed_layers,
    )
    assert (stored.message_id, stored.session_id, stored.layer) == (message.id, session.id, "rules")
    assert await store.risk.latest(session.id) == stored


async def test_a_verdict_moves_the_risk_of_the_conversation(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.risk.add(message.id, session.id, an_assessment())
    after = await store.sessions.get(session.id)
    assert after is not None
    assert after.risk == an_assessment().session


async def test_the_latest_verdict_is_that_of_the_newest_message(store: Store) -> None:
    session = await store.session()
    first = await store.messages.add_user(session.id, "one")
    second = await store.messages.add_user(session.id, "two")
    newest = await store.risk.add(second.id, session.id, CALM)
    await store.risk.add(first.id, session.id, an_assessment())
    assert await store.risk.latest(session.id) == newest


async def test_the_latest_verdict_of_a_level_passes_over_calmer_ones(store: Store) -> None:
    session = await store.session()
    first = await store.messages.add_user(session.id, "one")
    second = await store.messages.add_user(session.id, "two")
    alarm = await store.risk.add(first.id, session.id, an_assessment())
    await store.risk.add(second.id, session.id, CALM)
    assert await store.risk.latest(session.id, at_least=RiskLevel.MODERATE) == alarm


async def test_verdicts_on_superseded_messages_are_passed_over(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "one")
    await store.risk.add(message.id, session.id, an_assessment())
    await store.messages.supersede_from(session.id, message.id)
    assert await store.risk.latest(session.id) is None


async def test_the_course_of_a_conversation_is_in_the_order_of_its_messages(store: Store) -> None:
    session = await store.session()
    for text, verdict in (("one", CALM), ("two", an_assessment()), ("three", CALM)):
        message = await store.messages.add_user(session.id, text)
        await store.risk.add(message.id, session.id, verdict)
    course = [stored.level for stored in await store.risk.for_session(session.id)]
    assert course == [RiskLevel.NONE, RiskLevel.MODERATE, RiskLevel.NONE]


async def test_a_verdict_on_a_deleted_conversation_is_refused(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await store.risk.add(message.id, session.id, an_assessment())
