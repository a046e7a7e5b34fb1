"""MINT's training reward, computed from released replies: quality and novelty, scaled within a context.

The formula is the one that is trained with (:mod:`models.training.group_reward`), without its penalty for
tactic labels, which have no place in the released replies. MINT's quality came from a reward model, ours
comes from the ratings of the evaluation.
"""

from collections.abc import Mapping, Sequence

from models.tactics import TacticCounts
from models.training.group_reward import (
    ALIKE,
    TARGET_TOKENS,
    divergence,
    group_rewards,
    length_factor,
    scaled,
    tokens,
)
from models.training.mint_data import RATINGS

__all__ = [
    "ALIKE",
    "TARGET_TOKENS",
    "divergence",
    "length_factor",
    "quality_of",
    "rewards",
    "scaled",
    "tokens",
]

_REVERSED = frozenset({"advice_giving", "self_oriented", "dismissing_emotions"})


def quality_of(ratings: Mapping[str, float]) -> float | None:
    """Mean of the six ratings, the three unwelcome ones counted from the other end (6 − rating).

    Args:
        ratings: The judge's ratings by name, 1–5.

    Returns:
        A value of 1–5, or ``None`` when one of the six is missing.
    """
    six = RATINGS[:-1]
    if any(name not in ratings for name in six):
        return None
    return sum(6 - ratings[name] if name in _REVERSED else ratings[name] for name in six) / len(six)


def rewards(
    replies: Sequence[tuple[str, TacticCounts, float]], previous: Sequence[TacticCounts]
) -> list[float]:
    """Rewards of the replies to one context; see :func:`models.training.group_reward.group_rewards`."""
    return group_rewards(replies, previous, label_penalty=0.0)
