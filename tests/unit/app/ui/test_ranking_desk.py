"""Which candidates are ranked, and in which order they are shown."""

from datetime import UTC, datetime

from app.db.records import NewCandidate, StoredCandidate
from app.ui.ranking_desk import different, in_blind_order


def stored(number: int, candidate: NewCandidate) -> StoredCandidate:
    return StoredCandidate(f"c{number}", "session", "message", "reply", datetime.now(UTC), candidate)


def sample(*texts: str, chosen: int = 0) -> list[StoredCandidate]:
    return [stored(number, NewCandidate(number, text, number == chosen)) for number, text in enumerate(texts)]


def test_equal_texts_are_one_candidate_and_it_is_the_shown_one() -> None:
    found = different(sample("I hear you.", "Tell me more.", "I  hear you.\n", chosen=2))
    assert [one.id for one in found] == ["c2", "c1"]


def test_refused_cut_and_empty_candidates_are_not_ranked() -> None:
    candidates = [
        stored(0, NewCandidate(0, "good", True)),
        stored(1, NewCandidate(1, "refused", False, blocked="unsafe")),
        stored(2, NewCandidate(2, "cut", False, finish_reason="length")),
        stored(3, NewCandidate(3, " ", False)),
    ]
    assert [one.id for one in different(candidates)] == ["c0"]


def test_the_order_is_the_same_at_every_look() -> None:
    candidates = sample(*"abcdefgh")
    assert in_blind_order(candidates, "staff:anna") == in_blind_order(candidates[::-1], "staff:anna")


def test_each_rater_has_an_order_of_their_own() -> None:
    candidates = sample(*"abcdefgh")
    assert in_blind_order(candidates, "staff:anna") != in_blind_order(candidates, "staff:ben")


def test_the_shown_reply_is_at_every_place_about_equally_often() -> None:
    candidates = sample(*"abcd")
    first = sum(in_blind_order(candidates, f"staff:{number}")[0].candidate.chosen for number in range(2000))
    assert 430 < first < 570
