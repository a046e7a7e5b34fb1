"""Trains the small networks of the heads with PyTorch; at run time they need NumPy only."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.head_file import FARTHEST

Floats = NDArray[np.float32]
BatchLoss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Loss of a batch from the network's outputs and the indices of its rows."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """Hyperparameters of one head.

    Attributes:
        hidden: Width of the hidden layer; 0 trains a linear head.
        epochs: Passes over the data.
        learning_rate: Peak of the one-cycle schedule.
        weight_decay: AdamW's.
        input_dropout: Share of inputs dropped.
        hidden_dropout: Share of hidden units dropped.
        seed: Of weights, dropout and order.
    """

    hidden: int = 256
    epochs: int = 8
    learning_rate: float = 2e-3
    weight_decay: float = 1e-3
    input_dropout: float = 0.1
    hidden_dropout: float = 0.3
    seed: int = 0


def train_network(
    inputs: Floats,
    outputs: int,
    batches: Callable[[np.random.Generator], Iterable[NDArray[np.int64]]],
    loss: BatchLoss,
    plan: TrainingPlan,
    bias: Sequence[float] | None = None,
) -> dict[str, Floats]:
    """Train a head.

    Args:
        inputs: Features, ``(rows, features)``.
        outputs: Number of outputs.
        batches: Row indices of each batch of one epoch.
        loss: Loss of a batch.
        plan: Hyperparameters.
        bias: Start of the last layer's bias.

    Returns:
        Tensors for :class:`models.head_file.Head`: ``mean``, ``scale`` and the layers.
    """
    torch.manual_seed(plan.seed)  # pyright: ignore[reportUnknownMemberType]
    rng = np.random.default_rng(plan.seed)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-4
    data = _tensor(np.clip((inputs - mean) / scale, -FARTHEST, FARTHEST).astype(np.float32))
    network = _network(inputs.shape[1], outputs, plan, bias)
    epochs = [[_tensor(rows) for rows in batches(rng)] for _ in range(plan.epochs)]
    optimizer: Any = torch.optim.AdamW(
        network.parameters(), lr=plan.learning_rate, weight_decay=plan.weight_decay
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, plan.learning_rate, total_steps=sum(len(epoch) for epoch in epochs)
    )
    network.train()
    for rows in (rows for epoch in epochs for rows in epoch):
        optimizer.zero_grad()
        cast(Any, loss(network(data[rows]), rows)).backward()
        optimizer.step()
        schedule.step()
    return {"mean": mean, "scale": scale, **layers_of(network)}


def train_ensemble(
    inputs: Floats,
    outputs: int,
    batches: Callable[[np.random.Generator], Iterable[NDArray[np.int64]]],
    loss: BatchLoss,
    plan: TrainingPlan,
    networks: int,
    bias: Sequence[float] | None = None,
) -> dict[str, Floats]:
    """Train several networks with seeds in a row and lay them side by side as one: its output is their mean.

    Args:
        inputs: As in :func:`train_network`, like the following.
        outputs: Number of outputs.
        batches: Row indices of each batch of one epoch.
        loss: Loss of a batch.
        plan: Hyperparameters; a hidden layer is needed.
        networks: How many.
        bias: Start of the last layer's bias.
    """
    trained = [
        train_network(inputs, outputs, batches, loss, replace(plan, seed=plan.seed + number), bias)
        for number in range(networks)
    ]
    merged = {"mean": trained[0]["mean"], "scale": trained[0]["scale"], **side_by_side(trained)}
    return {name: value.astype(np.float32) for name, value in merged.items()}


def side_by_side(networks: Sequence[Mapping[str, Floats]]) -> dict[str, Floats]:
    """Layers ``w0, b0, w1, b1`` of one network whose output is the mean of several with one hidden layer."""
    return {
        "w0": np.concatenate([one["w0"] for one in networks], axis=1),
        "b0": np.concatenate([one["b0"] for one in networks]),
        "w1": np.concatenate([one["w1"] for one in networks]) / np.float32(len(networks)),
        "b1": np.stack([one["b1"] for one in networks]).mean(axis=0),
    }


def shuffled(rows: int, size: int) -> Callable[[np.random.Generator], list[NDArray[np.int64]]]:
    """Batches of ``size`` rows in random order."""

    def batches(rng: np.random.Generator) -> list[NDArray[np.int64]]:
        order = rng.permutation(rows)
        return [order[start : start + size] for start in range(0, rows, size)]

    return batches


def _network(inputs: int, outputs: int, plan: TrainingPlan, bias: Sequence[float] | None) -> nn.Sequential:
    first: list[nn.Module] = [nn.Dropout(plan.input_dropout)]
    if plan.hidden:
        first += [nn.Linear(inputs, plan.hidden), nn.ReLU(), nn.Dropout(plan.hidden_dropout)]
    last = nn.Linear(plan.hidden or inputs, outputs)
    if bias is not None:
        with torch.no_grad():
            last.bias.copy_(torch.tensor(bias))
    return nn.Sequential(*first, last)


def layers_of(network: nn.Sequential) -> dict[str, Floats]:
    """Weights ``w0, b0, w1, b1, …`` of the linear layers, as :class:`models.head_file.Head` reads them."""
    found: dict[str, Floats] = {}
    for number, layer in enumerate(m for m in network if isinstance(m, nn.Linear)):
        found[f"w{number}"] = layer.weight.detach().numpy().T.copy()
        found[f"b{number}"] = layer.bias.detach().numpy().copy()
    return found


def _tensor(values: NDArray[Any]) -> torch.Tensor:
    return cast(Any, torch).from_numpy(values)
