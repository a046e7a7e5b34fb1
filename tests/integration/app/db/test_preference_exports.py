"""Examples for preference tuning: only people's choices, each with the conversation it was made in."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.db.engine import SessionFactory
from app.db.export_records import ExportFilter, LabelledReply, PreferencePair
from app.db.preference_exports import PreferenceExportRepository
from app.db.records import Message, MessageStatus, NewCandidate, NewReply, ReplySource, Session
from safety.levels import RiskCategory, RiskLevel
from tests.integration.app.db.store import SHOWN, Store, an_assessment

ANN, BEN, CIM = "staff:ann", "staff:ben", "staff:cim"
ALL = ExportFilter()
EVERYTHING = ExportFilter(crisis=True, unconsented=True)


@pytest.fixture
def exports(factory: SessionFactory) -> PreferenceExportRepository:
    return PreferenceExportRepository(factory)


@pytest.fixture
async def session(store: Store) -> Session:
    person = await store.person()
    await store.persons.update(person.id, consent=True)
    return await store.session(person)


async def labelled(
    exports: PreferenceExportRepository, asked: ExportFilter = ALL, batch: int = 50
) -> list[LabelledReply]:
    found = [row async for page in exports.labelled(asked, batch) for row in page]
    assert await exports.count_labelled(asked) == len(found)
    return found


async def pairs(
    exports: PreferenceExportRepository, asked: ExportFilter = ALL, batch: int = 50
) -> list[PreferencePair]:
    found = [row async for page in exports.pairs(asked, batch) for row in page]
    assert await exports.count_pairs(asked) == len(found)
    return found


async def sampled(store: Store, session: Session, *texts: str, **changes: object) -> dict[str, str]:
    """A turn with these candidates, the first chosen; their ids by text, and the message as ``to``."""
    message = await store.messages.add_user(session.id, "what now?")
    rows = [
        NewCandidate(position=place, text=text, chosen=place == 0, **(changes if place == 1 else {}))  # type: ignore[arg-type]
        for place, text in enumerate(texts)
    ]
    await store.messages.reply_with_candidates(session.id, message.id, SHOWN, rows)
    found = await store.candidates.for_message(message.id)
    return {one.candidate.text: one.id for one in found} | {"to": message.id}


async def rank(store: Store, turn: Mapping[str, str], rater: str, **places: int) -> None:
    await store.rankings.set_ranking(turn["to"], rater, {turn[text]: place for text, place in places.items()})


async def test_a_rated_reply_has_the_conversation_before_it_as_its_prompt(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    await store.turn(session, "first", {})
    _, reply = await store.turn(session, "second", {})
    await store.turn(session, "third", {})
    await store.feedback.set_rating(reply.id, ANN, 1)
    (example,) = await labelled(exports)
    assert example.prompt == (
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "I hear you."},
        {"role": "user", "content": "second"},
    )
    assert (example.completion, example.label) == ("I hear you.", True)
    assert (example.session_id, example.message_id) == (session.id, reply.id)


async def test_messages_in_a_row_become_one_turn(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    failed = await store.messages.add_user(session.id, "first")
    await store.messages.set_status(failed.id, MessageStatus.FAILED, "timeout")
    _, reply = await store.turn(session, "again", {})
    await store.feedback.set_rating(reply.id, ANN, -1)
    (example,) = await labelled(exports)
    assert example.prompt == ({"role": "user", "content": "first\n\nagain"},)
    assert example.label is False


async def test_the_majority_labels_a_reply_and_even_votes_leave_it_out(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    _, disputed = await store.turn(session, "one", {})
    _, disliked = await store.turn(session, "two", {})
    for rater, first, second in ((ANN, 1, -1), (BEN, -1, -1)):
        await store.feedback.set_rating(disputed.id, rater, first)
        await store.feedback.set_rating(disliked.id, rater, second)
    await store.feedback.set_rating(disliked.id, CIM, 1)
    assert [(one.message_id, one.label) for one in await labelled(exports)] == [(disliked.id, False)]


async def test_every_labelled_reply_comes_once_whatever_the_size_of_a_batch(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    for number in range(5):
        _, reply = await store.turn(session, f"message {number}", {})
        await store.feedback.set_rating(reply.id, ANN, 1)
        await store.feedback.set_rating(reply.id, BEN, 1)
    whole = await labelled(exports)
    assert len({one.message_id for one in whole}) == 5
    assert await labelled(exports, batch=2) == whole


@pytest.mark.parametrize(
    "reply",
    [
        NewReply("part", MessageStatus.STOPPED, ReplySource.MODEL, "a-model"),
        NewReply("bad", MessageStatus.BLOCKED, ReplySource.MODEL, "a-model"),
        NewReply("kind words", MessageStatus.FALLBACK, ReplySource.FALLBACK),
        NewReply("written", MessageStatus.COMPLETE, ReplySource.WRITTEN),
    ],
    ids=lambda reply: reply.text,
)
async def test_what_no_model_said_in_full_is_no_example(
    store: Store, exports: PreferenceExportRepository, session: Session, reply: NewReply
) -> None:
    message = await store.messages.add_user(session.id, "hello")
    stored = await store.reply(message, {}, reply=reply)
    await store.feedback.set_rating(stored.id, ANN, 1)
    assert await labelled(exports, EVERYTHING) == []


async def test_a_superseded_turn_is_no_example(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    turn = await sampled(store, session, "a", "b")
    await rank(store, turn, ANN, a=1, b=2)
    reply = await store.messages.reply_of(turn["to"])
    assert reply is not None
    await store.feedback.set_rating(reply.id, ANN, 1)
    assert (len(await labelled(exports)), len(await pairs(exports))) == (1, 1)
    await store.messages.supersede_from(session.id, turn["to"])
    assert (await labelled(exports, EVERYTHING), await pairs(exports, EVERYTHING)) == ([], [])


async def test_a_pair_is_what_a_person_put_first_not_what_the_service_chose(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    turn = await sampled(store, session, "shown", "better")
    assert await pairs(exports) == []
    await rank(store, turn, ANN, shown=2, better=1)
    (pair,) = await pairs(exports)
    assert (pair.chosen, pair.rejected) == ("better", "shown")
    assert (pair.chosen_id, pair.rejected_id) == (turn["better"], turn["shown"])
    assert pair.prompt == ({"role": "user", "content": "what now?"},)


async def test_a_tie_makes_no_pair(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    turn = await sampled(store, session, "a", "b", "c")
    await rank(store, turn, ANN, a=1, b=1, c=3)
    assert {(pair.chosen, pair.rejected) for pair in await pairs(exports)} == {("a", "c"), ("b", "c")}


async def test_rankings_that_contradict_each_other_are_settled_by_majority(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    turn = await sampled(store, session, "a", "b")
    await rank(store, turn, ANN, a=1, b=2)
    await rank(store, turn, BEN, a=2, b=1)
    assert await pairs(exports) == []
    await rank(store, turn, CIM, a=2, b=1)
    assert [(pair.chosen, pair.rejected) for pair in await pairs(exports)] == [("b", "a")]


async def test_a_ranking_that_was_taken_back_makes_no_pair(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    turn = await sampled(store, session, "a", "b")
    await rank(store, turn, ANN, a=1, b=2)
    await store.rankings.set_ranking(turn["to"], ANN, {})
    assert await pairs(exports) == []


@pytest.mark.parametrize("changes", [{"blocked": "unsafe"}, {"finish_reason": "length"}])
async def test_a_blocked_or_cut_candidate_is_on_neither_side(
    store: Store, exports: PreferenceExportRepository, session: Session, changes: dict[str, str]
) -> None:
    turn = await sampled(store, session, "a", "b", **changes)
    await rank(store, turn, ANN, a=1, b=2)
    assert await pairs(exports, EVERYTHING) == []
    await rank(store, turn, ANN, a=2, b=1)
    assert await pairs(exports, EVERYTHING) == []


async def test_all_pairs_come_once_whatever_the_size_of_a_batch(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    for _ in range(4):
        turn = await sampled(store, session, "a", "b", "c")
        await rank(store, turn, ANN, a=1, b=2, c=3)
        await rank(store, turn, BEN, a=1, b=2, c=3)
    whole = await pairs(exports)
    assert len({(pair.chosen_id, pair.rejected_id) for pair in whole}) == len(whole) == 12
    assert await pairs(exports, batch=1) == whole


async def judged(store: Store, session: Session) -> Message:
    turn = await sampled(store, session, "a", "b")
    await rank(store, turn, ANN, a=1, b=2)
    reply = await store.messages.reply_of(turn["to"])
    assert reply is not None
    await store.feedback.set_rating(reply.id, ANN, 1)
    return reply


async def test_a_crisis_anywhere_in_the_conversation_keeps_all_of_it_in(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    await judged(store, session)
    later = await store.messages.add_user(session.id, "later")
    await store.risk.add(later.id, session.id, an_assessment(RiskLevel.MODERATE))
    assert (await labelled(exports), await pairs(exports)) == ([], [])
    asked = replace(ALL, crisis=True)
    assert (len(await labelled(exports, asked)), len(await pairs(exports, asked))) == (1, 1)


async def test_a_flag_keeps_the_conversation_in(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    reply = await judged(store, session)
    assert reply.reply_to is not None
    await store.flags.raise_flag(session.id, reply.reply_to, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    assert (await labelled(exports), await pairs(exports)) == ([], [])


async def test_withdrawn_consent_keeps_the_conversation_in(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    await judged(store, session)
    await store.persons.update(session.person_id, consent=False)
    assert (await labelled(exports), await pairs(exports)) == ([], [])
    asked = replace(ALL, unconsented=True)
    assert (len(await labelled(exports, asked)), len(await pairs(exports, asked))) == (1, 1)


async def test_the_model_of_the_reply_can_be_asked_for(
    store: Store, exports: PreferenceExportRepository, session: Session
) -> None:
    await judged(store, session)
    for name, count in (("a-model", 1), ("another", 0)):
        asked = ExportFilter(model=name)
        assert (len(await labelled(exports, asked)), len(await pairs(exports, asked))) == (count, count)
