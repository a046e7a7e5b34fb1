"""Any text a person can send comes back as it was, but for what no database can hold."""

import pytest

from app.db.records import MessageStatus, NewCandidate, NewReply, ReplySource
from tests.integration.app.db.store import Store

HARD = {
    "emoji": "👩‍👩‍👧‍👦 and 🏳️‍🌈",
    "chinese": "我不想活了，怎么办？",
    "right to left": "أنا حزين \u200f(",
    "combining": "Z̷͔̈a̵̰͝l̶̰͋g̷͉̈́o̸",
    "quotes": 'it\'s "so" \\ `hard`; DROP TABLE persons; -- $1 %s :name',
    "line ends": "a\r\nb\u2028c\td",
    "non-characters": "\ufffe\uffff\U0010ffff",
    "long": "x" * 300_000,
}


@pytest.mark.parametrize("text", HARD.values(), ids=HARD.keys())
async def test_a_message_comes_back_as_it_was(store: Store, text: str) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, text)
    stored = await store.messages.get(message.id)
    assert stored is not None
    assert stored.text == text


async def test_characters_no_database_holds_are_replaced_one_by_one(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "a\x00b\ud83dc\udc00d")
    assert message.text == "a\ufffdb\ufffdc\ufffdd"


async def test_candidates_may_hold_anything_a_model_can_say(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    odd = NewCandidate(
        position=0,
        text="\x00",
        chosen=True,
        reasoning="\ud800",
        tactic_counts={"advice\x00": 1},
        sentence_tactics=(("\ud800",),),
        penalties=("\x00",),
        blocked="\x00",
        explanation={"novelty": float("nan"), "quality": float("inf"), "note": "\x00"},
    )
    reply = NewReply("\x00", MessageStatus.COMPLETE, ReplySource.MODEL)
    await store.messages.reply_with_candidates(session.id, message.id, reply, [odd])
    [stored] = await store.candidates.for_message(message.id)
    assert stored.candidate == NewCandidate(
        position=0,
        text="\ufffd",
        chosen=True,
        reasoning="\ufffd",
        tactic_counts={"advice\ufffd": 1},
        sentence_tactics=(("\ufffd",),),
        penalties=("\ufffd",),
        blocked="\ufffd",
        explanation={"novelty": None, "quality": None, "note": "\ufffd"},
    )


async def test_what_a_browser_tells_about_itself_can_not_break_a_row(store: Store) -> None:
    person = await store.persons.create("en\x00" + "x" * 100, "United States", "Europe/\x00" + "y" * 100)
    stored = await store.persons.get(person.id)
    assert stored is not None
    assert (len(stored.locale), stored.country, len(stored.timezone or "")) == (16, "Un", 64)


async def test_a_comment_may_hold_anything(store: Store) -> None:
    session = await store.session()
    _, reply = await store.turn(session, "hello")
    await store.feedback.set_rating(reply.id, "person:me", 1, ["a\x00"], "\ud800 no")
    rating = await store.feedback.get(reply.id, "person:me")
    assert rating is not None
    assert (rating.reasons, rating.comment) == (("a\ufffd",), "\ufffd no")
