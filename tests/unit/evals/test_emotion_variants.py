"""Adjusted logits and the choice among variants, on numbers worked out by hand."""

import numpy as np
import pytest

from evals.emotion_variants import SHIPPED, adjusted, chosen, class_shares
from models.head_file import Head
from models.training.emotion_strategy_data import Examples


def a_head() -> Head:
    tensors = {
        "mean": np.zeros(2, np.float32),
        "scale": np.ones(2, np.float32),
        "w0": np.eye(2, dtype=np.float32),
        "b0": np.zeros(2, np.float32),
    }
    return Head(tensors, {"temperature": 1.0})


def test_a_rare_class_gains_what_its_rarity_costs() -> None:
    rows = np.array([[1.0, 0.0]], np.float32)
    shares = np.array([0.9, 0.1], np.float32)
    plain = a_head().forward(rows)[0]
    moved = adjusted(a_head(), shares, 0.5).forward(rows)[0]
    # the gap of 1 shrinks by 0.5 · ln 9
    assert moved[0] - moved[1] == pytest.approx(plain[0] - plain[1] - 0.5 * np.log(9), abs=1e-5)


def test_strength_zero_changes_nothing() -> None:
    rows = np.array([[0.3, -0.2]], np.float32)
    head = adjusted(a_head(), np.array([0.9, 0.1], np.float32), 0.0)
    assert head.forward(rows).tolist() == a_head().forward(rows).tolist()


def test_shares_count_halves_and_no_class_has_none() -> None:
    targets = np.array([[1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]], np.float32)
    examples = Examples(np.zeros((3, 1), np.float32), targets, ("a", "b", "c"), ("a", "b", "c"))
    assert class_shares(examples).tolist() == pytest.approx([2.5 / 4.5, 1 / 4.5, 1 / 4.5])


def test_macro_f1_decides_only_where_little_else_is_lost() -> None:
    def row(accuracy: float, weighted: float, macro: float) -> dict[str, float]:
        return {"accuracy": accuracy, "weighted_f1": weighted, "macro_f1": macro}

    scores = {SHIPPED: row(0.57, 0.56, 0.44), "mild": row(0.567, 0.558, 0.46), "strong": row(0.5, 0.5, 0.5)}
    assert chosen(scores, 0.005) == "mild"
    assert chosen(scores, 0.002) == SHIPPED
    assert chosen(scores, 0.1) == "strong"
