"""What is remembered of a conversation, on both databases."""

from app.db.memory_records import FactSource
from app.db.records import Message, Session
from models.facts import FactKind, FoundFact
from models.styles import Style
from safety.levels import RiskLevel
from tests.integration.app.db.store import Store

CAT = FoundFact(FactKind.PET, "my cat Miso is 15")
SISTER = FoundFact(FactKind.PERSON, "my sister lives in Leeds")


def named(name: str) -> FoundFact:
    return FoundFact(FactKind.NAME, f"My name is {name}")


async def begun(store: Store, text: str = "hello") -> tuple[Session, Message]:
    session = await store.session()
    return session, await store.messages.add_user(session.id, text)


async def noted(
    store: Store, message: Message, *found: FoundFact, source: FactSource = FactSource.RULES, limit: int = 60
) -> int:
    return await store.facts.note(message.id, found, source, RiskLevel.NONE, limit)


async def texts(store: Store, session: Session) -> list[str]:
    return [fact.text for fact in await store.facts.of_session(session.id)]


async def test_facts_are_listed_in_the_order_in_which_they_were_told(store: Store) -> None:
    session, first = await begun(store)
    second = await store.messages.add_user(session.id, "more")
    assert await noted(store, first, CAT, SISTER) == 2
    store.clock.advance(minutes=1)
    assert await noted(store, second, named("Anna")) == 1
    assert await texts(store, session) == [CAT.text, SISTER.text, "My name is Anna"]


async def test_what_is_known_is_not_noted_again(store: Store) -> None:
    session, first = await begun(store)
    second = await store.messages.add_user(session.id, "more")
    await noted(store, first, CAT)
    assert await noted(store, second, FoundFact(FactKind.PET, "My cat Miso is 15!")) == 0
    assert await texts(store, session) == [CAT.text]


async def test_a_newer_name_takes_the_place_of_the_older_one(store: Store) -> None:
    session, first = await begun(store)
    second = await store.messages.add_user(session.id, "more")
    await noted(store, first, named("Anna"), CAT)
    await noted(store, second, named("Annie"))
    assert sorted(await texts(store, session)) == sorted([CAT.text, "My name is Annie"])


async def test_a_changed_fact_is_not_found_again_in_the_same_message(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT)
    [fact] = await store.facts.of_session(session.id)
    assert await store.facts.change(session.id, fact.id, "my cat Miso is 16")
    assert await noted(store, message, CAT) == 0
    assert await noted(store, message, CAT, SISTER, source=FactSource.MODEL) == 0
    [changed] = await store.facts.of_session(session.id)
    assert (changed.text, changed.edited_at) == ("my cat Miso is 16", store.clock())


async def test_of_a_deleted_fact_no_word_is_left_and_it_is_not_found_again(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT, SISTER)
    [cat, _] = await store.facts.of_session(session.id)
    assert await store.facts.forget(session.id, cat.id)
    assert not await store.facts.forget(session.id, cat.id)
    assert not await store.facts.change(session.id, cat.id, "my cat")
    assert await noted(store, message, CAT, source=FactSource.MODEL) == 0
    assert await texts(store, session) == [SISTER.text]
    rows = await store.contents("facts")
    assert sorted((row["text"] for row in rows), key=str) == [None, SISTER.text]


async def test_another_source_adds_what_the_first_left_out(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT)
    assert await noted(store, message, CAT, SISTER, source=FactSource.MODEL) == 1
    assert await noted(store, message, named("Anna"), source=FactSource.MODEL) == 0
    assert await texts(store, session) == [CAT.text, SISTER.text]


async def test_after_all_is_forgotten_nothing_said_before_comes_back(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT)
    await store.facts.forget_all(session.id)
    assert await noted(store, message, CAT) == 0
    assert await store.contents("facts") == []
    later = await store.messages.add_user(session.id, "again")
    assert await noted(store, later, CAT) == 1


async def test_nothing_is_noted_while_the_memory_is_off(store: Store) -> None:
    session, message = await begun(store)
    await store.sessions.set_remember(session.id, remember=False)
    assert await noted(store, message, CAT) == 0
    await store.sessions.set_remember(session.id, remember=True)
    assert await noted(store, message, CAT) == 1


async def test_facts_of_a_replaced_message_are_gone_unless_the_person_changed_them(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT, SISTER)
    [cat, _] = await store.facts.of_session(session.id)
    await store.facts.change(session.id, cat.id, "my cat is old")
    await store.messages.edit_last(session.id, "something else")
    assert await texts(store, session) == ["my cat is old"]


async def test_the_oldest_untouched_facts_make_room_but_names_and_wishes_stay(store: Store) -> None:
    session, first = await begun(store)
    wish = FoundFact(FactKind.REQUEST, "just listen")
    await noted(store, first, named("Anna"), wish, CAT, SISTER, limit=4)
    second = await store.messages.add_user(session.id, "more")
    store.clock.advance(minutes=1)
    await noted(store, second, FoundFact(FactKind.EVENT, "I lost my job"), limit=4)
    assert await texts(store, session) == ["My name is Anna", "just listen", SISTER.text, "I lost my job"]


async def test_facts_of_a_message_that_turned_out_to_show_risk_can_be_taken_back(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT)
    await store.facts.drop(message.id)
    assert await texts(store, session) == []


async def test_a_fact_can_only_be_changed_within_its_conversation(store: Store) -> None:
    session, message = await begun(store)
    other = await store.session()
    await noted(store, message, CAT)
    [fact] = await store.facts.of_session(session.id)
    assert not await store.facts.change(other.id, fact.id, "stolen")
    assert not await store.facts.forget(other.id, fact.id)
    assert await texts(store, session) == [CAT.text]


async def test_facts_go_with_their_conversation(store: Store) -> None:
    session, message = await begun(store)
    await noted(store, message, CAT)
    assert await store.sessions.delete(session.id, session.person_id)
    assert await store.contents("facts") == []


async def test_the_style_is_kept_with_the_conversation(store: Store) -> None:
    person = await store.person()
    session = await store.sessions.create(person.id, "en", "a-model", Style.BRIEF, remember=False)
    assert (session.style, session.remember) == (Style.BRIEF, False)
    await store.sessions.set_style(session.id, Style.GENTLE)
    read = await store.sessions.get(session.id)
    assert read is not None
    assert read.style is Style.GENTLE
