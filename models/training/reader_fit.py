"""Tunes a reader on some texts of a task and lets it read others."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.training.reader_batches import Ints, by_length, positions
from models.training.reader_data import Floats, ReaderData
from models.training.reader_model import Read, Reader
from models.training.warm_cosine import warm_cosine

Log = Callable[[str], None]
LoadBase = Callable[[], Any]
Loss = Callable[[Read, Ints], torch.Tensor]
Batches = Callable[[np.random.Generator], list[Ints]]
READ_TOKENS = 32768
"""Tokens of a pass when nothing is learned."""


@dataclass(frozen=True, slots=True)
class ReaderPlan:
    """Hyperparameters.

    Attributes:
        epochs: Passes over the texts.
        rate: Peak for the low-rank changes, cosine with warm-up; the heads get twice as much.
        rank: Of the changes.
        contexts: Contexts a step, with all replies to them (MINT).
        tokens: Tokens a step (strategies).
        pass_tokens: Most tokens that run side by side, padding included.
        weight_decay: Of AdamW.
        smoothing: Share of each strategy's label that is spread over all.
        seed: Of weights, order and dropout.
        steps: Ends training early, for smoke tests.
    """

    epochs: int = 4
    rate: float = 5e-4
    rank: int = 16
    contexts: int = 2
    tokens: int = 12288
    pass_tokens: int = 8192
    weight_decay: float = 0.01
    smoothing: float = 0.1
    seed: int = 0
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What a reader is to learn.

    Attributes:
        text_outputs: Numbers read from each text.
        place_outputs: Numbers read from each place.
        batches: Texts of each step of an epoch.
        loss: Of what was read of some texts.
    """

    text_outputs: int
    place_outputs: int
    batches: Batches
    loss: Loss


def fit(
    data: ReaderData, task: Task, plan: ReaderPlan, base: LoadBase, device: torch.device, log: Log
) -> Reader:
    """Train a fresh reader.

    Args:
        data: The texts.
        task: What is learned, and from which texts.
        plan: How.
        base: Loads the language model; it is changed in place.
        device: Where.
        log: Is told how it goes.
    """
    started = time.monotonic()
    torch.manual_seed(plan.seed)  # pyright: ignore[reportUnknownMemberType]
    reader = Reader(base(), plan.rank, task.text_outputs, task.place_outputs, device)
    steps = list(_steps(task, plan))
    optimizer, schedule = _optimizer(reader, plan, len(steps))
    reader.train()
    losses: list[torch.Tensor] = []
    every = max(1, len(steps) // 20)
    for number, texts in enumerate(steps, start=1):
        loss = task.loss(reader(data, texts, plan.pass_tokens), texts)
        optimizer.zero_grad(set_to_none=True)
        cast(Any, loss).backward()
        nn.utils.clip_grad_norm_([*reader.low_rank, *reader.heads], 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.detach())
        if number % every == 0 or number == len(steps):
            mean = float(torch.stack(losses).mean())
            log(f"  step {number}/{len(steps)} loss {mean:.4f} {time.monotonic() - started:.1f}s")
            losses = []
    return reader.eval()


@torch.no_grad()
def predict(
    reader: Reader, data: ReaderData, texts: Ints, tokens: int = READ_TOKENS
) -> tuple[Floats, Floats]:
    """Outputs for some texts and for their places, in the order of ``texts``."""
    groups = by_length(data, texts, tokens)
    found = [reader(data, group, tokens) for group in groups]
    done = np.concatenate(groups)
    return (
        _numbers([one.texts for one in found])[positions(done, texts)],
        _numbers([one.places for one in found])[positions(data.rows(done), data.rows(texts))],
    )


def _numbers(parts: list[torch.Tensor]) -> NDArray[np.float32]:
    return torch.cat(parts).float().cpu().numpy()


def _steps(task: Task, plan: ReaderPlan) -> Iterator[Ints]:
    rng = np.random.default_rng(plan.seed)
    done = 0
    for _ in range(plan.epochs):
        for texts in task.batches(rng):
            if plan.steps is not None and done >= plan.steps:
                return
            done += 1
            yield texts


def _optimizer(reader: Reader, plan: ReaderPlan, steps: int) -> tuple[Any, Any]:
    groups: list[dict[str, Any]] = [
        {"params": reader.low_rank, "lr": plan.rate},
        {"params": reader.heads, "lr": 2 * plan.rate},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=plan.weight_decay)
    warm = max(1, round(0.06 * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: warm_cosine(step, warm, steps))
    return optimizer, schedule
