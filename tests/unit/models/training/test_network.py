import numpy as np
import torch

from models.head_file import Head
from models.training.network import TrainingPlan, shuffled, train_ensemble

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(400, 3)).astype(np.float32)
TARGETS = (INPUTS[:, :1] * INPUTS[:, 1:2] > 0).astype(np.float32)
PLAN = TrainingPlan(hidden=32, epochs=30, learning_rate=1e-2, input_dropout=0.0, hidden_dropout=0.0)


def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.binary_cross_entropy_with_logits(outputs, torch.tensor(TARGETS)[rows])


def test_a_head_learns_what_no_line_separates() -> None:
    head = Head(train_ensemble(INPUTS, 1, shuffled(400, 64), loss, PLAN, networks=1), {})
    assert ((head.forward(INPUTS) > 0) == (TARGETS > 0.5)).mean() > 0.9


def test_networks_side_by_side_give_their_mean() -> None:
    plans = [TrainingPlan(hidden=4, epochs=2, seed=seed) for seed in (0, 1)]
    single = [Head(train_ensemble(INPUTS, 1, shuffled(400, 64), loss, plan, 1), {}) for plan in plans]
    both = Head(train_ensemble(INPUTS, 1, shuffled(400, 64), loss, plans[0], 2), {})
    mean = (single[0].forward(INPUTS) + single[1].forward(INPUTS)) / 2
    assert np.allclose(both.forward(INPUTS), mean, atol=1e-5)


def test_the_same_seed_gives_the_same_head() -> None:
    plan = TrainingPlan(hidden=4, epochs=1)
    a, b = (train_ensemble(INPUTS, 1, shuffled(400, 64), loss, plan, 1) for _ in range(2))
    assert np.array_equal(a["w0"], b["w0"])


def test_each_row_is_in_one_batch() -> None:
    rows = np.concatenate(shuffled(10, 4)(np.random.default_rng(0)))
    assert sorted(rows.tolist()) == list(range(10))
