"""Two failures of a reply as they weigh in its conversation: advice too early, validation only."""

from models.early_advice import UNDERSTANDING
from models.novelty import TacticHistory
from models.scorer_features import ReplyFeatures
from models.tactics import Tactic

UNDERSTOOD_BEFORE = 0.5
"""What early advice counts when something was understood in an earlier turn."""
AGAIN_AFTER = 2
"""Earlier turns in a row with validation from which one more is too much of it."""


def premature_advice(features: ReplyFeatures, history: TacticHistory) -> float:
    """How much a reply advises before anything was understood, 0–1.

    What was understood in an earlier turn makes it weigh half: the new message may need to be heard as well.
    """
    value = features.failures.premature_advice
    return value * UNDERSTOOD_BEFORE if history.used() & UNDERSTANDING else value


def over_validation(features: ReplyFeatures, history: TacticHistory) -> float:
    """How much a reply only agrees, or validates once more, 0–1.

    After two turns in a row that validated, at least the share of validation among the reply's tactic marks.
    """
    counts = features.counts
    last = history.turns[-AGAIN_AFTER:]
    again = len(last) == AGAIN_AFTER and all(turn.get(Tactic.VALIDATION, 0) for turn in last)
    total = sum(count for count in counts.values() if count > 0)
    share = counts.get(Tactic.VALIDATION, 0) / total if again and total else 0.0
    return max(features.failures.over_validation, share)
