"""Which replies staff may rate, and in which order, on both databases."""

import uuid
from operator import itemgetter

import pytest
from sqlalchemy import text

from app.db.annotation import AnnotationRepository, Progress
from app.db.annotation_queue import draw_of
from app.db.engine import WRITES, SessionFactory
from app.db.records import Message, MessageStatus, NewReply, ReplySource, Session
from safety.levels import RiskCategory, RiskLevel
from tests.integration.app.db.store import Store, an_assessment

ANNA, BEN = "staff:anna", "staff:ben"


@pytest.fixture
def replies(factory: SessionFactory) -> AnnotationRepository:
    """A queue in which every reply is for two raters."""
    return AnnotationRepository(factory, double_share=1.0)


async def willing(store: Store) -> Session:
    """A conversation of a person who agreed to research."""
    person = await store.person()
    await store.persons.update(person.id, consent=True)
    return await store.session(person)


async def turn(store: Store, session: Session) -> tuple[Message, Message]:
    store.clock.advance(seconds=1)
    return await store.turn(session, "a message", {"validation": 1})


async def test_a_reply_of_a_person_who_agreed_may_be_rated(
    store: Store, replies: AnnotationRepository
) -> None:
    _, reply = await turn(store, await willing(store))
    assert await replies.next_reply(ANNA) == reply
    assert await replies.may_rate(reply.id)


async def test_without_consent_no_reply_may_be_rated(store: Store, replies: AnnotationRepository) -> None:
    _, reply = await turn(store, await store.session())
    assert await replies.next_reply(ANNA) is None
    assert not await replies.may_rate(reply.id)


