import pytest

from app.db.errors import GoneError
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store

ME = "person:me"
YOU = "staff:you"


async def a_reply(store: Store) -> str:
    _, reply = await store.turn(await store.session(), "hello")
    return reply.id


async def test_a_rating_is_read_as_stored(store: Store, clock: FakeClock) -> None:
    message = await a_reply(store)
    rating = await store.feedback.set_rating(message, ME, 1, ["warm", "clear"], "thank you")
    assert rating is not None
    assert (rating.value, rating.reasons, rating.comment, rating.updated_at) == (
        1,
        ("warm", "clear"),
        "thank you",
        clock.time,
    )
    assert await store.feedback.get(message, ME) == rating


async def test_a_new_rating_replaces_the_old_one(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, 1)
    rating = await store.feedback.set_rating(message, ME, -1, ["generic"])
    assert await store.feedback.get(message, ME) == rating
    assert len(await store.contents("feedback")) == 1


async def test_turning_a_thumb_forgets_the_reasons_of_the_other(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, 1, ["warm"], "thank you")
    rating = await store.feedback.set_rating(message, ME, -1)
    assert rating is not None
    assert (rating.reasons, rating.comment) == ((), None)


async def test_reasons_can_be_added_without_losing_the_comment(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, -1, comment="too quick")
    rating = await store.feedback.set_rating(message, ME, -1, ["premature_advice"])
    assert rating is not None
    assert (rating.reasons, rating.comment) == (("premature_advice",), "too quick")


async def test_a_comment_can_be_added_without_losing_the_reasons(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, -1, ["premature_advice"])
    rating = await store.feedback.set_rating(message, ME, -1, comment="too quick")
    assert rating is not None
    assert (rating.reasons, rating.comment) == (("premature_advice",), "too quick")


async def test_a_rating_can_be_taken_back(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, 1, ["warm"])
    assert await store.feedback.set_rating(message, ME, None) is None
    assert await store.feedback.get(message, ME) is None


async def test_taking_back_what_was_never_given_changes_nothing(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, None)
    assert await store.feedback.changes(message, ME) == []


async def test_every_state_is_remembered(store: Store, clock: FakeClock) -> None:
    message = await a_reply(store)
    for value in (1, -1, None):
        clock.advance(seconds=1)
        await store.feedback.set_rating(message, ME, value)
    assert [change.value for change in await store.feedback.changes(message, ME)] == [1, -1, None]


async def test_the_same_click_reported_twice_is_one_change(store: Store) -> None:
    message = await a_reply(store)
    first = await store.feedback.set_rating(message, ME, 1, ["warm"])
    assert await store.feedback.set_rating(message, ME, 1, ["warm"]) == first
    assert len(await store.feedback.changes(message, ME)) == 1


async def test_two_raters_do_not_overwrite_each_other(store: Store) -> None:
    message = await a_reply(store)
    mine = await store.feedback.set_rating(message, ME, 1)
    yours = await store.feedback.set_rating(message, YOU, -1)
    assert await store.feedback.get(message, ME) == mine
    assert await store.feedback.get(message, YOU) == yours


async def test_one_rater_taking_back_leaves_the_other(store: Store) -> None:
    message = await a_reply(store)
    await store.feedback.set_rating(message, ME, 1)
    yours = await store.feedback.set_rating(message, YOU, -1)
    await store.feedback.set_rating(message, ME, None)
    assert await store.feedback.get(message, YOU) == yours


async def test_ratings_of_a_conversation_are_those_of_the_rater_alone(store: Store) -> None:
    session = await store.session()
    _, first = await store.turn(session, "one")
    _, second = await store.turn(session, "two")
    mine = await store.feedback.set_rating(first.id, ME, 1)
    await store.feedback.set_rating(second.id, YOU, 1)
    assert await store.feedback.for_session(session.id, ME) == {first.id: mine}


async def test_a_rating_of_a_deleted_message_is_refused(store: Store) -> None:
    session = await store.session()
    _, reply = await store.turn(session, "hello")
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await store.feedback.set_rating(reply.id, ME, 1)


@pytest.mark.parametrize("value", [0, 2, -5])
async def test_other_values_are_refused(store: Store, value: int) -> None:
    message = await a_reply(store)
    with pytest.raises(ValueError, match="rating"):
        await store.feedback.set_rating(message, ME, value)
