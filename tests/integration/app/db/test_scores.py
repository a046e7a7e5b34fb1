"""Scores of measures by staff."""

import asyncio
from datetime import timedelta

import pytest

from app.db.errors import GoneError
from tests.integration.app.db.store import Store

ANN, BEN = "staff:ann", "staff:ben"
VALID, ADVICE = "empathy.validating_emotions", "tactic.advice"


@pytest.fixture
async def reply(store: Store) -> str:
    _, reply = await store.turn(await store.session(), "I am sad", {"advice": 1})
    return reply.id


async def test_measures_that_are_not_named_stay(store: Store, reply: str) -> None:
    await store.scores.set_scores(reply, ANN, {VALID: 4})
    assert await store.scores.set_scores(reply, ANN, {ADVICE: 0}) == {VALID: 4, ADVICE: 0}
    assert await store.scores.for_reply(reply, ANN) == {VALID: 4, ADVICE: 0}


async def test_two_windows_at_once_lose_nothing(store: Store, reply: str) -> None:
    await asyncio.gather(
        store.scores.set_scores(reply, ANN, {VALID: 4}), store.scores.set_scores(reply, ANN, {ADVICE: 1})
    )
    assert await store.scores.for_reply(reply, ANN) == {VALID: 4, ADVICE: 1}


async def test_raters_do_not_see_each_others(store: Store, reply: str) -> None:
    await store.scores.set_scores(reply, ANN, {VALID: 4})
    await store.scores.set_scores(reply, BEN, {VALID: 2})
    assert await store.scores.for_reply(reply, BEN) == {VALID: 2}


async def test_a_score_can_be_changed_and_taken_back_and_each_state_is_kept(store: Store, reply: str) -> None:
    for value in (4, 4, 5, None):
        await store.scores.set_scores(reply, ANN, {VALID: value})
    assert await store.scores.for_reply(reply, ANN) == {}
    kept = await store.contents("score_history")
    assert sorted(str(row["value"]) for row in kept) == ["4", "5", "None"]


@pytest.mark.parametrize(("measure", "value"), [(VALID, 0), (VALID, 6), (ADVICE, 2), ("mood", 1)])
async def test_what_no_page_offers_is_refused(store: Store, reply: str, measure: str, value: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        await store.scores.set_scores(reply, ANN, {measure: value})


async def test_a_reply_that_is_gone_says_so(store: Store) -> None:
    with pytest.raises(GoneError):
        await store.scores.set_scores("no id", ANN, {VALID: 1})


async def test_a_period_has_a_beginning_and_an_end(store: Store, reply: str) -> None:
    start = store.clock()
    await store.scores.set_scores(reply, ANN, {VALID: 3})
    later = store.clock() + timedelta(days=1)
    assert [score.value for score in await store.scores.of_replies(start, later)] == [3]
    assert await store.scores.of_replies(later, later + timedelta(days=1)) == []
