"""Tunes one encoder with its heads and measures it on conversations kept apart."""

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.metrics import best_thresholds, macro_f1, mean_of, rank_correlation
from models.training.tunable_encoder import TunableEncoder, TunedShape, to_numpy
from models.training.tuning_data import TuningData
from models.training.tuning_heads import TunedModel, loss_of
from models.training.warm_cosine import warm_cosine

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """Hyperparameters.

    Attributes:
        shape: Of the encoder.
        epochs: Passes over the training contexts.
        contexts: Contexts a batch; all replies to them are in it.
        learning_rate: Peak for the low-rank changes, cosine with warm-up; the heads get twice as much.
        weight_decay: Of AdamW.
        smoothing: Of tags.
        seed: Of weights, order and dropout.
        steps: Ends an epoch early, for smoke tests.
    """

    shape: TunedShape = field(default_factory=TunedShape)
    epochs: int = 8
    contexts: int = 4
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    smoothing: float = 0.01
    seed: int = 0
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class Predicted:
    """Predictions for some replies.

    Attributes:
        rows: Row numbers of their sentences.
        probabilities: Of each sentence and tactic.
        quality: Q of each reply.
    """

    rows: Ints
    probabilities: Floats
    quality: Floats


@dataclass(frozen=True, slots=True)
class Fitted:
    """A tuned model and how it did on the inner validation conversations."""

    model: TunedModel
    epoch: int
    scores: dict[str, float]
    thresholds: Floats
    seconds: float


def fit(
    data: TuningData, train: set[int], valid: set[int], plan: TuningPlan, device: torch.device, log: Log
) -> Fitted:
    """Train on some conversations and keep the epoch that is best on others."""
    started = time.monotonic()
    torch.manual_seed(plan.seed)  # pyright: ignore[reportUnknownMemberType]
    rng = np.random.default_rng(plan.seed)
    model = TunedModel(data, TunableEncoder(data.weights, plan.shape), device)
    learn, check = replies_of(data, train), replies_of(data, valid)
    model.eval()
    model.standardise(np.sort(rng.choice(learn, min(400, len(learn)), replace=False)))
    optimizer, schedule = _optimizer(model, plan, len(np.unique(data.arrays["context"][learn])))
    best: tuple[float, int, dict[str, Any], dict[str, float], Floats] | None = None
    for epoch in range(1, plan.epochs + 1):
        loss = _epoch(model, data, learn, plan, rng, optimizer, schedule, device)
        if epoch <= plan.epochs // 2 and epoch != plan.epochs:
            continue
        scores, thresholds = score(data, check, predict(model, data, check))
        log(f"  epoch {epoch} loss {loss:.4f} {scores} {time.monotonic() - started:.1f}s")
        if best is None or scores["choice"] > best[0]:
            best = (scores["choice"], epoch, copy.deepcopy(model.state_dict()), scores, thresholds)
    if best is None:
        raise ValueError("at least one epoch is needed")
    model.load_state_dict(best[2])
    return Fitted(model, best[1], best[3], best[4], time.monotonic() - started)


def replies_of(data: TuningData, conversations: set[int]) -> Ints:
    """Numbers of the replies in some conversations."""
    return np.flatnonzero(np.isin(data.conversation_of_replies(), sorted(conversations)))


@torch.no_grad()
def predict(model: TunedModel, data: TuningData, replies: Ints, size: int = 5) -> Predicted:
    """Measure all replies to some contexts, ``size`` contexts at a time."""
    model.eval()
    context: Ints = data.arrays["context"]
    contexts = np.unique(context[replies])
    # Mixed, so that contexts of other conversations are near.
    contexts = np.random.default_rng(0).permutation(contexts)
    groups = [
        replies[np.isin(context[replies], contexts[i : i + size])] for i in range(0, len(contexts), size)
    ]
    found: dict[str, list[Any]] = {"rows": [], "probabilities": [], "quality": [], "of": []}
    for group in groups:
        read = model.read(group)
        found["of"].append(group)
        found["rows"].append(model.rows_of(group))
        found["probabilities"].append(to_numpy(torch.sigmoid(read.logits.float())))
        found["quality"].append(to_numpy(read.quality)[:, -1])
    joined = {name: np.concatenate(parts) for name, parts in found.items()}
    order = np.argsort(joined["of"], kind="stable")
    rows = np.argsort(joined["rows"], kind="stable")
    return Predicted(
        joined["rows"][rows],
        (joined["probabilities"] * data.arrays["counted"][joined["rows"]][:, None])[rows],
        joined["quality"][order],
    )


