"""Trains heads with one answer out of several: one task alone, or two on a shared hidden layer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from models.head_file import Array, Head
from models.training.emotion_strategy_config import HeadConfig, Together, Trial
from models.training.emotion_strategy_data import Examples
from models.training.folds import conversation_folds
from models.training.network import BatchLoss, shuffled, train_ensemble
from models.training.task_mixing import draws

Floats = NDArray[np.float32]


def class_weights(targets: Floats, exponent: float) -> Floats:
    """(mean count / count)^a of each class, from 0.2 to 8."""
    counts = np.maximum(targets.sum(axis=0), 1.0)
    return np.clip((counts.mean() / counts) ** exponent, 0.2, 8.0).astype(np.float32)


def weighted_loss(targets: Floats, trial: Trial) -> BatchLoss:
    """Cross-entropy with shared targets, class weights and label smoothing."""
    smooth = (1.0 - trial.smoothing) * targets + trial.smoothing / targets.shape[1]
    weighed = _tensor(smooth * class_weights(targets, trial.class_weight))

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        wanted = weighed[rows]
        return -(wanted * torch.log_softmax(outputs, dim=1)).sum() / wanted.sum()

    return loss


def train_head(examples: Examples, trial: Trial, networks: int, seed: int) -> dict[str, Array]:
    """Tensors of one head; the mean of several networks."""
    return train_ensemble(
        examples.inputs,
        examples.targets.shape[1],
        shuffled(len(examples.inputs), trial.batch),
        weighted_loss(examples.targets, trial),
        trial.plan(seed),
        networks,
    )


def held_out_logits(
    examples: Examples, trial: Trial, config: HeadConfig, seed: int, networks: int = 1
) -> Floats:
    """Outputs for each row by a head that did not see its group, ``(rows, classes)``."""
    folds = conversation_folds(examples.groups, config.folds, seed)
    fold = np.array([folds[group] for group in examples.groups])
    logits = np.zeros_like(examples.targets)
    for number in range(config.folds):
        tensors = train_head(examples.rows(fold != number), trial, networks, seed)
        logits[fold == number] = Head(tensors, {}).forward(examples.inputs[fold == number])
    return logits


@dataclass(frozen=True, slots=True)
class SharedHeads:
    """Two heads with the same hidden layer."""

    emotion: Head
    strategy: Head


def train_together(
    emotions: Examples, strategies: Examples, config: Together, networks: int, seed: int
) -> SharedHeads:
    """Both tasks on one hidden layer; each batch draws its rows from the tasks with p ∝ n^a.

    Args:
        emotions: Texts; inputs as long as those of ``strategies``.
        strategies: Replies.
        config: Mixing, steps and hyperparameters.
        networks: Networks of different seeds whose mean is taken.
        seed: Of the first.
    """
    border, width = len(emotions.inputs), emotions.targets.shape[1]
    losses = (weighted_loss(emotions.targets, config.trial), weighted_loss(strategies.targets, config.trial))

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        first, second = rows < border, rows >= border
        total = outputs.sum() * 0.0
        if bool(first.any()):
            total = total + losses[0](outputs[first][:, :width], rows[first]) * first.float().mean()
        if bool(second.any()):
            own = rows[second] - border
            total = total + losses[1](outputs[second][:, width:], own) * second.float().mean()
        return total

    sizes = {"emotion": border, "strategy": len(strategies.inputs)}
    tensors = train_ensemble(
        np.concatenate([emotions.inputs, strategies.inputs]),
        width + strategies.targets.shape[1],
        lambda rng: _mixed(sizes, config, int(cast(Any, rng).integers(2**31))),
        loss,
        replace(config.trial.plan(seed), epochs=1),
        networks,
    )
    return SharedHeads(
        Head(_outputs(tensors, slice(None, width)), {}), Head(_outputs(tensors, slice(width, None)), {})
    )


def _mixed(sizes: Mapping[str, int], config: Together, seed: int) -> Iterator[NDArray[np.int64]]:
    """Rows of each step; those of the second task come after all of the first."""
    batches = draws(sizes, config.mixing_exponent, config.trial.batch, seed)
    for batch in islice(batches, config.steps):
        moved = [place + sizes["emotion"] for place in batch["strategy"]]
        yield np.array([*batch["emotion"], *moved], np.int64)


def _outputs(tensors: Mapping[str, Array], chosen: slice) -> dict[str, Array]:
    """The network with some of its outputs."""
    return {**tensors, "w1": tensors["w1"][:, chosen], "b1": tensors["b1"][chosen]}


def _tensor(values: Floats) -> torch.Tensor:
    return cast(Any, torch).from_numpy(np.ascontiguousarray(values, np.float32))
