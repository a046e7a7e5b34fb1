import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.novelty import TacticHistory, kl_divergence, pooled_stickiness, rarity_of, reuse, stickiness
from models.tactics import Tactic

A, V, Q = Tactic.ADVICE, Tactic.VALIDATION, Tactic.QUESTIONING
COUNTS = st.dictionaries(st.sampled_from(list(Tactic)), st.integers(0, 12))
TURNS = st.lists(st.frozensets(st.sampled_from(list(Tactic))), max_size=8)


def test_divergence_by_hand() -> None:
    # Reply: advice once; before: validation once. p(A) = 1.1/2, q(A) = 0.1/2, p(V) = 0.1/2, q(V) = 1.1/2.
    expected = 0.55 * math.log(11) + 0.05 * math.log(1 / 11)
    assert kl_divergence({A: 1}, {V: 1}) == pytest.approx(expected)


def test_divergence_of_unequal_totals_by_hand() -> None:
    # p = (2.1, 1.1, 8 × 0.1) / 4; q = (0.1, 1.1, 8 × 0.1) / 2.
    p, q = [2.1 / 4, 1.1 / 4, *[0.1 / 4] * 8], [0.1 / 2, 1.1 / 2, *[0.1 / 2] * 8]
    expected = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    assert kl_divergence({A: 2, V: 1}, {V: 1}) == pytest.approx(expected)


def test_divergence_is_capped() -> None:
    assert kl_divergence({A: 1000}, {V: 1000}, alpha=1e-6) == 5.0


def test_smoothing_must_be_positive() -> None:
    with pytest.raises(ValueError, match="alpha"):
        kl_divergence({A: 1}, {V: 1}, alpha=0.0)


@given(COUNTS)
def test_a_reply_does_not_diverge_from_itself(counts: dict[Tactic, int]) -> None:
    assert kl_divergence(counts, counts) == pytest.approx(0.0, abs=1e-12)


@given(COUNTS, COUNTS)
def test_divergence_stays_in_its_range(counts: dict[Tactic, int], previous: dict[Tactic, int]) -> None:
    assert 0.0 <= kl_divergence(counts, previous) <= 5.0


def test_stickiness_by_hand() -> None:
    # Advice occurs twice with a turn after it and comes back once: 1/2; validation: 1/1; mean 3/4.
    assert stickiness([{A}, {A, V}, {V}]) == pytest.approx(0.75)


def test_tactics_that_never_occur_do_not_count() -> None:
    assert stickiness([{A}, {A}]) == 1.0


def test_a_tactic_of_the_last_turn_only_does_not_count() -> None:
    assert stickiness([{A}, {V}]) == 0.0


@pytest.mark.parametrize("turns", [[], [{A}], [set[Tactic](), {A}]])
def test_without_a_tactic_before_there_is_no_stickiness(turns: list[set[Tactic]]) -> None:
    assert stickiness(turns) is None


@given(TURNS)
def test_stickiness_is_a_share(turns: list[frozenset[Tactic]]) -> None:
    value = stickiness(turns)
    assert value is None or 0.0 <= value <= 1.0


def test_conversations_are_pooled_by_transition() -> None:
    # Advice: before three times, again once; so 1/3 and not the mean of 1/1 and 0/2.
    assert pooled_stickiness([({A}, {A}), ({A}, {V}), ({A}, {V})]) == pytest.approx(1 / 3)


def test_history_tells_the_last_turn() -> None:
    assert TacticHistory(({A: 1}, {V: 2})).last() == {V: 2}


def test_an_empty_history_has_no_last_turn() -> None:
    assert TacticHistory().last() is None


def test_history_tells_what_was_not_used_yet() -> None:
    unused = TacticHistory(({A: 1}, {V: 2})).unused()
    assert unused == tuple(t for t in Tactic if t not in {A, V})


def test_stored_rows_may_hold_unknown_names() -> None:
    assert TacticHistory.from_rows([{"advice": 1, "magic": 3, "validation": 0}]).turns == ({A: 1},)


def test_a_turn_is_added_at_the_end() -> None:
    assert TacticHistory(({A: 1},)).with_turn({Q: 1}).turns == ({A: 1}, {Q: 1})


def test_history_knows_its_stickiness() -> None:
    assert TacticHistory(({A: 1}, {A: 2, V: 1})).stickiness() == 1.0


def test_a_rare_tactic_used_again_counts_more_than_a_common_one() -> None:
    rare, common = Tactic.INFORMATION, Tactic.VALIDATION
    assert reuse({rare: 1.0}, {rare: 1.0}) > reuse({common: 1.0}, {common: 1.0})


def test_only_tactics_of_both_turns_are_used_again() -> None:
    assert reuse({A: 1.0, Q: 1.0}, {V: 1.0, Q: 1.0}) == reuse({Q: 1.0}, {Q: 1.0})


def test_what_may_come_back_counts_by_its_chance() -> None:
    assert reuse({Q: 0.25}, {Q: 1.0}) == pytest.approx(reuse({Q: 1.0}, {Q: 1.0}) / 4)


def test_what_may_have_been_there_counts_by_its_chance() -> None:
    assert reuse({Q: 0.5}, {Q: 0.25, A: 1.0}) == pytest.approx(reuse({Q: 1.0}, {Q: 1.0}) / 8)


def test_rarity_by_hand() -> None:
    # Nine tactics in every reply but for the floor: 1 / (0.97 + 0.03); one in 7 %: 1 / 0.1; mean 19 / 10.
    rare = rarity_of({tactic: 0.07 if tactic is Q else 0.97 for tactic in Tactic})
    assert rare[Q] == pytest.approx(10 / 1.9)
    assert rare[A] == pytest.approx(1 / 1.9)


def test_a_tactic_that_is_never_chosen_has_a_finite_rarity() -> None:
    # Of ten alike each is average; one that is never there weighs 1 / 0.03 where the others weigh 1 / 0.53.
    rare = rarity_of({tactic: 0.0 if tactic is Q else 0.5 for tactic in Tactic})
    assert rare[Q] / rare[A] == pytest.approx(0.53 / 0.03)


def test_other_shares_may_be_given() -> None:
    shares = dict.fromkeys(Tactic, 0.5)
    assert reuse({Q: 1.0, A: 1.0}, {Q: 1.0, A: 1.0}, shares) == pytest.approx(2.0)


def test_all_tactics_used_again_are_ten_average_ones() -> None:
    everything = dict.fromkeys(Tactic, 1.0)
    assert reuse(dict.fromkeys(Tactic, 1.0), everything) == pytest.approx(10.0)


def test_a_tactic_that_was_not_there_is_not_used_again() -> None:
    assert reuse({A: 0.0, V: 1.0}, {A: 1.0, V: 0.0}) == 0.0