def kept_rows(data: TuningData, rows: Ints) -> NDArray[np.bool_]:
    """Which of some sentences have tags of their own."""
    sentences: Ints = data.arrays["sentences"][: data.replies]
    return np.repeat(data.arrays["aligned"], sentences)[rows]


def score(data: TuningData, replies: Ints, found: Predicted) -> tuple[dict[str, float], Floats]:
    """Scores at the thresholds that are best on the same replies; returns these too."""
    kept = kept_rows(data, found.rows)
    truth, guess = data.arrays["tags"][found.rows[kept]].astype(np.float32), found.probabilities[kept]
    thresholds = best_thresholds(truth, guess)
    macro = float(macro_f1(truth > 0.5, guess >= thresholds).mean())
    ranked = ranks(data, replies, found.quality)
    values = {"macro_f1": round(macro, 4), **ranked, "choice": round(macro + 0.2 * ranked["spearman"], 4)}
    return values, thresholds


def ranks(data: TuningData, replies: Ints, quality: Floats) -> dict[str, float]:
    """Spearman within a context and judged value of the first choice."""
    judged: Floats = data.arrays["ratings"][replies, -1]
    context: Ints = data.arrays["context"][replies]
    groups = [np.flatnonzero((context == one) & ~np.isnan(judged)) for one in np.unique(context)]
    spearman = mean_of(rank_correlation(list(quality[g]), list(judged[g])) for g in groups)
    first = mean_of(float(judged[g[int(quality[g].argmax())]]) for g in groups if len(g))
    return {"spearman": round(spearman, 4), "first_choice": round(first, 4)}


def _optimizer(model: TunedModel, plan: TuningPlan, contexts: int) -> tuple[Any, Any]:
    low_rank = [*model.encoder.a.values(), *model.encoder.b.values()]
    heads = [*model.tactics.parameters(), *model.quality.parameters()]
    groups: list[dict[str, Any]] = [
        {"params": low_rank, "lr": plan.learning_rate},
        {"params": heads, "lr": 2 * plan.learning_rate},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=plan.weight_decay)
    total = plan.epochs * min(plan.steps or 10**9, math.ceil(contexts / plan.contexts))

    warm = max(1, round(0.06 * total))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: warm_cosine(step, warm, total))
    return optimizer, schedule


def _epoch(
    model: TunedModel,
    data: TuningData,
    replies: Ints,
    plan: TuningPlan,
    rng: np.random.Generator,
    optimizer: Any,
    schedule: Any,
    device: torch.device,
) -> float:
    model.train()
    context: Ints = data.arrays["context"]
    order = rng.permutation(np.unique(context[replies]))
    ratings = _filled(data.arrays["ratings"], replies)
    losses: list[torch.Tensor] = []
    for start in list(range(0, len(order), plan.contexts))[: plan.steps]:
        group = replies[np.isin(context[replies], order[start : start + plan.contexts])]
        rows = model.rows_of(group)
        kept = kept_rows(data, rows) & data.arrays["counted"][rows]
        batch = {
            "tags": torch.tensor(data.arrays["tags"][rows], dtype=torch.float32, device=device),
            "kept": torch.tensor(kept, dtype=torch.float32, device=device),
            "ratings": torch.tensor(ratings[group], device=device),
            "group": torch.tensor(context[group], device=device),
        }
        read = model.read(group)
        loss = loss_of(read, batch, plan.smoothing)
        optimizer.zero_grad(set_to_none=True)
        cast(Any, loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.detach())
    return float(torch.stack(losses).mean())


def _filled(ratings: Floats, replies: Ints) -> Floats:
    """Missing ratings become the mean over the training replies."""
    return np.where(np.isnan(ratings), np.nanmean(ratings[replies], axis=0), ratings).astype(np.float32)
