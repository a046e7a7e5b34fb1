import numpy as np
import pytest
import torch

from models.training.reader_batches import at_random, by_context, by_length, positions
from models.training.reader_data import ReaderData
from models.training.reader_losses import RatingScale, aggregate, ratings_loss, tags_loss

LENGTHS = np.array([5, 90, 7, 30, 200, 6, 31])


@pytest.fixture
def data() -> ReaderData:
    texts, total = len(LENGTHS), int(LENGTHS.sum())
    starts = np.concatenate([[0], np.cumsum(LENGTHS)])
    return ReaderData("mint", np.zeros(total, np.uint16), starts, LENGTHS - 1, np.ones(texts, np.int64), {})


def test_no_pass_holds_more_tokens_than_it_may(data: ReaderData) -> None:
    groups = by_length(data, np.arange(7), 64)
    assert sorted(np.concatenate(groups).tolist()) == list(range(7))
    assert all(len(group) == 1 or len(group) * LENGTHS[group].max() <= 64 for group in groups)


def test_an_epoch_has_each_text_once(data: ReaderData) -> None:
    groups = at_random(data, np.arange(1, 7), 64, np.random.default_rng(0))
    assert sorted(np.concatenate(groups).tolist()) == [1, 2, 3, 4, 5, 6]


def test_a_step_has_about_the_tokens_that_it_should() -> None:
    texts = 400
    starts = np.arange(texts + 1) * 10
    ones = np.ones(texts, np.int64)
    data = ReaderData("strategies", np.zeros(10 * texts, np.uint16), starts, 9 * ones, ones, {})
    groups = at_random(data, np.arange(texts), 200, np.random.default_rng(0))
    assert [len(group) for group in groups] == [20] * 20


def test_all_texts_of_a_context_come_together() -> None:
    context = np.array([0, 1, 0, 2, 1, 3])
    groups = by_context(context, np.array([0, 1, 2, 4, 5]), 2, np.random.default_rng(0))
    found = [set(context[group].tolist()) for group in groups]
    assert sum(len(group) for group in groups) == 5
    assert sum(len(one) for one in found) == 3


def test_positions_undo_an_order() -> None:
    found = np.array([7, 3, 9])
    assert positions(found, np.array([9, 7, 3, 9])).tolist() == [2, 0, 1, 2]


def test_the_aggregate_counts_unwelcome_ratings_from_the_other_end() -> None:
    assert aggregate(torch.tensor([[4.0, 1.0, 2.0, 1.0, 1.0, 1.0]])).item() == pytest.approx(22 / 6)


def scale() -> RatingScale:
    return RatingScale(torch.full((6,), 3.0), torch.ones(6), 1.0)


def test_right_ratings_cost_less_than_wrong_ones_and_a_missing_one_nothing() -> None:
    truth = torch.tensor([[4.0, 3, 3, 3, 3, 3], [2.0, 3, 3, 3, 3, torch.nan]])
    right = torch.where(torch.isnan(truth), 3.0, truth) - 3
    elsewhere = right.clone()
    elsewhere[1, 5] = 9.0
    context = torch.tensor([0, 0])
    assert ratings_loss(right, truth, context, scale()).item() == pytest.approx(0.0, abs=1e-6)
    assert ratings_loss(elsewhere, truth, context, scale()).item() == pytest.approx(0.0, abs=1e-6)
    assert ratings_loss(-right, truth, context, scale()).item() > 0.1


def test_the_order_counts_within_a_context_only() -> None:
    truth = torch.tensor([[5.0, 3, 3, 3, 3, 3], [1.0, 3, 3, 3, 3, 3]])
    outputs = torch.zeros(2, 6)
    together = ratings_loss(outputs, truth, torch.tensor([0, 0]), scale())
    apart = ratings_loss(outputs, truth, torch.tensor([0, 1]), scale())
    assert together > apart


def test_sentences_without_tags_cost_nothing() -> None:
    logits = torch.tensor([[9.0, -9.0], [9.0, 9.0]])
    tags = torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    first = tags_loss(logits, tags, torch.tensor([1.0, 0.0]))
    both = tags_loss(logits, tags, torch.tensor([1.0, 1.0]))
    assert first < 0.2 < both
