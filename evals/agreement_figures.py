"""How far two raters agree on a scale: quadratic weighted κ, Spearman's ρ, mean absolute error.

κ is Cohen's with weights (i − j)² (Cohen 1968), on ratings rounded to whole numbers, halves up. Intervals are
percentiles of draws of whole conversations with replacement: replies to one person are not independent.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]
from sklearn.metrics import cohen_kappa_score  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

Values = NDArray[np.float64]
Figure = Callable[[Values, Values], float | None]


@dataclass(frozen=True, slots=True)
class Rated:
    """One text rated twice; ``group`` is what it is drawn with."""

    group: str
    reference: float
    judged: float


def weighted_kappa(reference: Values, judged: Values) -> float | None:
    """Quadratic weighted κ; ``None`` when both sides say one and the same number throughout."""
    a, b = np.floor(reference + 0.5).astype(int), np.floor(judged + 0.5).astype(int)
    if len(set(a.tolist()) | set(b.tolist())) < 2:
        return None
    kappa: Any = cohen_kappa_score(a, b, weights="quadratic")
    return _number(kappa)


def spearman(reference: Values, judged: Values) -> float | None:
    """Rank correlation with mean ranks for ties; ``None`` when one side is constant."""
    if len(reference) < 2 or np.ptp(reference) == 0 or np.ptp(judged) == 0:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found: Any = spearmanr(reference, judged)
    return _number(found.statistic)


def mean_absolute_error(reference: Values, judged: Values) -> float | None:
    """Mean distance in points of the scale."""
    return _number(np.abs(reference - judged).mean())


FIGURES: dict[str, Figure] = {
    "weighted_kappa": weighted_kappa,
    "spearman": spearman,
    "mae": mean_absolute_error,
}


def agreement(rows: Sequence[Rated], *, draws: int, seed: int) -> dict[str, Any]:
    """Figures of one measure with 95 % intervals.

    Args:
        rows: What both sides rated.
        draws: Draws for the intervals.
        seed: Seed of the draws.

    Returns:
        ``n``, ``groups``, both means, and for each figure ``value``, ``low`` and ``high``; a value is
        ``None`` where it is not defined, an interval where more than one draw in ten left it undefined.
    """
    result: dict[str, Any] = {"n": len(rows), "groups": len({row.group for row in rows})}
    if not rows:
        return result
    reference = np.array([row.reference for row in rows])
    judged = np.array([row.judged for row in rows])
    result |= {"mean_reference": _rounded(reference.mean()), "mean_judged": _rounded(judged.mean())}
    drawn = _draws([row.group for row in rows], draws, seed)
    for name, figure in FIGURES.items():
        values = [figure(reference[rows_], judged[rows_]) for rows_ in drawn]
        low, high = interval([value for value in values if value is not None], draws)
        result[name] = {"value": _rounded(figure(reference, judged)), "low": low, "high": high}
    return result


def interval(values: Sequence[float], draws: int) -> tuple[float | None, float | None]:
    """Bounds of the middle 95 %; ``None`` when more than one draw in ten has no value."""
    if not values or len(values) < 0.9 * draws:
        return None, None
    low, high = np.percentile(values, [2.5, 97.5])
    return _rounded(low), _rounded(high)


def _draws(groups: Sequence[str], draws: int, seed: int) -> list[NDArray[np.int64]]:
    names = sorted(set(groups))
    members = {name: [index for index, group in enumerate(groups) if group == name] for name in names}
    random = np.random.default_rng(seed)
    found: list[NDArray[np.int64]] = []
    for _ in range(draws):
        chosen = random.integers(len(names), size=len(names))
        found.append(np.array([index for one in chosen for index in members[names[one]]], dtype=np.int64))
    return found


def _number(value: Any) -> float | None:
    number = float(value)
    return None if number != number else number


def _rounded(value: Any) -> float | None:
    return None if value is None else round(float(value), 4)
