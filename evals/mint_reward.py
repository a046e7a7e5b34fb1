"""MINT's training reward, computed from released replies: quality and novelty, scaled within a context.

``reward = (Q' + D') * length``: Q from the judge's six ratings and the divergence from the last turn's
tactics, each scaled to 0–1 among the replies to one context, times ``min(1, 200 / tokens)``. The formula
is that of MINT's published reward code with quality plus divergence and without the entropy term; its
quality came from a reward model, ours comes from the ratings of the evaluation. Left out is its fixed
penalty for tactic labels in a reply, which have no place in the released ones.
"""

import re
from collections.abc import Mapping, Sequence

from models.novelty import kl_divergence
from models.tactics import TacticCounts
from models.training.mint_data import RATINGS

TARGET_TOKENS = 200
"""Length up to which a reply loses nothing."""
ALIKE = 0.5
"""Scaled value of all replies of a group that do not differ."""
_REVERSED = frozenset({"advice_giving", "self_oriented", "dismissing_emotions"})
_PIECE = re.compile(r"[\u3400-\u9fff]|\w+|[^\w\s]")


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


def divergence(counts: TacticCounts, previous: TacticCounts) -> float:
    """D_KL as the reward counts it: 0 for a reply without tactics; a first turn is compared with none."""
    return kl_divergence(counts, previous) if any(counts.values()) else 0.0


def scaled(values: Sequence[float]) -> list[float]:
    """Min-max to 0–1; all :data:`ALIKE` when they do not differ."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    if high - low <= 1e-8:
        return [ALIKE] * len(values)
    return [(value - low) / (high - low) for value in values]


def tokens(text: str) -> int:
    """Words, Chinese characters and marks: within 5 tokens (mean) of a byte-pair tokenizer on the release."""
    return len(_PIECE.findall(text))


def length_factor(text: str) -> float:
    """1 up to 200 tokens, then falling as 200 over their number."""
    return min(1.0, TARGET_TOKENS / max(tokens(text), 1))


def rewards(
    replies: Sequence[tuple[str, TacticCounts, float]], previous: Sequence[TacticCounts]
) -> list[float]:
    """Rewards of the replies to one context.

    Args:
        replies: Text, tactic counts and Q of each.
        previous: Tactic counts of the turn before, for each reply; empty at a first turn.
    """
    quality = scaled([q for _, _, q in replies])
    novelty = scaled(
        [divergence(counts, before) for (_, counts, _), before in zip(replies, previous, strict=True)]
    )
    return [
        (q + d) * length_factor(text) for q, d, (text, _, _) in zip(quality, novelty, replies, strict=True)
    ]
