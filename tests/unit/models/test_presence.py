import math

import numpy as np
import pytest

from models.presence import by_thresholds, presence, signs_of
from models.tactics import Tactic


def chances(probabilities: np.ndarray, weights: np.ndarray) -> list[float]:
    return list(presence(probabilities, weights).values())


def test_by_thresholds_a_chance_is_one_half_where_the_likeliest_sentence_reaches_it() -> None:
    thresholds = np.full(10, 0.5, np.float32)
    thresholds[1] = 0.2
    probabilities = np.full((2, 10), 0.01, np.float32)
    probabilities[:, 0] = 0.3, 0.8  # at a threshold of one half the probability itself
    probabilities[:, 1] = 0.1, 0.2  # at its threshold one half
    probabilities[:, 2] = 1.0, 0.0
    found = chances(probabilities, by_thresholds(thresholds))
    assert found[:3] == [pytest.approx(0.8, abs=1e-4), pytest.approx(0.5, abs=1e-4), pytest.approx(0.999)]


def test_signs_by_hand() -> None:
    # Likeliest 0.5; at least one of 0.5, 0.5 and 0.2: 1 - 0.5 * 0.5 * 0.8 = 0.8, odds 4.
    probabilities = np.tile(np.array([[0.5], [0.5], [0.2]], np.float32), (1, 10))
    assert signs_of(probabilities)[:, 3].tolist() == [
        pytest.approx(0.0),
        pytest.approx(math.log(4), abs=1e-6),
    ]


def test_learned_weights_by_hand() -> None:
    probabilities = np.tile(np.array([[0.5], [0.5], [0.2]], np.float32), (1, 10))
    weights = np.zeros((10, 3), np.float32)
    weights[4] = math.log(2), 7.0, 0.5  # odds 2 * 1 ** 7 * 4 ** 0.5
    found = chances(probabilities, weights)
    assert found[4] == pytest.approx(4 / 5, abs=1e-5)
    assert found[5] == 0.5


def test_a_reply_without_sentences_carries_nothing() -> None:
    assert presence(np.zeros((0, len(Tactic)), np.float32), by_thresholds(np.full(10, 0.5, np.float32))) == {}
