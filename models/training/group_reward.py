"""MINT's reward within a group of replies to one context: quality and novelty, each scaled to 0–1.

``reward = (Q' + λ · D') · length − penalty``, with Q and the divergence from the last turn's tactics each
scaled by minimum and maximum within the group. The formula is that of MINT's published reward code
(Zhan et al., arXiv 2604.11742) with quality plus divergence and without the entropy term, λ = 1.
"""

import re
from collections.abc import Sequence

from models.novelty import kl_divergence
from models.reply_format import strip_labels
from models.tactics import TacticCounts

TARGET_TOKENS = 200
"""Length up to which a reply loses nothing."""
ALIKE = 0.5
"""Scaled value of all replies of a group that do not differ."""
NOVELTY = 1.0
"""Weight λ of the scaled divergence."""
LABEL_PENALTY = 1.0
"""Taken off a reply that shows tactic labels: as much as the best quality is worth (the size is ours)."""
_PIECE = re.compile(r"[\u3400-\u9fff]|\w+|[^\w\s]")


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


def shows_labels(text: str) -> bool:
    """Whether tactic names stand in a reply as labels, such as ``[Validation]`` or ``Advice:``."""
    return strip_labels(text) != text


def group_rewards(
    replies: Sequence[tuple[str, TacticCounts, float]],
    previous: Sequence[TacticCounts],
    novelty: float = NOVELTY,
    label_penalty: float = LABEL_PENALTY,
) -> list[float]:
    """Rewards of the replies to one context.

    Args:
        replies: Text, tactic counts and Q of each.
        previous: Tactic counts of the turn before, for each reply; empty at a first turn.
        novelty: λ.
        label_penalty: Taken off where labels show.

    Returns:
        Without labels 0 to 1 + λ.
    """
    quality = scaled([q for _, _, q in replies])
    differs = scaled(
        [divergence(counts, before) for (_, counts, _), before in zip(replies, previous, strict=True)]
    )
    return [
        (q + novelty * d) * length_factor(text) - label_penalty * shows_labels(text)
        for q, d, (text, _, _) in zip(quality, differs, replies, strict=True)
    ]
