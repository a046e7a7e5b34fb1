import numpy as np
import pytest

from evals.agreement_figures import Rated, agreement, interval, spearman, weighted_kappa
from evals.bias_figures import ComparedPair, length_bias, order_bias, partial_spearman


def numbers(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_kappa_is_the_formula_on_a_small_table() -> None:
    # Weights (i − j)²; observed 0, 1, 0, 1 → mean 0.5; expected from the margins (1, 2, 2, 3), (1, 1, 2, 2):
    # ((0+0+1+1) + 2·(1+1+0+0) + (4+4+1+1)) / 16 = 1. κ = 1 − 0.5 / 1.
    assert weighted_kappa(numbers(1, 2, 2, 3), numbers(1, 1, 2, 2)) == pytest.approx(0.5)


def test_kappa_rounds_means_with_halves_up() -> None:
    assert weighted_kappa(numbers(1, 2.5, 4), numbers(1, 3, 4.4)) == 1.0


def test_what_is_constant_has_no_rank_correlation() -> None:
    assert spearman(numbers(1, 2, 3), numbers(4, 4, 4)) is None
    assert weighted_kappa(numbers(4, 4), numbers(4, 4)) is None
    assert weighted_kappa(numbers(1, 5), numbers(3, 3)) == 0.0


def test_agreement_of_a_judge_that_is_one_point_too_kind() -> None:
    rows = [Rated(f"c{n}", 1 + n % 4, 2 + n % 4) for n in range(40)]
    found = agreement(rows, draws=50, seed=0)
    assert (found["n"], found["groups"], found["mean_reference"], found["mean_judged"]) == (40, 40, 2.5, 3.5)
    assert found["mae"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found["spearman"]["value"] == 1.0
    assert (
        found["weighted_kappa"]["low"] <= found["weighted_kappa"]["value"] <= found["weighted_kappa"]["high"]
    )


def test_whole_conversations_are_drawn() -> None:
    rows = [Rated("only one", float(n % 5 + 1), float(n % 3 + 1)) for n in range(30)]
    found = agreement(rows, draws=20, seed=0)
    assert found["mae"]["low"] == found["mae"]["value"] == found["mae"]["high"]


def test_an_interval_needs_nine_draws_in_ten() -> None:
    assert interval([1.0] * 89, 100) == (None, None)
    assert interval([1.0] * 90, 100) == (1.0, 1.0)


def test_no_rows_is_told_and_not_invented() -> None:
    assert agreement([], draws=10, seed=0) == {"n": 0, "groups": 0}


def test_partial_correlation_is_the_formula() -> None:
    # Ranks: r_xy = 0.8, r_xz = 0.6, r_yz = 0.8 for these orders of five and four.
    x, y, z = [1, 2, 3, 4], [1, 2, 4, 3], [2, 1, 4, 3]
    assert partial_spearman(x, y, z) == pytest.approx((0.8 - 0.6 * 0.8) / np.sqrt((1 - 0.36) * (1 - 0.64)))


def test_a_judge_that_follows_length_alone_shows_it_beyond_the_ratings() -> None:
    random = np.random.default_rng(0)
    lengths, ratings = random.integers(10, 900, 300), random.integers(1, 6, 300)
    follows_length = length_bias(
        [(float(a), float(a), float(b)) for a, b in zip(lengths, ratings, strict=True)]
    )
    follows_raters = length_bias(
        [(float(a), float(b), float(b)) for a, b in zip(lengths, ratings, strict=True)]
    )
    assert follows_length["spearman"] == 1.0
    assert follows_length["partial"] > 0.99
    assert abs(follows_raters["spearman"]) < 0.15
    assert follows_raters["partial"] is None  # nothing is left once the ratings are fixed


def test_a_judge_that_takes_the_first_changes_its_mind_with_the_order() -> None:
    found = order_bias([ComparedPair((1.0,), (0.0,), 10, 20)] * 8)
    assert (found["same_in_both_orders"], found["first_share"], found["changed_to_first"]) == (0.0, 1.0, 8)
    assert found["p_value"] == pytest.approx(2 / 2**8, abs=1e-4)
    assert found["longer_share"] == 0.5


def test_a_judge_that_takes_the_longer_is_told_apart_from_one_that_takes_the_first() -> None:
    pairs = [ComparedPair((1.0,), (1.0,), 20, 10), ComparedPair((0.0,), (0.0,), 10, 20)]
    found = order_bias([*pairs, ComparedPair((), (1.0,), 1, 2)])
    assert (found["asked"], found["answered"], found["same_in_both_orders"]) == (3, 2, 1.0)
    assert (found["first_share"], found["p_value"], found["longer_share"]) == (0.5, None, 1.0)
