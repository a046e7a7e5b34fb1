"""Five ways a supportive reply fails a person, each as a value from 0 (no sign of it) to 1.

Inventions are found by rules (:mod:`models.inventions`). Any other check is a logistic regression on a few
named signs, so a value can be traced to what was seen. Weights are never negative: more of a sign never
lowers a value. They were learned by ``python -m models.training.failure_checks`` from pairs of replies
written for this project.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from models.agreeing import agreeing_signs
from models.early_advice import advice_signs
from models.exchange import Exchange
from models.generic_reply import generic_signs
from models.tone import tone_signs

Signs = Callable[[Exchange], dict[str, float]]

SIGNS: Mapping[str, Signs] = MappingProxyType(
    {
        "over_validation": agreeing_signs,
        "generic": generic_signs,
        "premature_advice": advice_signs,
        "tone": tone_signs,
    }
)
"""What finds the signs of each failure that was learned."""

WEIGHTS_FILE = "failure_checks.json"


@dataclass(frozen=True, slots=True)
class FailureValues:
    """How much speaks for each failure in a reply, 0–1.

    Attributes:
        over_validation: It only agrees, or piles validation up; see :mod:`models.agreeing`.
        generic: It could have been given to anybody; see :mod:`models.generic_reply`.
        premature_advice: It advises before anything was understood; see :mod:`models.early_advice`.
        tone: Its tone is not the person's; see :mod:`models.tone`.
        invented: It states of the person what they never told; see :mod:`models.inventions`.
    """

    over_validation: float = 0.0
    generic: float = 0.0
    premature_advice: float = 0.0
    tone: float = 0.0
    invented: float = 0.0


@dataclass(frozen=True, slots=True)
class Check:
    """One logistic regression.

    Attributes:
        bias: Log odds without any sign.
        weights: Log odds that each sign adds.
    """

    bias: float
    weights: Mapping[str, float]

    def value(self, signs: Mapping[str, float]) -> float:
        """Probability of the failure for the signs of a reply."""
        odds = self.bias + sum(weight * signs[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-odds))


class FailureChecks:
    """All checks; the learned ones are given.

    Args:
        checks: One for each of :data:`SIGNS`.
    """

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks

    def values(self, exchange: Exchange) -> FailureValues:
        """Check one reply; without a message or a reply there is nothing to say."""
        if not exchange.said.message.text.strip() or not exchange.sentences:
            return FailureValues()
        return FailureValues(
            **{name: check.value(SIGNS[name](exchange)) for name, check in self._checks.items()},
            invented=exchange.invented,
        )


def load_failure_checks(encoder: str) -> FailureChecks | None:
    """The checks that were learned with an encoder's vectors; ``None`` where there are none.

    Args:
        encoder: Name of the encoder.
    """
    known = json.loads(resources.files("models").joinpath(WEIGHTS_FILE).read_text("utf-8"))["encoders"]
    if encoder not in known:
        return None
    return FailureChecks({name: Check(one["bias"], one["weights"]) for name, one in known[encoder].items()})
