"""The reward functions of a GRPO run and their weights, from its settings."""

import math
import random
from collections.abc import Sequence

import numpy as np

from models.training.grpo_config import RewardSettings
from models.training.reward_scoring import BatchScorer
from models.training.rewards import (
    LogLikelihood,
    RewardFunction,
    coherence_guard,
    contradiction,
    mindchat_reward,
    mint_reward,
    mood_guard,
    openings,
    quality_rating,
    repetition,
    specificity,
    stock,
    unfinished,
)

MEASURED = 256
"""Most recorded replies that the floor of coherence is measured on."""


def weighted_rewards(
    settings: RewardSettings, scorer: BatchScorer, likelihood: LogLikelihood, floor: float
) -> list[tuple[RewardFunction, float]]:
    """Functions with weights; a guard with weight 0 is left out.

    Args:
        settings: Which reward, and the weights.
        scorer: Measures replies.
        likelihood: Of replies under the untouched base.
        floor: See :func:`coherence_floor`.
    """
    main = (
        mint_reward(scorer.measure, settings.novelty, settings.label_penalty)
        if settings.kind == "mint"
        else mindchat_reward(quality_rating(scorer.measure))
    )
    guards: list[tuple[RewardFunction, float]] = [
        (coherence_guard(likelihood, floor), settings.coherence),
        (repetition, settings.repetition),
        (contradiction, settings.contradiction),
        (specificity, settings.specificity),
        (openings, settings.openings),
        (stock, settings.stock),
        (mood_guard, settings.mood),
        (unfinished, settings.unfinished),
    ]
    return [(main, 1.0), *((function, weight) for function, weight in guards if weight)]


def coherence_floor(
    likelihood: LogLikelihood,
    prompts: Sequence[str],
    replies: Sequence[str],
    settings: RewardSettings,
    seed: int,
) -> float:
    """A low quantile of the log-likelihood (nats a token) of recorded replies under the base.

    Args:
        likelihood: Under the base.
        prompts: Prompts of the training split.
        replies: What recorded supporters replied.
        settings: Names the quantile.
        seed: Of the choice of at most :data:`MEASURED` of them.

    Returns:
        The floor; minus infinity where the guard is not wanted.
    """
    if not settings.coherence:
        return -math.inf
    places = list(range(len(prompts)))
    random.Random(seed).shuffle(places)  # noqa: S311 - not for secrets
    chosen = places[:MEASURED]
    found = likelihood([prompts[i] for i in chosen], [replies[i] for i in chosen])
    return float(np.quantile(found, settings.coherence_quantile))
