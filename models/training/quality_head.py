"""The quality head: its loss, its fit and how well it ranks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from models.encoder import Vectors
from models.head_file import Head
from models.training.metrics import mean_of, rank_correlation
from models.training.mint_data import HUMAN, RATINGS, ContextKey, MintData, by_context
from models.training.network import TrainingPlan, train_ensemble
from models.training.quality_losses import (
    ECHO_RATING,
    MISMATCH_MARGIN,
    MISMATCH_WEIGHT,
    SPOILED_WEIGHT,
    order_loss,
    rating_loss,
)
from models.training.quality_rows import QualityRows
from models.training.spoiled_rows import SpoiledRows

PLAN = TrainingPlan(
    hidden=96, epochs=20, learning_rate=2e-3, weight_decay=1e-2, input_dropout=0.3, hidden_dropout=0.3
)
NETWORKS = 3
CONTEXTS_A_BATCH = 8
AGGREGATE = len(RATINGS) - 1
PAIRS_A_BATCH, WORTHLESS_A_BATCH = 96, 48
"""Spoiled replies beside each batch of rated ones."""


def fit_quality(
    rows: QualityRows, spoiled: SpoiledRows, contexts: Sequence[ContextKey], seed: int = 0
) -> Head:
    """Train on the replies to some contexts, and on spoiled replies."""
    keys = [key for key in contexts if key in rows.groups]
    sizes = [len(rows.groups[key]) for key in keys]
    used = np.array([row for key in keys for row in rows.groups[key]], np.int64)
    echoes = np.stack([rows.echoes[key] for key in keys])
    rated = (rows.features[used], rows.mismatched[used], echoes)
    parts = (*rated, spoiled.better, spoiled.worse, spoiled.worthless)
    inputs = np.concatenate(parts)
    starts = np.cumsum([0, *map(len, parts)])
    margins, worth = torch.tensor(spoiled.margins), torch.tensor(spoiled.ratings)
    mean = np.nanmean(rows.ratings[used], axis=0)
    targets = torch.tensor(np.where(np.isnan(rows.ratings[used]), mean, rows.ratings[used]))
    group_of = np.repeat(np.arange(len(keys)), sizes)
    groups_of = torch.tensor(group_of)

    def batches(rng: np.random.Generator) -> list[NDArray[np.int64]]:
        order = rng.permutation(len(keys))
        out: list[NDArray[np.int64]] = []
        for start in range(0, len(order), CONTEXTS_A_BATCH):
            chosen = order[start : start + CONTEXTS_A_BATCH]
            own = np.flatnonzero(np.isin(group_of, chosen))
            pairs = rng.choice(len(margins), min(PAIRS_A_BATCH, len(margins)), replace=False)
            worthless = rng.choice(len(worth), min(WORTHLESS_A_BATCH, len(worth)), replace=False)
            picked = (own, own, chosen, pairs, pairs, worthless)  # within each of the parts
            out.append(np.concatenate([some + start for some, start in zip(picked, starts, strict=False)]))
        return out

    def loss(outputs: torch.Tensor, batch: torch.Tensor) -> torch.Tensor:
        part = [(batch >= starts[i]) & (batch < starts[i + 1]) for i in range(len(parts))]
        own, other, echo, better, worse, worthless = part
        truth, guess = targets[batch[own]], outputs[own]
        total = rating_loss(guess, truth) + 0.5 * order_loss(
            guess[:, AGGREGATE], truth[:, AGGREGATE], groups_of[batch[own]]
        )
        last = outputs[:, AGGREGATE]
        fall = last[own] - last[other]
        total = total + MISMATCH_WEIGHT * torch.relu(MISMATCH_MARGIN - fall).mean()
        total = total + 0.1 * (last[echo] - ECHO_RATING).abs().mean()
        needed = margins[batch[better] - int(starts[3])]
        total = total + SPOILED_WEIGHT * torch.relu(needed - (last[better] - last[worse])).mean()
        known = worth[batch[worthless] - int(starts[5])]
        return total + SPOILED_WEIGHT * 0.5 * (last[worthless] - known).abs().mean()

    tensors = train_ensemble(
        inputs, len(RATINGS), batches, loss, replace(PLAN, seed=seed), NETWORKS, bias=mean.tolist()
    )
    return Head(tensors, {})


@dataclass(frozen=True, slots=True)
class Calibration:
    """The line that makes predictions mean what they say: learning the order stretches them."""

    slope: float = 1.0
    offset: float = 0.0

    def applied(self, head: Head) -> Head:
        """The head with its aggregate put on the line."""
        last = sum(name.startswith("w") for name in head.tensors) - 1
        tensors = {name: value.copy() for name, value in head.tensors.items()}
        tensors[f"w{last}"][:, AGGREGATE] *= self.slope
        tensors[f"b{last}"][AGGREGATE] = tensors[f"b{last}"][AGGREGATE] * self.slope + self.offset
        return Head(tensors, head.facts)


def fit_calibration(predictions: NDArray[np.float32], judged: NDArray[np.float32]) -> Calibration:
    """Least squares of the judge's rating on held-out predictions; missing ratings are left out."""
    rated = ~np.isnan(judged)
    slope, offset = np.polyfit(predictions[rated], judged[rated], 1)
    return Calibration(float(slope), float(offset))


