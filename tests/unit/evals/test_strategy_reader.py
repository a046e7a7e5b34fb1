from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.strategy_reader import compare
from models.strategy_mean import StrategyMean
from models.training.multi_task_rows import StrategyRow
from models.training.strategies import load_strategies
from models.training.strategy_mean import choose

CLASSES = len(load_strategies().names)
APART, VALID = 80, 40


def outputs(truth: Any, rng: np.random.Generator, strength: float) -> Any:
    return (strength * np.eye(CLASSES)[truth] + rng.normal(0, 1, (len(truth), CLASSES))).astype(np.float32)


def test_of_two_equally_good_readers_about_half_of_each_is_taken() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(4000) % CLASSES
    chosen = choose(outputs(truth, rng, 1.5), outputs(truth, rng, 1.5), truth)
    assert 0.3 <= chosen.weight <= 0.7


def test_a_reader_that_knows_nothing_gets_no_part() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(4000) % CLASSES
    assert choose(outputs(truth, rng, 8.0), outputs(truth, rng, 0.0), truth).weight == 0.0


def test_mixed_probabilities_are_of_the_mean_of_log_probabilities() -> None:
    first, second = np.log(np.array([[0.5, 0.5]])), np.log(np.array([[0.9, 0.1]]))
    found = StrategyMean(1.0, 1.0, 0.5, 1.0).mixed(first.astype(np.float32), second.astype(np.float32))
    assert found[0, 0] / found[0, 1] == pytest.approx(3.0, rel=1e-5)


@pytest.fixture
def rows() -> list[StrategyRow]:
    return [
        StrategyRow(
            source="esconv",
            group=f"g{number // 8}",
            split="train" if number < 2 * APART else "valid",
            context="Sad.",
            text="Why?",
            label=number % CLASSES,
        )
        for number in range(2 * APART + VALID)
    ]


def read(tmp_path: Path, labels: Any, rows: Any, rng: np.random.Generator) -> Path:
    valid = np.arange(2 * APART, 2 * APART + VALID)
    file = tmp_path / "read.npz"
    np.savez(
        file,
        rows=rows,
        outputs=outputs(labels[rows], rng, 3.0),
        valid_rows=valid,
        valid_outputs=outputs(labels[valid], rng, 3.0),
    )
    return file


def test_nothing_is_chosen_by_the_validation_file(rows: list[StrategyRow], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = np.array([row.label for row in rows])
    apart = np.arange(0, 2 * APART, 2)
    file = read(tmp_path, labels, apart, rng)
    own = (apart, outputs(labels[apart], rng, 3.0))
    good, bad = outputs(labels[-VALID:], rng, 9.0), outputs(labels[-VALID:], rng, 0.0)
    first, second = compare(rows, own, good, file), compare(rows, own, bad, file)
    assert first["weight"] == second["weight"]
    assert first["temperatures"] == second["temperatures"]
    assert first["validation"]["encoder"]["accuracy"] == 1.0
    assert first["validation"]["mean"]["rows"] == VALID


def test_a_reader_kept_from_other_rows_is_refused(rows: list[StrategyRow], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = np.array([row.label for row in rows])
    file = read(tmp_path, labels, np.arange(APART), rng)
    other = np.arange(1, APART + 1)
    with pytest.raises(ValueError, match="of other rows"):
        compare(rows, (other, outputs(labels[other], rng, 3.0)), outputs(labels[-VALID:], rng, 3.0), file)
