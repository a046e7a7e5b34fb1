"""The research question is put once, at a calm moment; a no takes effect at once."""

import asyncio

from app.db.annotation import AnnotationRepository
from app.db.records import Person, Session
from safety.levels import RiskCategory, RiskLevel, SessionRisk
from tests.integration.app.db.store import Store, an_assessment


async def talked(store: Store, turns: int = 3) -> tuple[Person, Session]:
    person = await store.person()
    session = await store.session(person)
    for number in range(turns):
        await store.turn(session, f"message {number}", {"advice": 1})
    return person, session


async def test_it_is_put_after_the_third_reply_and_then_never_again(store: Store) -> None:
    person, session = await talked(store, 2)
    assert not await store.persons.ask_consent(person.id, 3)
    await store.turn(session, "and one more", {})
    assert await store.persons.ask_consent(person.id, 3)
    assert not await store.persons.ask_consent(person.id, 3)


async def test_of_several_tabs_one_puts_it(store: Store) -> None:
    person, _ = await talked(store)
    asked = await asyncio.gather(*(store.persons.ask_consent(person.id, 3) for _ in range(4)))
    assert sorted(asked) == [False, False, False, True]


async def test_whoever_answered_in_the_settings_is_not_asked(store: Store) -> None:
    person, _ = await talked(store)
    await store.persons.update(person.id, consent=False)
    assert not await store.persons.ask_consent(person.id, 3)


async def test_nobody_with_a_conversation_at_risk_is_asked(store: Store) -> None:
    person, session = await talked(store)
    low = SessionRisk(RiskLevel.LOW, RiskCategory.SUICIDE, 0.5, 0, False)
    await store.sessions.set_risk(session.id, low)
    assert not await store.persons.ask_consent(person.id, 3)


async def test_nobody_with_a_crisis_in_the_past_is_asked(store: Store) -> None:
    person, session = await talked(store)
    message = await store.messages.last_user(session.id)
    assert message is not None
    await store.risk.add(message.id, session.id, an_assessment())
    await store.sessions.set_risk(session.id, SessionRisk())
    assert not await store.persons.ask_consent(person.id, 3)


async def test_somebody_elses_crisis_does_not_matter(store: Store) -> None:
    await store.full_life(await store.person())
    person, _ = await talked(store)
    assert await store.persons.ask_consent(person.id, 3)


async def test_a_withdrawn_consent_takes_replies_out_of_the_queue_at_once(store: Store) -> None:
    queue = AnnotationRepository(store.factory, store.clock)
    person, session = await talked(store, 1)
    await store.persons.update(person.id, consent=True)
    shown = await queue.next_reply("staff:me")
    assert shown is not None
    assert shown.session_id == session.id

    await store.persons.update(person.id, consent=False)

    assert await queue.next_reply("staff:me") is None
    assert not await queue.may_rate(shown.id)
    assert (await queue.progress("staff:me")).left == 0
