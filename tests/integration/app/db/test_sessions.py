import pytest

from app.db.errors import GoneError
from safety.levels import RiskCategory, RiskLevel, SessionRisk
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store


async def test_a_conversation_starts_calm_and_empty(store: Store) -> None:
    session = await store.session()
    assert (session.risk, session.last_seq, session.title, session.notice_at) == (
        SessionRisk(),
        0,
        None,
        None,
    )


async def test_a_conversation_of_nobody_can_not_start(store: Store) -> None:
    person = await store.person()
    await store.persons.delete_everything(person.id)
    with pytest.raises(GoneError):
        await store.session(person)


async def test_a_new_conversation_notes_that_the_person_was_here(store: Store, clock: FakeClock) -> None:
    person = await store.person()
    later = clock.advance(days=3)
    await store.session(person)
    seen = await store.persons.get(person.id)
    assert seen is not None
    assert seen.last_seen_at == later


async def test_the_owner_finds_the_conversation(store: Store) -> None:
    session = await store.session()
    assert await store.sessions.get_owned(session.id, session.person_id) == session


async def test_another_person_does_not_find_it(store: Store) -> None:
    session, other = await store.session(), await store.person()
    assert await store.sessions.get_owned(session.id, other.id) is None


async def test_another_person_can_not_delete_it(store: Store) -> None:
    session, other = await store.session(), await store.person()
    assert not await store.sessions.delete(session.id, other.id)
    assert await store.sessions.get(session.id) == session


@pytest.mark.parametrize("forged", ["", "../x", "\x00", "\udfff"])
async def test_a_forged_id_finds_nothing(store: Store, forged: str) -> None:
    session = await store.session()
    assert await store.sessions.get_owned(forged, session.person_id) is None


async def test_the_list_has_the_latest_activity_first(store: Store, clock: FakeClock) -> None:
    person = await store.person()
    first = await store.session(person)
    clock.advance(minutes=1)
    second = await store.session(person)
    clock.advance(minutes=1)
    await store.messages.add_user(first.id, "still here")
    assert [session.id for session in await store.sessions.list_for(person.id)] == [first.id, second.id]


async def test_the_list_holds_only_ones_own(store: Store) -> None:
    person = await store.person()
    mine = await store.session(person)
    await store.session()
    assert await store.sessions.list_for(person.id) == [mine]


async def test_the_list_ends_at_its_limit(store: Store) -> None:
    person = await store.person()
    for _ in range(3):
        await store.session(person)
    assert len(await store.sessions.list_for(person.id, 2)) == 2


async def test_only_the_person_names_a_conversation(store: Store) -> None:
    session, other = await store.session(), await store.person()
    assert await store.sessions.set_title(session.id, session.person_id, "mine")
    assert not await store.sessions.set_title(session.id, other.id, "not mine")
    stored = await store.sessions.get(session.id)
    assert stored is not None
    assert stored.title == "mine"


async def test_the_risk_is_read_as_stored(store: Store) -> None:
    session = await store.session()
    risk = SessionRisk(RiskLevel.LOW, RiskCategory.SELF_HARM, 2.25, 3, True)
    await store.sessions.set_risk(session.id, risk)
    stored = await store.sessions.get(session.id)
    assert stored is not None
    assert stored.risk == risk


async def test_the_time_of_the_notice_is_read_as_stored(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    await store.sessions.mark_notice(session.id, clock.time)
    stored = await store.sessions.get(session.id)
    assert stored is not None
    assert stored.notice_at == clock.time


async def test_a_changed_model_is_read_as_stored(store: Store) -> None:
    session = await store.session()
    await store.sessions.set_model(session.id, "another")
    stored = await store.sessions.get(session.id)
    assert stored is not None
    assert stored.model == "another"


async def test_a_change_of_a_deleted_conversation_says_so(store: Store) -> None:
    session = await store.session()
    await store.sessions.delete(session.id, session.person_id)
    assert not await store.sessions.set_title(session.id, session.person_id, "gone")
