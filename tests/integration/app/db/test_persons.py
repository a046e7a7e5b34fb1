import pytest

from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store

NOBODY = "00000000-0000-4000-8000-000000000000"


async def test_a_person_is_read_as_stored(store: Store) -> None:
    person = await store.persons.create("zh", "CN", "Asia/Shanghai")
    assert await store.persons.get(person.id) == person


async def test_research_consent_is_off_and_unasked_at_first(store: Store) -> None:
    person = await store.person()
    assert (person.consent, person.consent_at) == (False, None)


async def test_an_answer_to_the_consent_question_keeps_its_time(store: Store, clock: FakeClock) -> None:
    person = await store.person()
    asked = clock.advance(minutes=5)
    changed = await store.persons.update(person.id, consent=False)
    assert changed is not None
    assert (changed.consent, changed.consent_at) == (False, asked)


async def test_an_update_leaves_what_it_does_not_name(store: Store) -> None:
    person = await store.persons.create("en", "US", "Europe/Berlin")
    changed = await store.persons.update(person.id, locale="zh")
    assert changed is not None
    assert (changed.locale, changed.country, changed.timezone) == ("zh", "US", "Europe/Berlin")


async def test_a_country_can_be_forgotten(store: Store) -> None:
    person = await store.person()
    changed = await store.persons.update(person.id, country=None)
    assert changed is not None
    assert changed.country is None


async def test_an_update_of_nobody_says_so(store: Store) -> None:
    assert await store.persons.update(NOBODY, locale="zh") is None


async def test_a_visit_is_noted(store: Store, clock: FakeClock) -> None:
    person = await store.person()
    later = clock.advance(days=1)
    assert await store.persons.touch(person.id)
    seen = await store.persons.get(person.id)
    assert seen is not None
    assert seen.last_seen_at == later


async def test_a_visit_of_nobody_is_not_noted(store: Store) -> None:
    assert not await store.persons.touch(NOBODY)


async def test_ensuring_makes_a_person_of_that_id(store: Store) -> None:
    person = await store.persons.ensure(NOBODY, locale="en", country="DE")
    assert (person.id, person.country) == (NOBODY, "DE")


async def test_ensuring_leaves_an_existing_person_as_they_are(store: Store) -> None:
    person = await store.person()
    assert await store.persons.ensure(person.id, locale="zh", country="CN") == person


@pytest.mark.parametrize(
    "forged", ["", "../../etc/passwd", "'; DROP TABLE persons; --", "\x00", "\ud800", "1" * 9999]
)
async def test_a_forged_id_is_nobody(store: Store, forged: str) -> None:
    await store.person()
    assert await store.persons.get(forged) is None
