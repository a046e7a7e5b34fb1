"""What a reader of replies learns from: ratings, their order within a context, and tags."""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from models.training.quality_losses import order_loss

REVERSED = (False, False, False, True, True, True)
"""Which of MINT's six ratings are better when low: advice giving, self-oriented, dismissing emotions."""
BOTH_ENDS = 6.0
"""Lowest and highest rating together."""
ORDER_WEIGHT, TAG_WEIGHT, CARRIED_WEIGHT, SMOOTHING = 0.5, 0.5, 0.25, 0.01
_EPSILON = 1e-4


@dataclass(frozen=True, slots=True)
class RatingScale:
    """Mean and deviation of each rating, and the aggregate's, among the replies that are learned from."""

    mean: torch.Tensor
    deviation: torch.Tensor
    spread: float

    @classmethod
    def of(cls, ratings: NDArray[np.float32], device: torch.device) -> "RatingScale":
        """Of some replies' six ratings; missing ones are left out."""
        mean, deviation = (
            torch.tensor(one, dtype=torch.float32, device=device)
            for one in (np.nanmean(ratings, axis=0), np.nanstd(ratings, axis=0) + _EPSILON)
        )
        complete = torch.tensor(ratings[~np.isnan(ratings).any(axis=1)])
        return cls(mean, deviation, float(aggregate(complete).std(correction=0)) + _EPSILON)

    def points(self, outputs: torch.Tensor) -> torch.Tensor:
        """Ratings from outputs, ``(replies, 6)``."""
        return outputs * self.deviation + self.mean


def aggregate(ratings: torch.Tensor) -> torch.Tensor:
    """Aggregated empathy, ``(replies,)``: the mean of the six, some counted from the other end."""
    turned = torch.tensor(REVERSED, device=ratings.device)
    return torch.where(turned, BOTH_ENDS - ratings, ratings).mean(dim=1)


def ratings_loss(
    outputs: torch.Tensor, truth: torch.Tensor, context: torch.Tensor, scale: RatingScale
) -> torch.Tensor:
    """Squared error of the six and of their aggregate, in deviations, and the order within contexts.

    Args:
        outputs: Standardised ratings, ``(replies, 6)``.
        truth: The judge's, 1 to 5, ``nan`` where one is missing.
        context: Number of the context that each reply answers.
        scale: Of the judge's ratings.
    """
    known = ~torch.isnan(truth)
    wanted = torch.where(known, (truth - scale.mean) / scale.deviation, outputs.detach())
    loss = F.mse_loss(outputs, wanted)
    complete = known.all(dim=1)
    guess, judged = aggregate(scale.points(outputs[complete])), aggregate(truth[complete])
    loss = loss + F.mse_loss(guess / scale.spread, judged / scale.spread)
    better = judged[:, None] - judged[None, :] > 0.05
    if not (better & (context[complete][:, None] == context[complete][None, :])).any():
        return loss
    return loss + ORDER_WEIGHT * order_loss(guess, judged, context[complete])


def tags_loss(logits: torch.Tensor, tags: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy, summed over the tactics and averaged over the sentences that have tags.

    Args:
        logits: ``(sentences, tactics)``.
        tags: The authors', 0 or 1.
        kept: Which sentences count.
    """
    return TAG_WEIGHT * (_each(logits, tags) * kept).sum() / kept.sum().clamp(min=1)


def carried_loss(logits: torch.Tensor, carried: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy, summed over the tactics and averaged over the replies.

    Args:
        logits: ``(replies, tactics)``.
        carried: Whether any sentence of the reply has the authors' tag, 0 or 1.
    """
    return CARRIED_WEIGHT * _each(logits, carried).mean()


def _each(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    wanted = truth * (1 - 2 * SMOOTHING) + SMOOTHING
    return F.binary_cross_entropy_with_logits(logits, wanted, reduction="none").sum(dim=1)
