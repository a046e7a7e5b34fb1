"""How many steps fit into a budget of time, the same number for every variant."""

import copy
import itertools
import time

import torch

from models.training.multi_task_run import mixed_batches, step_gradients
from models.training.multi_task_variants import Workshop, new_model
from models.training.task_scores import validate

TIMED_STEPS = 4
WARM_STEPS = 2

TRAINING_SHARE = 0.7
"""Share of the time for steps and validation; the rest is for sampled replies, writing and chance."""


def affordable_steps(shop: Workshop, variants: int, deadline: float) -> int:
    """Steps a variant, at most as many as configured.

    Times a few steps of the full loss and one validation on a model that is thrown away.

    Args:
        shop: Base and data.
        variants: How many are to be trained.
        deadline: ``time.monotonic()`` by which they should be done.
    """
    config = shop.config
    model = new_model(shop, copy.deepcopy(shop.base))
    model.train(True)
    batches = mixed_batches(shop.data, config)
    times: list[float] = []
    for draw in itertools.islice(batches, WARM_STEPS + TIMED_STEPS):
        started = time.monotonic()
        step_gradients(model, shop.data, draw, config.loss, config.train.micro_batch)
        _wait(shop.device)
        times.append(time.monotonic() - started)
    started = time.monotonic()
    validate(model, shop.data.valid, config.train.micro_batch)
    _wait(shop.device)
    measured = time.monotonic() - started
    step = sum(times[WARM_STEPS:]) / TIMED_STEPS + measured / config.validation.every
    seconds = TRAINING_SHARE * (deadline - time.monotonic()) / variants - 2 * measured
    return max(1, min(config.train.steps, int(seconds / step)))


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
