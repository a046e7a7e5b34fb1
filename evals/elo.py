"""Strengths of configurations from pairwise comparisons: the Bradley–Terry model on Elo's scale.

P(a beats b) = 1 / (1 + exp(θ_b − θ_a)) (Bradley and Terry 1952), fitted by maximum likelihood; a game may
count for both in parts, half and half for a draw. Each configuration also plays one drawn game against an
average one, so that a configuration which always wins has a finite strength. Elo = 1000 + 400 / ln 10 · θ,
with mean 1000.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.agreement_figures import interval

MEAN = 1000.0
_PER_UNIT = 400 / math.log(10)
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Game:
    """One comparison; ``value`` is how much of it a won, 0–1, and ``group`` what it is drawn with."""

    a: str
    b: str
    value: float
    group: str


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo with its 95 % interval; the bounds are ``None`` without draws."""

    elo: float
    low: float | None
    high: float | None
    games: int


def ratings(games: Sequence[Game], names: Sequence[str], *, draws: int, seed: int) -> dict[str, Rating]:
    """Fit all games, and draws of whole groups with replacement for the intervals.

    Args:
        games: Comparisons of configurations in ``names``.
        names: All configurations; one without games stays at the mean, with a prior only.
        draws: How many.
        seed: Of the draws.
    """
    if not names:
        return {}
    fitted = fit(games, names)
    groups: dict[str, list[Game]] = {}
    for game in games:
        groups.setdefault(game.group, []).append(game)
    keys, random = sorted(groups), np.random.default_rng(seed)
    drawn: list[NDArray[np.float64]] = []
    for _ in range(draws if keys else 0):
        chosen = random.integers(len(keys), size=len(keys))
        drawn.append(fit([game for one in chosen for game in groups[keys[one]]], names))
    bounds = [interval([float(one[i]) for one in drawn], draws) for i in range(len(names))]
    return {
        name: Rating(
            round(float(fitted[i]), 1),
            _rounded(bounds[i][0]),
            _rounded(bounds[i][1]),
            sum(name in (game.a, game.b) for game in games),
        )
        for i, name in enumerate(names)
    }


def fit(games: Sequence[Game], names: Sequence[str]) -> NDArray[np.float64]:
    """Elo of each name by Newton's method, mean 1000."""
    index = {name: i for i, name in enumerate(names)}
    a = np.array([index[game.a] for game in games], dtype=np.int64)
    b = np.array([index[game.b] for game in games], dtype=np.int64)
    value = np.array([game.value for game in games], dtype=np.float64)
    theta = np.zeros(len(names))
    for _ in range(_STEPS):
        # The drawn game against an average opponent at 0.
        prior = _logistic(theta)
        gradient = 0.5 - prior
        hessian = np.diag(prior * (1 - prior))
        expected = _logistic(theta[a] - theta[b])
        np.add.at(gradient, a, value - expected)
        np.add.at(gradient, b, expected - value)
        weight = expected * (1 - expected)
        for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            np.add.at(hessian, (row, column), sign * weight)
        step = np.linalg.solve(hessian, gradient)
        # A long step from a flat place could overshoot; the likelihood is concave, so short ones arrive.
        step *= min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-12))
        theta += step
        if float(np.abs(step).max()) < 1e-9:
            break
    return MEAN + _PER_UNIT * (theta - theta.mean())


def _rounded(bound: float | None) -> float | None:
    return None if bound is None else round(bound, 1)


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))
