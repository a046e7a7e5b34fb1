"""What recipes that tune the encoder by trials share: how a trial is written, and the optimizer."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import nn

from models.training.tunable_encoder import TunedShape


class Trial(NamedTuple):
    """One way to tune: the shape, passes, and the peak rate of the low-rank changes."""

    shape: TunedShape
    epochs: int
    learning_rate: float


def read_trial(text: str, layers: int) -> Trial:
    """A trial from ``first:rank:rate:epochs[:layers]`` and the number of layers that are packed.

    Raises:
        ValueError: The layers don't fit.
    """
    first, rank, rate, epochs, *fewer = text.split(":")
    run = int(fewer[0]) if fewer else layers
    if not 0 <= int(first) < run <= layers:
        raise ValueError(f"{text}: layers are 1 to {layers}, and the first that changes is one of them")
    return Trial(TunedShape(layers=run, first=int(first), rank=int(rank)), int(epochs), float(rate))


def one_cycle(
    encoder: nn.Module, heads: Sequence[nn.Module], rate: float, weight_decay: float, steps: int
) -> tuple[Any, Any]:
    """AdamW and its one cycle of rates; heads get twice the encoder's.

    Args:
        encoder: Has the low-rank changes.
        heads: Begin from nothing.
        rate: The encoder's peak.
        weight_decay: Of all.
        steps: Of the cycle.
    """
    parameters = [parameter for head in heads for parameter in head.parameters()]
    groups = [{"params": list(encoder.parameters())}, {"params": parameters}]
    optimizer: Any = torch.optim.AdamW(groups, lr=rate, weight_decay=weight_decay)
    rates = [rate, 2 * rate]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=steps, pct_start=0.1)
    return optimizer, schedule
