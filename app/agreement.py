"""Krippendorff's alpha: how far raters agree beyond chance, with a bootstrap interval.

Formulas and worked examples: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011),
https://repository.upenn.edu/asc_papers/43. Written here because the maintained Python package is under
the GPL, which this project can't take.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
COVERAGE = 0.95
_FEWEST = 0.5
"""Share of the resamples that must have an alpha for there to be an interval."""

Floats = NDArray[np.float64]
Pattern = tuple[int, ...]
"""The values that one unit got, sorted; who gave which does not matter to alpha."""


class Metric(StrEnum):
    """What the difference of two values is.

    Nominal: equal or not. Ordinal: how many values lie between them, by how often they were given; right
    for scales from 1 to 5, whose steps are in order but not known to be equally wide. Interval: the
    squared distance.
    """

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one measure.

    Attributes:
        alpha: 1 is perfect, 0 what chance gives; ``None`` where it is not defined: no unit has two
            values, or all values are the same.
        low: Lower end of the interval that holds 95 % of the resamples; ``None`` where too few have one.
        high: Upper end.
        units: Units with two raters or more.
        values: Values that these got.
    """

    alpha: float | None
    low: float | None
    high: float | None
    units: int
    values: int


def agreement(
    patterns: Mapping[Pattern, int], metric: Metric, seed: int = 0, resamples: int = RESAMPLES
) -> Agreement:
    """Alpha and its interval.

    Units with equal values weigh the same, so drawing units with replacement is drawing numbers of each
    pattern: memory and time depend on the number of different patterns alone.

    Args:
        patterns: How many units got these values; units with one value are left out.
        metric: Of the differences.
        seed: Of the resamples.
        resamples: How often units are drawn for the interval.
    """
    pairable = {pattern: count for pattern, count in patterns.items() if len(pattern) > 1 and count > 0}
    units = sum(pairable.values())
    values = sum(len(pattern) * count for pattern, count in pairable.items())
    if not pairable:
        return Agreement(None, None, None, 0, 0)
    levels = sorted({value for pattern in pairable for value in pattern})
    tables = np.stack([_coincidences(pattern, levels) for pattern in pairable])
    counts = np.array(list(pairable.values()), dtype=np.float64)
    whole = float(_alphas(counts[None, :], tables, levels, metric)[0])
    if np.isnan(whole):
        return Agreement(None, None, None, units, values)
    draws = np.random.default_rng(seed).multinomial(units, counts / units, size=resamples)
    found = _alphas(draws.astype(np.float64), tables, levels, metric)
    known = found[~np.isnan(found)]
    if units < 2 or len(known) < _FEWEST * resamples:
        return Agreement(whole, None, None, units, values)
    tail = (1 - COVERAGE) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    return Agreement(whole, float(low), float(high), units, values)


def patterns_of(units: Iterable[Sequence[int]]) -> Counter[Pattern]:
    """Count units by their values."""
    return Counter(tuple(sorted(values)) for values in units)


def _coincidences(pattern: Pattern, levels: Sequence[int]) -> Floats:
    """Pairs of values within one unit, each of its m values counting 1 in all."""
    given = np.array([pattern.count(level) for level in levels], dtype=np.float64)
    return (np.outer(given, given) - np.diag(given)) / (len(pattern) - 1)


def _alphas(counts: Floats, tables: Floats, levels: Sequence[int], metric: Metric) -> Floats:
    """1 - observed / expected disagreement of each sample; NaN where nothing else was to be expected.

    Args:
        counts: Units of each pattern, ``(samples, patterns)``.
        tables: Coincidences of one unit of each, ``(patterns, levels, levels)``.
        levels: The values, rising.
        metric: Of the differences.
    """
    flat: Floats = counts @ tables.reshape(len(tables), -1)
    coincidences = flat.reshape(-1, len(levels), len(levels))
    given: Floats = coincidences.sum(axis=2)
    differences = _differences(given, np.array(levels, dtype=np.float64), metric)
    expected: Floats = (given[:, :, None] * given[:, None, :] * differences).sum(axis=(1, 2))
    observed: Floats = (coincidences * differences).sum(axis=(1, 2))
    ratio = np.full(len(counts), np.nan)
    np.divide((given.sum(axis=1) - 1) * observed, expected, out=ratio, where=expected > 0)
    return 1 - ratio


def _differences(given: Floats, levels: Floats, metric: Metric) -> Floats:
    """Differences of all levels, for each sample or the same for all."""
    if metric is Metric.NOMINAL:
        return 1 - np.eye(len(levels))[None]
    if metric is Metric.INTERVAL:
        return ((levels[:, None] - levels[None, :]) ** 2)[None]
    # The number of values from c to k, the two ends by half, is a difference of ranks.
    middle: Floats = np.cumsum(given, axis=1) - given / 2
    return (middle[:, :, None] - middle[:, None, :]) ** 2
