import numpy as np
import pytest

from evals.failure_checks import MeasuredPair, accuracy, auc, figures
from models.training.failure_pairs import FailurePair

PAIR = FailurePair("x-1", "en", "plain", (), "failed", "fine", True)


def test_accuracy_counts_equal_values_half() -> None:
    assert accuracy(np.array([[0.9, 0.1], [0.2, 0.4], [0.5, 0.5], [0.3, 0.1]])) == pytest.approx(0.625)


def test_auc_compares_across_pairs() -> None:
    assert auc(np.array([[0.9, 0.1], [0.4, 0.6]])) == pytest.approx(0.75)
    assert auc(np.array([[0.1, 0.9], [0.1, 0.9]])) == 0.0


def test_figures_hold_an_interval_around_the_accuracy() -> None:
    found = [MeasuredPair(PAIR, 0.9, 0.1)] * 9 + [MeasuredPair(PAIR, 0.1, 0.9)]
    result = figures(found, 0)
    low, high = result["accuracy_interval"]
    assert (result["pairs"], result["accuracy"]) == (10, 0.9)
    assert low < 0.9 <= high
