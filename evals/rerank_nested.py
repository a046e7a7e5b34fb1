"""Weights of the re-ranker that are chosen on other conversations than those they are measured on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from evals.held_out import FOLDS
from evals.rollout import Outcome, Pool, by_weights, outcome, roll_out
from evals.tactic_shares import settled_shares
from models.rerank import RerankWeights
from models.training.folds import conversation_folds

Chosen = Sequence[Sequence[int]]
"""The replies of each conversation."""

GIVEN_UP = 0.05
"""Judged empathy that may be lost against quality alone, where weights are chosen."""
FAILURE_TERMS = {
    "premature": (0.0, 0.1, 0.2),
    "validation": (0.0, 0.05),
    "generic": (0.0, 0.05),
    "tone": (0.0, 0.1),
    "invented": (0.0, 0.6),
}
"""Terms of the checks for failures and the weights that are tried."""


@dataclass(frozen=True, slots=True)
class Roll:
    """What some weights choose in each conversation."""

    weights: RerankWeights
    chosen: Chosen

    def varied(self) -> dict[str, float]:
        """The weights that the grid varies."""
        names = ("novelty", "reuse", "tactics", "max_quality_loss")
        return {name: getattr(self.weights, name) for name in names}


def fifths(pool: Pool, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Places of the conversations to learn on and of those to measure on, five times."""
    names = [pool.replies[turns[0][0]].context[0] for turns in pool.conversations]
    folds = conversation_folds(names, FOLDS, seed)
    for number in range(FOLDS):
        learnt = [i for i, name in enumerate(names) if folds[name] != number]
        yield learnt, [i for i in range(len(names)) if i not in learnt]


def nested(
    pool: Pool, rolls: Sequence[Roll], alone: Chosen, seed: int, goal: float | None = None
) -> tuple[Outcome, dict[str, Any]]:
    """Weights chosen on four fifths of the conversations and measured on the rest.

    Chosen are the weights with the least stickiness whose judged empathy is at least ``goal``, or at most
    :data:`GIVEN_UP` below that of quality alone; those with the most empathy where none have so much.

    Args:
        pool: The candidates.
        rolls: What the weights to choose from do.
        alone: What quality alone chooses.
        seed: Of the fifths.
        goal: Judged empathy that is wanted; relative to ``alone`` when ``None``.

    Returns:
        What was chosen is worth, and by which weights.
    """
    picked: list[Sequence[int]] = []
    by_fold: list[dict[str, float]] = []
    for learnt, rest in fifths(pool, seed):
        floor = goal or outcome(pool, [alone[i] for i in learnt]).empathy - GIVEN_UP
        found = [(roll, outcome(pool, [roll.chosen[i] for i in learnt])) for roll in rolls]
        fine = [(roll, one) for roll, one in found if one.empathy >= floor]
        if not fine:
            fine = [max(found, key=lambda pair: pair[1].empathy)]
        best = min(fine, key=lambda pair: pair[1].stickiness)[0]
        by_fold.append(best.varied())
        picked += [best.chosen[i] for i in rest]
    limit = {"given_up_at_most": GIVEN_UP} if goal is None else {"empathy_at_least": goal}
    return outcome(pool, picked), {"by_fold": by_fold, **limit}


def failure_weights(pool: Pool, default: RerankWeights, seed: int) -> tuple[Outcome, dict[str, Any]]:
    """Weights of the checks with the most empathy less stickiness on four fifths, measured on the rest."""
    grid = [dict(zip(FAILURE_TERMS, values, strict=True)) for values in product(*FAILURE_TERMS.values())]
    rolls = [roll_out(pool, by_weights(pool, replace(default, **one))) for one in grid]
    picked: list[Sequence[int]] = []
    by_fold: list[Mapping[str, float]] = []
    for learnt, rest in fifths(pool, seed):
        found = [outcome(pool, [roll[i] for i in learnt]) for roll in rolls]
        best = max(range(len(grid)), key=lambda i: found[i].empathy - found[i].stickiness)
        by_fold.append(grid[best])
        picked += [rolls[best][i] for i in rest]
    return outcome(pool, picked), {"by_fold": by_fold}


def shares_elsewhere(pool: Pool, weights: RerankWeights, seed: int) -> Outcome:
    """These weights, with how often tactics are chosen as it was found on the other conversations."""
    picked: list[Sequence[int]] = []
    for learnt, rest in fifths(pool, seed):
        others, own = (
            replace(pool, conversations=[pool.conversations[i] for i in part]) for part in (learnt, rest)
        )
        shares = settled_shares(others, weights)[-1]
        picked += roll_out(own, by_weights(own, replace(weights, chosen=shares)))
    return outcome(pool, picked)
