"""Ratings and rankings as exported: complete, joined, and only what may leave."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.db.engine import SessionFactory
from app.db.export_records import ExportFilter, RatingLine
from app.db.rating_exports import RatingExportRepository
from app.db.records import Message, MessageStatus, NewReply, Person, ReplySource
from safety.levels import RiskCategory, RiskLevel, SessionRisk
from tests.integration.app.db.store import Store, an_assessment

ANN, BEN = "staff:ann", "staff:ben"
ALL = ExportFilter()


@pytest.fixture
def exports(factory: SessionFactory) -> RatingExportRepository:
    return RatingExportRepository(factory)


async def willing(store: Store) -> Person:
    person = await store.person()
    await store.persons.update(person.id, consent=True)
    return person


async def a_turn(store: Store, person: Person | None = None) -> tuple[Message, Message]:
    session = await store.session(person or await willing(store))
    return await store.turn(session, "I am sad", {"validation": 1}, {"advice": 1})


async def rated(store: Store, person: Person | None = None) -> Message:
    _, reply = await a_turn(store, person)
    await store.feedback.set_rating(reply.id, ANN, 1, ["generic"], "fine")
    return reply


async def lines(
    exports: RatingExportRepository, asked: ExportFilter = ALL, batch: int = 50
) -> list[RatingLine]:
    found = [line async for page in exports.ratings(asked, batch) for line in page]
    assert await exports.count_ratings(asked) == len(found)
    return found


async def test_a_line_joins_thumbs_and_scores_of_one_rater_with_all_ids(
    store: Store, exports: RatingExportRepository
) -> None:
    message, reply = await a_turn(store)
    await store.feedback.set_rating(reply.id, ANN, -1, ["generic", "unsafe"], "flat")
    await store.scores.set_scores(reply.id, ANN, {"tactic.advice": 0, "empathy.advice_giving": 4})
    (line,) = await lines(exports)
    assert (line.session_id, line.user_message_id, line.message_id) == (
        message.session_id,
        message.id,
        reply.id,
    )
    assert (line.rater, line.value, line.reasons, line.comment) == (ANN, -1, ("generic", "unsafe"), "flat")
    assert line.scores == {"tactic.advice": 0, "empathy.advice_giving": 4}
    assert (line.model, line.language, line.status, line.superseded) == ("a-model", "en", "complete", False)


async def test_scores_without_thumbs_are_a_line_too(store: Store, exports: RatingExportRepository) -> None:
    _, reply = await a_turn(store)
    await store.scores.set_scores(reply.id, BEN, {"support.encouragement": 5})
    (line,) = await lines(exports)
    assert (line.value, line.scores) == (None, {"support.encouragement": 5})


async def test_every_line_comes_once_whatever_the_size_of_a_batch(
    store: Store, exports: RatingExportRepository
) -> None:
    person = await willing(store)
    for _ in range(7):
        reply = await rated(store, person)
        await store.scores.set_scores(reply.id, BEN, {"tactic.advice": 1, "tactic.validation": 1})
        await store.scores.set_scores(reply.id, ANN, {"tactic.advice": 1})
    whole = [(line.message_id, line.rater) for line in await lines(exports)]
    assert len(set(whole)) == len(whole) == 14
    for batch in (1, 3):
        assert [(line.message_id, line.rater) for line in await lines(exports, batch=batch)] == whole


async def test_without_consent_nothing_leaves(store: Store, exports: RatingExportRepository) -> None:
    await rated(store, await store.person())
    assert await lines(exports) == []
    assert len(await lines(exports, replace(ALL, unconsented=True))) == 1


@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
async def test_a_conversation_with_an_assessed_crisis_never_leaves(
    store: Store, exports: RatingExportRepository, level: RiskLevel
) -> None:
    reply = await rated(store)
    assert reply.reply_to is not None
    await store.risk.add(reply.reply_to, reply.session_id, an_assessment(level))
    assert await lines(exports) == []
    assert len(await lines(exports, replace(ALL, crisis=True))) == 1


async def test_a_low_risk_is_no_crisis(store: Store, exports: RatingExportRepository) -> None:
    reply = await rated(store)
    assert reply.reply_to is not None
    calm = replace(
        an_assessment(RiskLevel.LOW), session=SessionRisk(RiskLevel.LOW, RiskCategory.SUICIDE, 0.2, 0, False)
    )
    await store.risk.add(reply.reply_to, reply.session_id, calm)
    assert len(await lines(exports)) == 1


async def test_a_flagged_conversation_never_leaves_not_even_after_a_false_alarm(
    store: Store, exports: RatingExportRepository
) -> None:
    reply = await rated(store)
    assert reply.reply_to is not None
    await store.flags.raise_flag(reply.session_id, reply.reply_to, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    assert await lines(exports) == []
    assert await lines(exports, replace(ALL, unconsented=True)) == []


async def test_consent_withdrawn_while_a_file_is_written_counts_from_the_next_batch(
    store: Store, exports: RatingExportRepository
) -> None:
    persons = [await willing(store) for _ in range(4)]
    for person in persons:
        await rated(store, person)
    pages = exports.ratings(ALL, batch=1)
    first = await anext(pages)
    for person in persons:
        await store.persons.update(person.id, consent=False)
    rest = [line async for page in pages for line in page]
    assert (len(first), rest) == (1, [])


async def test_filters_narrow_by_period_model_language_and_raters(
    store: Store, exports: RatingExportRepository
) -> None:
    reply = await rated(store)
    now = store.clock()
    assert await lines(exports, ExportFilter(since=now + timedelta(seconds=1))) == []
    assert await lines(exports, ExportFilter(until=now)) == []
    assert len(await lines(exports, ExportFilter(since=now, until=now + timedelta(seconds=1)))) == 1
    assert await lines(exports, ExportFilter(model="another")) == []
    assert len(await lines(exports, ExportFilter(model="a-model", language="en"))) == 1
    assert await lines(exports, ExportFilter(language="zh")) == []
    await store.feedback.set_rating(reply.id, "person:x", 1)
    assert [line.rater for line in await lines(exports, ExportFilter(staff_only=True))] == [ANN]
    assert len(await lines(exports)) == 2


async def test_a_blocked_reply_never_leaves(store: Store, exports: RatingExportRepository) -> None:
    session = await store.session(await willing(store))
    message = await store.messages.add_user(session.id, "hello")
    blocked = NewReply("bad", MessageStatus.BLOCKED, ReplySource.MODEL, "a-model")
    reply = await store.reply(message, {}, reply=blocked)
    await store.feedback.set_rating(reply.id, ANN, -1)
    assert await lines(exports, replace(ALL, crisis=True, unconsented=True)) == []


async def test_a_ranking_is_a_line_for_each_candidate(store: Store, exports: RatingExportRepository) -> None:
    message, _ = await a_turn(store)
    one, two = await store.candidates.for_message(message.id)
    await store.rankings.set_ranking(message.id, ANN, {one.id: 2, two.id: 1})
    found = [line async for page in exports.rankings(ALL, 1) for line in page]
    assert await exports.count_rankings(ALL) == 2
    assert {(line.candidate_id, line.place, line.shown, line.text) for line in found} == {
        (one.id, 2, True, "text 0"),
        (two.id, 1, False, "text 1"),
    }
    assert {(line.session_id, line.user_message_id, line.model) for line in found} == {
        (message.session_id, message.id, "a-model")
    }


async def test_rankings_without_consent_stay(store: Store, exports: RatingExportRepository) -> None:
    message, _ = await a_turn(store, await store.person())
    one, two = await store.candidates.for_message(message.id)
    await store.rankings.set_ranking(message.id, ANN, {one.id: 2, two.id: 1})
    assert [page async for page in exports.rankings(ALL)] == []
    assert await exports.count_rankings(ALL) == 0
