import numpy as np
import pytest
from sklearn.metrics import f1_score

from models.training.class_scores import calibration_error, class_f1, class_scores
from models.training.temperature import best_temperature, confident_from


def test_f1_is_that_of_a_known_library() -> None:
    rng = np.random.default_rng(0)
    truth, found = rng.integers(0, 5, 200), rng.integers(0, 5, 200)
    assert class_f1(truth, found, 5) == pytest.approx(f1_score(truth, found, average=None))
    scores = class_scores(truth, np.eye(5, dtype=np.float32)[found], list("abcde"))
    assert scores["weighted_f1"] == pytest.approx(f1_score(truth, found, average="weighted"), abs=1e-4)
    assert scores["macro_f1"] == pytest.approx(f1_score(truth, found, average="macro"), abs=1e-4)
    assert scores["accuracy"] == pytest.approx((truth == found).mean(), abs=1e-4)


def test_a_class_that_does_not_occur_does_not_lower_the_mean() -> None:
    scores = class_scores(np.array([0, 1]), np.eye(3, dtype=np.float32)[[0, 1]], ["a", "b", "c"])
    assert scores["macro_f1"] == 1.0
    assert scores["classes"]["c"] == {"rows": 0, "recall": None, "f1": 0.0}


def test_calibration_error_is_the_distance_of_sureness_and_accuracy() -> None:
    right = np.array([True, True, False, False])
    assert calibration_error(right, np.full(4, 0.9, np.float32)) == pytest.approx(0.4)
    # Two bins: 2 rows at 0.95, both right; 2 rows at 0.1, both wrong.
    assert calibration_error(right, np.array([0.95, 0.95, 0.1, 0.1], np.float32)) == pytest.approx(0.075)


def test_a_certain_choice_falls_into_the_last_bin() -> None:
    assert calibration_error(np.array([True]), np.ones(1, np.float32)) == 0.0


def test_the_temperature_brings_sureness_to_the_share_that_is_right() -> None:
    # Always 4 apart, right in 3 of 4 rows: sure at 3/4 needs ln 3 between the outputs.
    logits = np.tile(np.array([[4.0, 0.0]], np.float32), (400, 1))
    truth = np.array([0, 0, 0, 1] * 100)
    assert best_temperature(logits, truth) == pytest.approx(4 / np.log(3), rel=0.01)


def test_a_temperature_needs_rows() -> None:
    with pytest.raises(ValueError, match="rows"):
        best_temperature(np.zeros((0, 2), np.float32), np.zeros(0, np.int64))


def test_confidence_begins_where_enough_is_right() -> None:
    sure = np.array([0.9, 0.8, 0.7, 0.6, 0.5], np.float32)
    right = np.array([True, True, False, True, False])
    assert confident_from(sure, right, 0.75) == pytest.approx(0.6)
    assert confident_from(sure, right, 0.9) == pytest.approx(0.8)


def test_without_enough_that_is_right_nothing_is_confident() -> None:
    assert confident_from(np.array([0.9], np.float32), np.array([False]), 0.5) == 1.0
