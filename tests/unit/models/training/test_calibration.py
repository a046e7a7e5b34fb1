import numpy as np
import pytest

from models.head_file import Head
from models.training.quality_head import AGGREGATE, Calibration, fit_calibration


def test_the_line_is_found_without_missing_ratings() -> None:
    predictions = np.array([1.0, 2.0, 3.0, 9.0], np.float32)
    judged = np.array([2.5, 3.0, 3.5, np.nan], np.float32)
    line = fit_calibration(predictions, judged)
    assert (line.slope, line.offset) == (pytest.approx(0.5), pytest.approx(2.0))


def test_only_the_aggregate_is_put_on_the_line() -> None:
    tensors = {
        "mean": np.zeros(1, np.float32),
        "scale": np.ones(1, np.float32),
        "w0": np.ones((1, 7), np.float32),
        "b0": np.ones(7, np.float32),
    }
    values = Calibration(0.5, 1.0).applied(Head(tensors, {})).forward(np.array([[3.0]], np.float32))[0]
    assert values[AGGREGATE] == 3.0
    assert values[:AGGREGATE].tolist() == [4.0] * 6
