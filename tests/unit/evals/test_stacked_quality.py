import numpy as np
import pytest

from evals.stacked_quality import Opinion, columns_of, cross_fit, ridge
from models.tactics import Tactic
from models.training.mint_data import HUMAN, MintData, MintReply


def reply(system: str, text: str = "Why?", turn: int = 1) -> MintReply:
    return MintReply(("c", turn), system, text, (text,), (frozenset(),), (1.0,) * 7)


def test_a_regression_by_hand() -> None:
    # Standardized: -1, 1; wanted less their mean: -1, 1. Squares 2, penalty 2: half of the slope is left.
    fitted = ridge(np.array([[2.0], [6.0]]), np.array([3.0, 5.0], np.float32), penalty=2.0)
    assert fitted(np.array([[2.0], [4.0], [6.0], [8.0]])).tolist() == pytest.approx([3.5, 4.0, 4.5, 5.0])


def test_a_column_that_never_changes_says_nothing() -> None:
    fitted = ridge(np.array([[1.0, 7.0], [3.0, 7.0]]), np.array([1.0, 2.0], np.float32), penalty=0.001)
    assert fitted(np.array([[1.0, 7.0], [1.0, 9.0]])).tolist() == pytest.approx([1.0, 1.0], abs=1e-3)


def test_a_fold_is_predicted_by_the_others_and_without_unrated_replies() -> None:
    columns = np.array([[0.0], [1.0], [0.0], [1.0], [1.0]])
    judged = np.array([1.0, 2.0, 4.0, 3.0, np.nan], np.float32)
    found = cross_fit(columns, judged, np.array([0, 0, 1, 1, 1]))
    assert found[0] > found[1]  # the other fold falls
    assert found[2] < found[3] == found[4]


def test_columns_are_what_is_said_and_what_is_said_less_the_mean_of_the_context() -> None:
    data = MintData((reply("x", "One two."), reply("y"), reply(HUMAN), reply("x", turn=3)), {})
    quality = np.array([2.0, 4.0, 9.0, 5.0], np.float32)
    ratings = np.zeros((4, 0), np.float32)
    chances = [{Tactic.INFORMATION: 0.5}, {}, {}, {}]
    found = columns_of(data, [Opinion(quality, ratings)], chances)
    assert found.shape == (4, 2 * (1 + 10 + 2))
    assert found[:, 0].tolist() == [2.0, 4.0, 9.0, 5.0]
    # The supporter's own reply is no candidate; a context of one is its own mean.
    assert found[:, 13].tolist() == [-1.0, 1.0, 6.0, 0.0]
    assert found[:, 1].tolist() == [0.5, 0.0, 0.0, 0.0]
    assert found[:2, 14].tolist() == [0.25, -0.25]
    assert found[0, 11] == pytest.approx(np.log(3))
