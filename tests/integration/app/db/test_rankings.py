"""Rankings of a turn's candidates by staff."""

import pytest

from app.db.errors import GoneError
from tests.integration.app.db.store import Store

ANN = "staff:ann"


@pytest.fixture
async def turn(store: Store) -> tuple[str, list[str]]:
    """A message with three candidates: its id and theirs."""
    message, _ = await store.turn(await store.session(), "I am sad", {"advice": 1}, {}, {})
    rows = [row for row in await store.contents("candidates") if str(row["user_message_id"]) == message.id]
    return message.id, [str(row["id"]) for row in sorted(rows, key=lambda row: row["position"])]


async def test_a_ranking_with_a_tie_is_kept(store: Store, turn: tuple[str, list[str]]) -> None:
    message, (a, b, c) = turn
    await store.rankings.set_ranking(message, ANN, {a: 2, b: 1, c: 2})
    found = await store.rankings.get(message, ANN)
    assert found is not None
    assert found.places == {a: 2, b: 1, c: 2}


async def test_it_can_be_changed_and_taken_back_and_each_state_is_kept(
    store: Store, turn: tuple[str, list[str]]
) -> None:
    message, (a, b, _) = turn
    for places in ({a: 1, b: 2}, {a: 1, b: 2}, {a: 2, b: 1}, {}):
        await store.rankings.set_ranking(message, ANN, places)
    assert await store.rankings.get(message, ANN) is None
    assert await store.contents("ranking_places") == []
    assert len(await store.contents("ranking_history")) == 3


@pytest.mark.parametrize("places", [(1, 1, 2), (2, 3, 3), (0, 1, 2), (1, 3, 4)])
async def test_places_with_a_gap_are_refused(
    store: Store, turn: tuple[str, list[str]], places: tuple[int, ...]
) -> None:
    message, candidates = turn
    with pytest.raises(ValueError, match="places must be"):
        await store.rankings.set_ranking(message, ANN, dict(zip(candidates, places, strict=True)))


async def test_one_candidate_is_no_ranking(store: Store, turn: tuple[str, list[str]]) -> None:
    message, (a, *_) = turn
    with pytest.raises(ValueError, match="two candidates"):
        await store.rankings.set_ranking(message, ANN, {a: 1})


async def test_a_candidate_of_another_turn_is_refused(store: Store, turn: tuple[str, list[str]]) -> None:
    message, (a, *_) = turn
    other, _ = await store.turn(await store.session(), "Hello", {})
    theirs = next(
        str(row["id"])
        for row in await store.contents("candidates")
        if str(row["user_message_id"]) == other.id
    )
    with pytest.raises(GoneError):
        await store.rankings.set_ranking(message, ANN, {a: 1, theirs: 2})
    assert await store.rankings.get(message, ANN) is None
