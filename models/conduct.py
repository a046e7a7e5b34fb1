"""Two ways in which a supportive reply goes wrong in its conversation: advice too early, validation only."""

from models.novelty import TacticHistory
from models.scorer_features import ReplyFeatures
from models.tactics import Tactic

UNDERSTANDING = frozenset({Tactic.VALIDATION, Tactic.PARAPHRASING, Tactic.EMOTIONAL_EXPRESSION})
"""Moves that show a person was heard."""
AGAIN_AFTER = 2
"""Earlier turns in a row with validation from which one more is too much of it."""


def premature_advice(features: ReplyFeatures, history: TacticHistory) -> float:
    """1 when advice comes before anything was understood in this conversation, else 0.

    What was understood in an earlier turn counts, and what this reply says before its first advice.
    """
    if history.used() & UNDERSTANDING:
        return 0.0
    for tactics in features.sentence_tactics:
        if tactics & UNDERSTANDING:
            return 0.0
        if Tactic.ADVICE in tactics:
            return 1.0
    return 0.0


def over_validation(features: ReplyFeatures, history: TacticHistory) -> float:
    """How much a reply does nothing but validate, or validates once more, 0–1.

    1 for a reply whose only tactic is validation. After two turns in a row that validated, the share of
    validation among the reply's tactic marks. Otherwise 0.
    """
    counts = features.counts
    validating = counts.get(Tactic.VALIDATION, 0)
    if not validating:
        return 0.0
    total = sum(count for count in counts.values() if count > 0)
    if validating == total:
        return 1.0
    last = history.turns[-AGAIN_AFTER:]
    again = len(last) == AGAIN_AFTER and all(turn.get(Tactic.VALIDATION, 0) for turn in last)
    return validating / total if again else 0.0
