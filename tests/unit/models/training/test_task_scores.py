"""F1 of the heads, by hand."""

import numpy as np
import pytest

from models.training.task_scores import best_thresholds, emotion_f1, strategy_scores


def test_emotion_f1_is_the_mean_over_the_emotions_that_occur() -> None:
    truth = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]], np.bool_)
    probabilities = np.array([[0.9, 0.2, 0.9], [0.1, 0.8, 0.0], [0.0, 0.9, 0.0], [0.8, 0.1, 0.0]], np.float32)
    # First: one hit, one miss, one false alarm: 2/4. Second: 1. The third never occurs.
    found = emotion_f1(truth, probabilities, np.full(3, 0.5, np.float32))
    assert found == pytest.approx((0.5 + 1.0) / 2)


def test_thresholds_part_present_from_absent() -> None:
    truth = np.array([[1], [1], [0], [0]], np.bool_)
    probabilities = np.array([[0.30], [0.22], [0.11], [0.02]], np.float32)
    threshold = best_thresholds(truth, probabilities)
    assert threshold.tolist() == pytest.approx([0.125])


def test_strategy_scores_count_only_strategies_that_occur() -> None:
    found = strategy_scores(np.array([0, 0, 3, 3]), np.array([0, 3, 3, 7]))
    # 0: one hit, one miss: 2/3. 3: one hit, one miss, one false alarm: 1/2.
    assert found["strategy_f1"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found["strategy_accuracy"] == 0.5
