"""How much a reply differs in its tactics from what the supporter did before.

Formulas after MINT (its reward and its evaluation): the divergence of smoothed tactic
distributions, and stickiness, the chance that a tactic comes back in the next turn.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from models.tactics import Tactic, TacticChances, TacticCounts, load_definitions

KL_ALPHA = 0.1
"""Added to each tactic's count before it becomes a share (MINT's reward)."""
KL_CAP = 5.0
"""Largest divergence that counts (MINT's reward)."""
RARITY_FLOOR = 0.03
"""Added to how often a tactic is chosen, so that one that hardly ever is does not outweigh all others."""


def kl_divergence(
    counts: Mapping[Tactic, float],
    previous: Mapping[Tactic, float],
    alpha: float = KL_ALPHA,
    cap: float = KL_CAP,
) -> float:
    """KL divergence of a reply's tactic distribution from the previous supporter turn's.

    ``sum_t p(t) * ln(p(t) / q(t))`` with ``p(t) = (count(t) + alpha) / (sum + 10 * alpha)`` for
    the reply and ``q`` alike for the previous turn.

    Args:
        counts: Tactic counts of the reply.
        previous: Tactic counts of the previous supporter turn.
        alpha: Smoothing, over 0.
        cap: Upper bound of the result.

    Returns:
        Natural-log divergence between 0 and ``cap``.

    Raises:
        ValueError: If ``alpha`` is not over 0.
    """
    if alpha <= 0:
        raise ValueError("alpha must be over 0")
    p, q = _smoothed(counts, alpha), _smoothed(previous, alpha)
    divergence = sum(p_t * math.log(p_t / q_t) for p_t, q_t in zip(p, q, strict=True))
    return min(max(divergence, 0.0), cap)


def stickiness(turns: Sequence[AbstractSet[Tactic]]) -> float | None:
    """P(tactic in turn i | tactic in turn i−1) of one conversation, mean over tactics that occur.

    Args:
        turns: The tactics of each supporter turn, oldest first.

    Returns:
        A share between 0 and 1, or ``None`` when no tactic occurs before the last turn.
    """
    return pooled_stickiness(pairwise(turns))


def pooled_stickiness(
    transitions: Iterable[tuple[AbstractSet[Tactic], AbstractSet[Tactic]]],
) -> float | None:
    """Stickiness over any pairs (previous turn, this turn), as MINT pools them over conversations.

    Args:
        transitions: Pairs of tactic sets; they may come from many conversations.

    Returns:
        Mean over the tactics that occur in a previous turn, or ``None`` when none does.
    """
    before = dict.fromkeys(Tactic, 0)
    again = dict.fromkeys(Tactic, 0)
    for previous, current in transitions:
        for tactic in previous:
            before[tactic] += 1
            again[tactic] += tactic in current
    shares = [again[tactic] / count for tactic, count in before.items() if count]
    return sum(shares) / len(shares) if shares else None


def reuse(
    chances: TacticChances, previous: TacticChances, chosen: Mapping[Tactic, float] | None = None
) -> float:
    """How much of the previous turn's tactics a reply uses again, in average tactics (ours, not MINT's).

    Stickiness is a mean over tactics, so the return of a tactic moves it by one over how often the tactic
    was there to come back: each tactic counts ``rarity * chance in the reply * chance in the previous turn``.

    Args:
        chances: How likely the reply carries each tactic, 0 to 1; absent means 0.
        previous: The same of the previous supporter turn.
        chosen: How often chosen replies carry each tactic; those of ``models/tactics.yaml`` when ``None``.

    Returns:
        0 when none comes back, 10 when all ten surely do.
    """
    weights = rarity() if chosen is None else rarity_of(chosen)
    return sum(weights[tactic] * chance * previous.get(tactic, 0.0) for tactic, chance in chances.items())


def rarity_of(chosen: Mapping[Tactic, float]) -> Mapping[Tactic, float]:
    """One over how often replies carry a tactic and :data:`RARITY_FLOOR`; 1 for the mean of the ten."""
    each = {tactic: 1.0 / (chosen[tactic] + RARITY_FLOOR) for tactic in Tactic}
    total = sum(each.values())
    return {tactic: value * len(each) / total for tactic, value in each.items()}


@cache
def rarity() -> Mapping[Tactic, float]:
    """:func:`rarity_of` the tactics in the replies that the re-ranker itself chooses.

    How often they are in replies at large says less: what is chosen to be novel has other tactics
    (``python -m evals.tactic_shares``).
    """
    return rarity_of({tactic: one.chosen for tactic, one in load_definitions().items()})


@dataclass(frozen=True, slots=True)
class TacticHistory:
    """The tactic counts of this conversation's supporter turns, oldest first."""

    turns: tuple[TacticCounts, ...] = ()

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, int]]) -> "TacticHistory":
        """Build from stored counts; names that are no tactic and zeros are left out."""
        known = {tactic.value for tactic in Tactic}
        return cls(
            tuple({Tactic(name): n for name, n in row.items() if name in known and n > 0} for row in rows)
        )

    def last(self) -> TacticCounts | None:
        """Counts of the last supporter turn, or ``None`` before the first."""
        return self.turns[-1] if self.turns else None

    def used(self) -> frozenset[Tactic]:
        """Tactics that occur in any turn."""
        return frozenset(tactic for turn in self.turns for tactic, count in turn.items() if count)

    def unused(self) -> tuple[Tactic, ...]:
        """Tactics not used in this conversation yet, in the order of the enum."""
        used = self.used()
        return tuple(tactic for tactic in Tactic if tactic not in used)

    def with_turn(self, counts: TacticCounts) -> "TacticHistory":
        """The history after one more supporter turn."""
        return TacticHistory((*self.turns, dict(counts)))

    def decayed(self, decay: float) -> dict[Tactic, float]:
        """What the whole conversation did: each turn's counts, weighted by ``decay`` for each turn since.

        Args:
            decay: 0 (only the last turn) to 1 (all turns alike).
        """
        total: dict[Tactic, float] = {}
        for age, turn in enumerate(reversed(self.turns)):
            for tactic, count in turn.items():
                total[tactic] = total.get(tactic, 0.0) + count * decay**age
        return {tactic: value for tactic, value in total.items() if value > 0}

    def stickiness(self) -> float | None:
        """Stickiness of this conversation so far; see :func:`stickiness`."""
        return stickiness([frozenset(t for t, n in turn.items() if n) for turn in self.turns])


def _smoothed(counts: Mapping[Tactic, float], alpha: float) -> list[float]:
    raw = [max(counts.get(tactic, 0), 0) + alpha for tactic in Tactic]
    total = sum(raw)
    return [value / total for value in raw]