async def test_a_flagged_conversation_is_never_shown(store: Store, replies: AnnotationRepository) -> None:
    message, _ = await turn(store, await willing(store))
    await store.flags.raise_flag(message.session_id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    assert await replies.next_reply(ANNA) is None


@pytest.mark.parametrize(
    ("level", "shown"), [(RiskLevel.LOW, True), (RiskLevel.MODERATE, False), (RiskLevel.IMMINENT, False)]
)
async def test_risk_from_moderate_on_hides_the_whole_conversation(
    store: Store, replies: AnnotationRepository, level: RiskLevel, shown: bool
) -> None:
    session = await willing(store)
    message, _ = await turn(store, session)
    await store.risk.add(message.id, session.id, an_assessment(level))
    await turn(store, session)
    assert (await replies.next_reply(ANNA) is not None) is shown


@pytest.mark.parametrize(
    "reply",
    [
        NewReply("written", MessageStatus.COMPLETE, ReplySource.WRITTEN),
        NewReply("fallback", MessageStatus.FALLBACK, ReplySource.FALLBACK),
        NewReply("half", MessageStatus.STOPPED, ReplySource.MODEL, "a-model"),
    ],
    ids=["written", "fallback", "stopped"],
)
async def test_only_complete_replies_of_a_model_are_shown(
    store: Store, replies: AnnotationRepository, reply: NewReply
) -> None:
    session = await willing(store)
    message = await store.messages.add_user(session.id, "a message")
    await store.messages.reply_with_candidates(session.id, message.id, reply, [])
    assert await replies.next_reply(ANNA) is None


async def test_a_replaced_reply_is_not_shown(store: Store, replies: AnnotationRepository) -> None:
    session = await willing(store)
    message, _ = await turn(store, session)
    await store.messages.supersede_from(session.id, message.id)
    assert await replies.next_reply(ANNA) is None


async def test_what_one_has_rated_or_skipped_is_not_shown_again(
    store: Store, replies: AnnotationRepository
) -> None:
    session = await willing(store)
    (_, first), (_, second), (_, third) = [await turn(store, session) for _ in range(3)]
    await store.feedback.set_rating(first.id, ANNA, 1)
    assert await replies.next_reply(ANNA, [second.id]) == third


async def test_a_reply_nobody_has_rated_comes_before_one_that_a_colleague_has(
    store: Store, replies: AnnotationRepository
) -> None:
    session = await willing(store)
    (_, first), (_, second) = [await turn(store, session) for _ in range(2)]
    await store.feedback.set_rating(first.id, BEN, 1)
    assert await replies.next_reply(ANNA) == second


async def test_a_persons_own_thumb_does_not_change_the_order(
    store: Store, replies: AnnotationRepository
) -> None:
    session = await willing(store)
    (_, first), _ = [await turn(store, session) for _ in range(2)]
    await store.feedback.set_rating(first.id, f"person:{session.person_id}", 1)
    assert await replies.next_reply(ANNA) == first


async def test_progress_counts_ones_own_ratings_and_what_is_left(
    store: Store, replies: AnnotationRepository
) -> None:
    session = await willing(store)
    (_, first), _ = [await turn(store, session) for _ in range(2)]
    await store.feedback.set_rating(first.id, ANNA, -1)
    assert await replies.progress(ANNA) == Progress(rated=1, left=1)
    assert await replies.progress(BEN) == Progress(rated=0, left=2)


async def test_a_reply_for_one_rater_leaves_the_queue_with_its_first_staff_rating(
    store: Store, factory: SessionFactory
) -> None:
    single = AnnotationRepository(factory, double_share=0.0)
    _, reply = await turn(store, await willing(store))
    await store.feedback.set_rating(reply.id, ANNA, 1)
    assert await single.next_reply(BEN) is None
    assert await single.progress(BEN) == Progress(rated=0, left=0)


async def test_a_reply_for_two_raters_leaves_the_queue_with_its_second_rating(
    store: Store, replies: AnnotationRepository
) -> None:
    _, reply = await turn(store, await willing(store))
    await store.feedback.set_rating(reply.id, ANNA, 1)
    assert await replies.next_reply(BEN) == reply
    await store.feedback.set_rating(reply.id, BEN, 1)
    assert await replies.next_reply("staff:cleo") is None


async def test_a_rating_taken_back_opens_the_reply_again(store: Store, factory: SessionFactory) -> None:
    single = AnnotationRepository(factory, double_share=0.0)
    _, reply = await turn(store, await willing(store))
    await store.feedback.set_rating(reply.id, ANNA, 1)
    await store.feedback.set_rating(reply.id, ANNA, None)
    assert await single.next_reply(BEN) == reply


async def test_two_raters_at_once_are_given_different_replies(store: Store, factory: SessionFactory) -> None:
    single = AnnotationRepository(factory, store.clock, double_share=0.0)
    session = await willing(store)
    (_, first), (_, second) = [await turn(store, session) for _ in range(2)]
    assert await single.next_reply(ANNA) == first
    assert await single.next_reply(BEN) == second
    assert await single.next_reply(ANNA) == first


async def test_a_reply_left_on_a_screen_is_given_to_others_after_a_quarter_of_an_hour(
    store: Store, factory: SessionFactory
) -> None:
    single = AnnotationRepository(factory, store.clock, double_share=0.0)
    _, reply = await turn(store, await willing(store))
    await single.next_reply(ANNA)
    assert await single.next_reply(BEN) is None
    store.clock.advance(seconds=15 * 60 + 1)
    assert await single.next_reply(BEN) == reply


async def test_a_skipped_reply_is_given_to_others_at_once(store: Store, factory: SessionFactory) -> None:
    single = AnnotationRepository(factory, store.clock, double_share=0.0)
    _, reply = await turn(store, await willing(store))
    await single.next_reply(ANNA)
    await single.release(reply.id, ANNA)
    assert await single.next_reply(BEN) == reply


def test_the_share_of_double_annotation_is_met_by_random_ids() -> None:
    ids = [str(uuid.uuid5(uuid.NAMESPACE_URL, str(number))) for number in range(20_000)]
    doubled = sum(draw_of(one) < 200 for one in ids) / len(ids)
    assert doubled == pytest.approx(0.2, abs=0.01)


async def test_consent_given_later_queues_what_was_said_and_its_withdrawal_takes_it_out(
    store: Store, replies: AnnotationRepository
) -> None:
    person = await store.person()
    _, reply = await turn(store, await store.session(person))
    await store.persons.update(person.id, consent=True)
    assert await replies.next_reply(ANNA) == reply
    await store.persons.update(person.id, consent=False)
    assert await store.contents("annotation_queue") == []


async def test_a_flag_and_a_replacement_take_replies_out_of_the_queue(store: Store) -> None:
    replaced, flagged = await willing(store), await willing(store)
    (first, _), (second, _) = await turn(store, replaced), await turn(store, flagged)
    assert len(await store.contents("annotation_queue")) == 2
    await store.messages.supersede_from(replaced.id, first.id)
    await store.flags.raise_flag(flagged.id, second.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    assert await store.contents("annotation_queue") == []


async def test_refilling_finds_what_came_in_another_way(store: Store, replies: AnnotationRepository) -> None:
    session = await willing(store)
    (_, first), _ = [await turn(store, session) for _ in range(2)]
    await store.feedback.set_rating(first.id, BEN, 1)
    before = await store.contents("annotation_queue")
    async with store.factory.begin() as db:
        await db.connection(execution_options={WRITES: True})
        await db.execute(text("DELETE FROM annotation_queue"))
    await replies.refill()
    after = await store.contents("annotation_queue")
    assert sorted(after, key=itemgetter("message_id")) == sorted(before, key=itemgetter("message_id"))


async def test_a_turn_with_two_different_candidates_may_be_ranked(
    store: Store, replies: AnnotationRepository
) -> None:
    session = await willing(store)
    await turn(store, session)
    message, reply = await store.turn(session, "two", {"advice": 1}, {"validation": 1})
    assert await replies.next_turn(ANNA) == reply
    ids = [one.id for one in await store.candidates.for_message(message.id)]
    await store.rankings.set_ranking(message.id, ANNA, {ids[0]: 1, ids[1]: 1})
    assert await replies.next_turn(ANNA) is None
    assert await replies.ranking_progress(ANNA) == Progress(rated=1, left=0)
    assert await replies.next_turn(BEN) == reply
