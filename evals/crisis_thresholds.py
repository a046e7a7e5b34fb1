"""How thresholds of the crisis classifier are chosen: the lowest that keep the limits of false alarms."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.crisis_examples import Example
from evals.crisis_split import DAILY, ORDINARY
from evals.crisis_training import Array
from safety.crisis_head import CHINESE, CrisisLimits
from safety.levels import RiskLevel

IMMINENT_SHARE = 0.6
"""Share of imminent in the probability of a card: below it a card is shown without the emergency call."""
LOW_SHARE = 0.7
"""Share of the card threshold from which a message is ``low``: the model asks, no card is shown."""
EVERYDAY_LIMIT = 0.01
"""Share of everyday texts, unmarked by rules, that may get a card."""
ORDINARY_LIMIT = 0.025
"""Share of unseen ordinary messages (:data:`evals.crisis_split.ORDINARY`) that may get a card."""
_CALM_LIMIT = 0.1
"""Share of calm hand-written messages (half of them made to look like crises) that may get a card."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a head says of some examples that it has not seen.

    Attributes:
        examples: The examples.
        chinese: Whether each is Chinese.
        cards: Probability of moderate or imminent of each.
    """

    examples: Sequence[Example]
    chinese: NDArray[np.bool_]
    cards: Array

    def share(self, rows: NDArray[np.bool_], threshold: float) -> float:
        """Share of some of them with a card; 0 where there are none."""
        return float((self.cards[rows] >= threshold).mean()) if rows.any() else 0.0


def judged(examples: Sequence[Example], folded: Sequence[str], chances: Array) -> Judged:
    """What probabilities of the levels, ``(n, 4)``, say of these examples and their folded texts."""
    chinese = np.array([bool(CHINESE.search(text)) for text in folded], bool)
    return Judged(examples, chinese, chances[:, 2:].sum(axis=1))


def lowest_threshold(shown: Judged, everyday: Judged, *, chinese: bool) -> tuple[float, dict[str, float]]:
    """The lowest threshold of a language that keeps every limit of false alarms."""
    own, daily = shown.chinese == chinese, everyday.chinese == chinese
    level = np.array([int(one.level) for one in shown.examples])
    ordinary = np.array([one.group.startswith(ORDINARY) for one in shown.examples])
    hand = np.array([one.is_hand_written for one in shown.examples])
    daily_talk = np.array([one.group.startswith(DAILY) for one in shown.examples])
    for threshold in np.arange(0.1, 0.95, 0.01).round(2).tolist():
        shares = {
            "everyday": everyday.share(daily, threshold),
            "ordinary": shown.share(own & ordinary, threshold),
            "calm": shown.share(own & hand & ~daily_talk & (level == 0), threshold),
        }
        limits = {"everyday": EVERYDAY_LIMIT, "ordinary": ORDINARY_LIMIT, "calm": _CALM_LIMIT}
        if all(shares[name] <= limit for name, limit in limits.items()):
            break
    else:
        raise SystemExit("no threshold keeps the limits of false alarms")
    found = {one.label: shown.share(own & hand & (level == int(one)), threshold) for one in RiskLevel}
    return threshold, {name: round(value, 4) for name, value in {**found, **shares}.items() if name != "none"}


def limit_facts(limits: CrisisLimits) -> dict[str, float | None]:
    """Limits as :meth:`safety.crisis_head.CrisisLimits.of_facts` reads them."""
    return {
        "card_threshold": round(limits.card, 4),
        "imminent_threshold": limits.imminent,
        "low_share": limits.low_share,
        "chinese_threshold": limits.chinese,
    }
