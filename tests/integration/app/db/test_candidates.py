import pytest

from app.db.errors import ConflictError, GoneError
from app.db.records import MessageStatus, NewCandidate, NewReply, ReplySource
from tests.integration.app.db.store import SHOWN, Store

FULL = NewCandidate(
    position=1,
    text="I hear how hard this is. What helps?",
    chosen=True,
    reasoning="They sound tired.",
    finish_reason="length",
    prompt_tokens=321,
    completion_tokens=12,
    latency_s=1.25,
    tactic_counts={"validation": 1, "questioning": 1},
    sentence_tactics=(("validation",), ("questioning",), ()),
    quality=4.5,
    novelty=0.75,
    similarity=0.5,
    score=5.0,
    rank=0,
    penalties=("unfinished",),
    blocked=None,
    explanation={"quality": 4.5, "novelty": 0.5},
)


async def test_a_candidate_is_read_as_stored(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    reply = await store.messages.reply_with_candidates(session.id, message.id, SHOWN, [FULL])
    [stored] = await store.candidates.for_message(message.id)
    assert stored.candidate == FULL
    assert (stored.session_id, stored.user_message_id, stored.reply_message_id) == (
        session.id,
        message.id,
        reply.id,
    )


async def test_candidates_are_found_by_their_reply_too(store: Store) -> None:
    session = await store.session()
    message, reply = await store.turn(session, "hello", {"advice": 1}, {})
    assert await store.candidates.for_message(reply.id) == await store.candidates.for_message(message.id)


async def test_candidates_come_in_the_order_of_the_sample(store: Store) -> None:
    session = await store.session()
    message, _ = await store.turn(session, "hello", {}, {}, {})
    found = await store.candidates.for_message(message.id)
    assert [stored.candidate.position for stored in found] == [0, 1, 2]


async def test_candidates_of_a_failed_turn_are_kept_without_a_reply(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.candidates.add_all(message.id, None, [NewCandidate(0, "", False, blocked="empty")])
    [stored] = await store.candidates.for_message(message.id)
    assert (stored.reply_message_id, stored.candidate.blocked) == (None, "empty")


async def test_candidates_of_a_deleted_conversation_are_refused(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await store.candidates.add_all(message.id, None, [FULL])


async def test_only_one_candidate_of_a_reply_can_be_chosen(store: Store) -> None:
    session = await store.session()
    message, reply = await store.turn(session, "hello", {})
    with pytest.raises(ConflictError):
        await store.candidates.add_all(message.id, reply.id, [FULL])


async def test_chosen_counts_are_those_of_the_replies_oldest_first(store: Store) -> None:
    session = await store.session()
    for counts in ({"advice": 2}, {"validation": 1}, {"questioning": 3}):
        await store.turn(session, "hello", counts, {"information": 9})
    assert await store.candidates.chosen_counts(session.id) == [
        {"advice": 2},
        {"validation": 1},
        {"questioning": 3},
    ]


async def test_a_limit_takes_the_latest_of_them(store: Store) -> None:
    session = await store.session()
    for number in range(3):
        await store.turn(session, "hello", {"advice": number})
    assert await store.candidates.chosen_counts(session.id, 2) == [{"advice": 1}, {"advice": 2}]


async def test_superseded_replies_do_not_count(store: Store) -> None:
    session = await store.session()
    await store.turn(session, "one", {"advice": 1})
    message, reply = await store.turn(session, "two", {"validation": 1})
    await store.messages.supersede_from(session.id, reply.id)
    await store.reply(message, {"questioning": 1})
    assert await store.candidates.chosen_counts(session.id) == [{"advice": 1}, {"questioning": 1}]


async def test_blocked_replies_do_not_count(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "one")
    await store.reply(
        message, {"advice": 1}, reply=NewReply("x", MessageStatus.BLOCKED, ReplySource.MODEL, "a-model")
    )
    assert await store.candidates.chosen_counts(session.id) == []


async def test_counts_of_another_conversation_do_not_count(store: Store) -> None:
    mine, other = await store.session(), await store.session()
    await store.turn(other, "hello", {"advice": 1})
    assert await store.candidates.chosen_counts(mine.id) == []


async def test_chosen_texts_are_what_was_shown_beside_the_counts(store: Store) -> None:
    session = await store.session()
    _, first = await store.turn(session, "one", {"advice": 1})
    await store.turn(session, "two", {"validation": 1})
    await store.messages.cut_reply(first.id, "I hear")
    assert await store.candidates.chosen_texts(session.id) == ["I hear", "I hear you."]
    assert await store.candidates.chosen_texts(session.id, 1) == ["I hear you."]
