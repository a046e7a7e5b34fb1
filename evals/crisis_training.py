"""Fits the two halves of the crisis head: networks over embeddings, a linear model over words."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from evals.crisis_examples import Example
from models.training.network import layers_of, side_by_side
from safety.levels import RiskCategory, RiskLevel
from safety.word_pieces import BUCKETS, piece_ids

Array = NDArray[np.float32]
CATEGORIES = tuple(c for c in RiskCategory if c is not RiskCategory.NONE)
_NETWORKS = 2
_HIDDEN = 192
_EPOCHS = 12
_WORD_EPOCHS = 12
_WORD_DECAY = 1e-4


def fit_tensors(vectors: Array, folded: Sequence[str], examples: Sequence[Example]) -> dict[str, Array]:
    """Train on embeddings and folded texts of ``examples``; returns the head's tensors."""
    mean, scale = vectors.mean(0), vectors.std(0) + 1e-6
    inputs = torch.tensor((vectors - mean) / scale)
    levels = torch.tensor([int(example.level) for example in examples])
    weights = torch.tensor([example.weight for example in examples])
    weights = weights / weights.mean()
    networks = [_network(inputs, levels, weights) for _ in range(_NETWORKS)]
    risky = [i for i, example in enumerate(examples) if example.level >= RiskLevel.MODERATE]
    kinds = torch.tensor([CATEGORIES.index(examples[i].category) for i in risky])
    category_weight, category_bias = _categories(inputs[risky], kinds)
    words, word_bias = _words(folded, levels, weights)
    tensors = {
        "mean": mean,
        "scale": scale,
        **side_by_side(networks),
        "wc": category_weight,
        "bc": category_bias,
        "words": words,
        "word_bias": word_bias,
    }
    return {name: np.ascontiguousarray(value, dtype=np.float32) for name, value in tensors.items()}


def _network(inputs: torch.Tensor, levels: torch.Tensor, weights: torch.Tensor) -> dict[str, Array]:
    network = torch.nn.Sequential(
        torch.nn.Dropout(0.1),
        torch.nn.Linear(inputs.shape[1], _HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.3),
        torch.nn.Linear(_HIDDEN, len(RiskLevel)),
    )
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=1e-3)
    targets = torch.nn.functional.one_hot(levels, len(RiskLevel)).float() * 0.95 + 0.0125
    mixing = torch.distributions.Beta(0.4, 0.4)
    for _ in range(_EPOCHS):
        for batch in _batches(len(inputs), 256):
            share, other = mixing.sample(), batch[torch.randperm(len(batch))]
            mixed = share * inputs[batch] + (1 - share) * inputs[other]
            wanted = share * targets[batch] + (1 - share) * targets[other]
            weight = share * weights[batch] + (1 - share) * weights[other]
            optimizer.zero_grad()
            loss = -(weight * (wanted * torch.log_softmax(network(mixed), 1)).sum(1)).mean()
            loss.backward()  # pyright: ignore[reportUnknownMemberType]
            optimizer.step()  # pyright: ignore[reportUnknownMemberType]
    return layers_of(network)


def _batches(count: int, size: int) -> list[torch.Tensor]:
    order = torch.randperm(count)
    return [order[start : start + size] for start in range(0, count, size)]


def _categories(inputs: torch.Tensor, kinds: torch.Tensor) -> tuple[Array, Array]:
    layer = torch.nn.Linear(inputs.shape[1], len(CATEGORIES))
    optimizer = torch.optim.AdamW(layer.parameters(), 3e-3, weight_decay=0.05)
    for _ in range(_EPOCHS):
        for batch in _batches(len(inputs), 128):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(layer(inputs[batch]), kinds[batch])
            loss.backward()  # pyright: ignore[reportUnknownMemberType]
            optimizer.step()  # pyright: ignore[reportUnknownMemberType]
    return layer.weight.detach().numpy().T, layer.bias.detach().numpy()


def _words(folded: Sequence[str], levels: torch.Tensor, weights: torch.Tensor) -> tuple[Array, Array]:
    """Multinomial logistic regression over word pieces, by L-BFGS with a ridge."""
    ids = [piece_ids(text) for text in folded]
    rows = torch.tensor([row for row, own in enumerate(ids) for _ in own])
    columns = torch.tensor([piece for own in ids for piece in own])
    values = torch.tensor([len(own) ** -0.5 for own in ids for _ in own])
    shape = (len(ids), BUCKETS)
    sparse: Any = torch.sparse
    matrix: torch.Tensor = (
        cast(Any, torch)
        .sparse_coo_tensor(torch.stack([rows, columns]), values, shape, check_invariants=False)
        .coalesce()
    )
    table = torch.zeros(BUCKETS, len(RiskLevel), requires_grad=True)
    bias = torch.zeros(len(RiskLevel), requires_grad=True)
    optimizer = torch.optim.LBFGS([table, bias], max_iter=_WORD_EPOCHS * 5, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        scores: torch.Tensor = sparse.mm(matrix, table) + bias
        losses = torch.nn.functional.cross_entropy(scores, levels, reduction="none")
        loss = (weights * losses).mean() + _WORD_DECAY / 2 * table.square().sum() / len(RiskLevel)
        loss.backward()  # pyright: ignore[reportUnknownMemberType]
        return loss

    optimizer.step(closure)  # pyright: ignore[reportUnknownMemberType]
    return table.detach().numpy(), bias.detach().numpy()