def cross_fit_quality(
    rows_by_fold: Sequence[QualityRows],
    spoiled_by_fold: Sequence[SpoiledRows],
    folds: dict[str, int],
    seed: int = 0,
) -> tuple[list[Head], Calibration]:
    """One head for each fold, trained without that fold's conversations and calibrated on the others.

    Returns:
        The heads, and the calibration over all held-out predictions, for a head trained on all.

    Args:
        rows_by_fold: Features made with the tactic head that did not see the fold.
        spoiled_by_fold: The same of spoiled replies.
        folds: Fold of each conversation.
        seed: Of the networks.
    """
    heads = [
        fit_quality(
            rows,
            spoiled.without([name for name, fold in folds.items() if fold == number]),
            [key for key in sorted(rows.groups) if folds[key[0]] != number],
            seed,
        )
        for number, (rows, spoiled) in enumerate(zip(rows_by_fold, spoiled_by_fold, strict=True))
    ]
    fold = np.zeros(len(rows_by_fold[0].features), np.int64)
    for key, group in rows_by_fold[0].groups.items():
        fold[group] = folds[key[0]]
    raw = np.zeros(len(fold), np.float32)
    for number, (rows, head) in enumerate(zip(rows_by_fold, heads, strict=True)):
        raw[fold == number] = head.forward(rows.features[fold == number])[:, AGGREGATE]
    judged = rows_by_fold[0].ratings[:, AGGREGATE]
    lines = [fit_calibration(raw[fold != n], judged[fold != n]) for n in range(len(heads))]
    calibrated = [line.applied(head) for line, head in zip(lines, heads, strict=True)]
    return calibrated, fit_calibration(raw, judged)


def predicted(head: Head, rows: Vectors) -> NDArray[np.float32]:
    """Q for feature rows."""
    return np.clip(head.forward(rows)[:, AGGREGATE], 1.0, 5.0)


def ranking_scores(data: MintData, quality: NDArray[np.float32], pool: str = "") -> dict[str, float]:
    """How well Q ranks the models' replies to one context.

    Args:
        data: The replies.
        quality: Predicted Q of each.
        pool: Only systems whose name contains this.

    Returns:
        ``spearman`` (mean over contexts), ``first_choice`` (judged empathy of the best by Q),
        ``best`` (of the best by the judge), ``mean`` (of all).
    """
    groups = [
        [i for i in group if data.replies[i].system != HUMAN and pool in data.replies[i].system]
        for group in by_context(data.replies).values()
    ]
    judged = np.array([reply.quality for reply in data.replies])
    groups = [[i for i in group if not np.isnan(judged[i])] for group in groups]
    groups = [group for group in groups if group]
    return {
        "spearman": mean_of(rank_correlation(list(quality[g]), list(judged[g])) for g in groups),
        "first_choice": mean_of(float(judged[g[int(np.argmax(quality[g]))]]) for g in groups),
        "best": mean_of(float(judged[g].max()) for g in groups),
        "mean": mean_of(float(judged[g].mean()) for g in groups),
    }
