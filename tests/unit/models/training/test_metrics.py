import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from models.training.metrics import best_thresholds, macro_f1, mean_of, rank_correlation


def test_macro_f1_by_hand() -> None:
    # Present: tp 1, fp 1, fn 1, so F1 1/2; absent: 1 right, so 2/(2+1+1) = 1/2.
    truth = np.array([[True], [True], [False], [False]])
    found = np.array([[True], [False], [True], [False]])
    assert macro_f1(truth, found).tolist() == [0.5]


def test_a_tactic_that_never_occurs_and_is_never_found_counts_half() -> None:
    nothing = np.zeros((3, 1), dtype=np.bool_)
    assert macro_f1(nothing, nothing).tolist() == [0.5]


def test_the_best_threshold_separates() -> None:
    truth = np.array([[0.0], [0.0], [1.0]], np.float32)
    probabilities = np.array([[0.1], [0.3], [0.6]], np.float32)
    assert 0.3 < best_thresholds(truth, probabilities)[0] <= 0.6


def test_a_constant_side_has_no_rank_correlation() -> None:
    assert rank_correlation([1.0, 1.0], [1.0, 2.0]) is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=12))
def test_rank_correlation_agrees_with_scipy(pairs: list[tuple[int, int]]) -> None:
    a, b = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    if len(set(a)) > 1 and len(set(b)) > 1:
        assert rank_correlation(a, b) == pytest.approx(float(spearmanr(a, b).statistic), abs=1e-9)


def test_unknown_values_are_left_out_of_a_mean() -> None:
    assert mean_of([1.0, None, 2.0]) == 1.5
