"""Each term against values worked out by hand, in nats."""

import math

import pytest
import torch

from models.training.task_losses import (
    emotion_loss,
    kl_loss,
    language_loss,
    strategy_loss,
    weighted_sum,
)

LN2, LN3, LN4 = math.log(2), math.log(3), math.log(4)


def test_language_loss_is_the_negative_log_probability_of_each_token() -> None:
    logits = torch.tensor([[LN3, 0.0], [0.0, 0.0]])  # p = 3/4, 1/4 and 1/2, 1/2
    losses = language_loss(logits, torch.tensor([1, 0]))
    assert losses.tolist() == pytest.approx([LN4, LN2])


def test_emotion_loss_adds_up_over_the_classes() -> None:
    logits = torch.tensor([[0.0, LN3, -LN3]])  # p = 1/2, 3/4, 1/4
    losses = emotion_loss(logits, torch.tensor([[1.0, 1.0, 0.0]]))
    assert losses.tolist() == pytest.approx([LN2 + 2 * math.log(4 / 3)])


def test_strategy_loss_is_the_negative_log_probability_of_the_strategy() -> None:
    logits = torch.tensor([[0.0] * 8, [LN3, 0.0] + [-math.inf] * 6])
    losses = strategy_loss(logits, torch.tensor([5, 0]))
    assert losses.tolist() == pytest.approx([math.log(8), math.log(4 / 3)])


def test_kl_is_that_of_the_base_from_the_tuned_model() -> None:
    base, tuned = torch.tensor([[LN3, 0.0]]), torch.tensor([[0.0, 0.0]])
    expected = 0.75 * math.log(0.75 / 0.5) + 0.25 * math.log(0.25 / 0.5)
    assert kl_loss(base, tuned).tolist() == pytest.approx([expected])
    other_way = 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)
    assert kl_loss(tuned, base).tolist() == pytest.approx([other_way])


def test_kl_of_the_same_distribution_is_zero_whatever_the_logits_offset() -> None:
    logits = torch.randn(5, 11, generator=torch.Generator().manual_seed(0))
    assert kl_loss(logits, logits + 3.0).abs().max() < 1e-6


def test_the_loss_is_the_weighted_sum_and_language_counts_once() -> None:
    terms = {"language": torch.tensor(2.0), "emotion": torch.tensor(5.0), "kl": torch.tensor(3.0)}
    weights = {"emotion": 0.2, "strategy": 0.2, "kl": 0.1}
    assert float(weighted_sum(terms, weights)) == pytest.approx(2.0 + 0.2 * 5.0 + 0.1 * 3.0)
