"""The eight support strategies of ESConv, and how MINT's tactics are read as strategies."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from models.tactics import Tactic

OTHERS = "Others"


@dataclass(frozen=True, slots=True)
class StrategyRule:
    """A sentence with all of ``needed`` and at least one of ``either`` follows ``strategy``."""

    needed: frozenset[Tactic]
    either: frozenset[Tactic]
    strategy: str

    def fits(self, tactics: AbstractSet[Tactic]) -> bool:
        """Whether a sentence with these tactics falls under the rule."""
        return self.needed <= tactics and bool(self.either & tactics)


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """Names in the order of the head's outputs, and the rules in the order they are tried."""

    names: tuple[str, ...]
    rules: tuple[StrategyRule, ...]

    def number(self, name: str) -> int:
        """Index of a strategy.

        Raises:
            ValueError: No strategy has this name.
        """
        if name not in self.names:
            msg = f"strategy {name!r} is not one of {', '.join(self.names)}"
            raise ValueError(msg)
        return self.names.index(name)

    def of_tactics(self, tactics: AbstractSet[Tactic]) -> str:
        """The strategy of a sentence that carries these tactics."""
        return next((rule.strategy for rule in self.rules if rule.fits(tactics)), OTHERS)


@cache
def load_strategies() -> StrategyTable:
    """Read ``models/training/strategies.yaml``."""
    text = resources.files("models.training").joinpath("strategies.yaml").read_text("utf-8")
    raw = yaml.safe_load(text)
    rules = tuple(
        StrategyRule(
            frozenset(Tactic(name) for name in row.get("all", [])),
            frozenset(Tactic(name) for name in row["any"]),
            str(row["strategy"]),
        )
        for row in raw["from_tactics"]
    )
    return StrategyTable(tuple(raw["strategies"]), rules)
