import numpy as np
import pytest

from models.training.presence_fit import BEFORE, fit_presence


def test_with_nothing_to_learn_from_the_likeliest_sentence_says_it_all() -> None:
    assert fit_presence(np.zeros((0, 2, 10)), np.zeros((0, 10), np.bool_)).tolist() == [list(BEFORE)] * 10


def test_many_replies_with_the_same_signs_get_the_share_that_carries_the_tactic() -> None:
    carried = np.zeros((4000, 10), np.bool_)
    carried[:3000] = True
    weights = fit_presence(np.zeros((4000, 2, 10)), carried)
    assert weights[:, 0].tolist() == [pytest.approx(np.log(3), abs=0.01)] * 10
    assert weights[:, 1:].tolist() == [[1.0, 0.0]] * 10


def test_weights_that_made_the_data_are_found_again() -> None:
    rng = np.random.default_rng(0)
    signs = rng.normal(size=(40_000, 2, 1))
    sums = -0.5 + 0.7 * signs[:, 0] + 1.2 * signs[:, 1]
    carried = rng.random((40_000, 1)) < 1 / (1 + np.exp(-sums))
    assert fit_presence(signs, carried)[0].tolist() == pytest.approx([-0.5, 0.7, 1.2], abs=0.05)


def test_a_tactic_that_no_reply_carries_stays_finite() -> None:
    weights = fit_presence(np.ones((100, 2, 10)), np.zeros((100, 10), np.bool_))
    assert np.isfinite(weights).all()
    assert (weights.sum(axis=1) < -3).all()
