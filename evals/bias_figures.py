"""How much a judge's grades follow length, and its choices the order in which it sees two texts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from evals.agreement_figures import spearman


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A pair that was compared in both orders.

    Attributes:
        a_first: 1 for a, 0 for b, 0.5 for neither, with a in front.
        b_first: The same with b in front.
        a_length: Characters of a.
        b_length: Characters of b.
    """

    a_first: tuple[float, ...]
    b_first: tuple[float, ...]
    a_length: int
    b_length: int


def partial_spearman(x: Sequence[float], y: Sequence[float], given: Sequence[float]) -> float | None:
    """Rank correlation of x and y with ``given`` held fixed (first-order partial correlation of the ranks).

    ``(r_xy − r_xz r_yz) / sqrt((1 − r_xz²)(1 − r_yz²))``; ``None`` where a side is constant or follows
    ``given`` without exception.
    """
    pairs = [
        spearman(np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64))
        for one, two in ((x, y), (x, given), (y, given))
    ]
    xy, xz, yz = pairs
    if xy is None or xz is None or yz is None:
        return None
    rest = (1 - xz**2) * (1 - yz**2)
    return None if rest <= 1e-12 else (xy - xz * yz) / math.sqrt(rest)


def length_bias(rows: Sequence[tuple[float, float, float]]) -> dict[str, Any]:
    """Correlations with length.

    Args:
        rows: Length, the judge's grade, the reference rating.

    Returns:
        ``n``; ``spearman`` of length and grade, ``reference`` of length and rating, ``partial`` of length and
        grade with the rating held fixed. ``None`` where not defined.
    """
    if len(rows) < 3:
        return {"n": len(rows), "spearman": None, "reference": None, "partial": None}
    lengths, grades, ratings = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    return {
        "n": len(rows),
        "spearman": _rounded(spearman(lengths, grades)),
        "reference": _rounded(spearman(lengths, ratings)),
        "partial": _rounded(partial_spearman(lengths.tolist(), grades.tolist(), ratings.tolist())),
    }


def order_bias(pairs: Sequence[ComparedPair]) -> dict[str, Any]:
    """What order does to choices.

    Returns:
        ``answered`` pairs (both orders); ``same_in_both_orders``, their share; ``first_share``, how much the
        text in front was preferred (0.5 without bias); ``p_value`` of an exact two-sided binomial test over
        the pairs whose winner changed with the order; ``longer_share``, how much the longer text was
        preferred over both orders.
    """
    both = [
        (float(np.mean(pair.a_first)), float(np.mean(pair.b_first)), pair)
        for pair in pairs
        if pair.a_first and pair.b_first
    ]
    result: dict[str, Any] = {"asked": len(pairs), "answered": len(both)}
    if not both:
        return result
    to_first = [a for a, _, _ in both] + [1 - b for _, b, _ in both]
    front = sum(a > b for a, b, _ in both)
    back = sum(a < b for a, b, _ in both)
    test: Any = binomtest(front, front + back) if front + back else None
    longer = [
        (a + b) / 2 if pair.a_length > pair.b_length else 1 - (a + b) / 2
        for a, b, pair in both
        if pair.a_length != pair.b_length
    ]
    return result | {
        "same_in_both_orders": _rounded(1 - (front + back) / len(both)),
        "first_share": _rounded(np.mean(to_first)),
        "changed_to_first": front,
        "changed_to_second": back,
        "p_value": None if test is None else float(f"{test.pvalue:.3g}"),
        "longer_share": _rounded(np.mean(longer)) if longer else None,
    }


def _rounded(value: Any) -> float | None:
    return None if value is None else round(float(value), 4)
