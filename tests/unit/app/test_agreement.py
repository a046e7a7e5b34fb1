"""Alpha against the worked examples of Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agreement import Metric, agreement, patterns_of

# Section C/D of the paper (the data that R's irr::kripp.alpha ships as its example): 4 observers, 12 units.
MISSING = [
    (1, 1, 1),
    (2, 2, 3, 2),
    (3, 3, 3, 3),
    (3, 3, 3, 3),
    (2, 2, 2, 2),
    (1, 2, 3, 4),
    (4, 4, 4, 4),
    (1, 1, 2, 1),
    (2, 2, 2, 2),
    (5, 5, 5),
    (1, 1),
    (3,),
]
# Section A: binary data, two observers, ten units.
BINARY = list(zip((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0), strict=True))
# Section B: nominal data, two observers, twelve units.
NOMINAL = list(zip(map(ord, "aabbdcccedda"), map(ord, "babbbccced" + "dd"), strict=True))


@pytest.mark.parametrize(
    ("metric", "published"), [(Metric.NOMINAL, 0.743), (Metric.ORDINAL, 0.815), (Metric.INTERVAL, 0.849)]
)
def test_data_with_gaps_have_the_published_alpha(metric: Metric, published: float) -> None:
    found = agreement(patterns_of(MISSING), metric)
    assert found.alpha == pytest.approx(published, abs=0.0005)
    assert (found.units, found.values) == (11, 40)


def test_binary_data_have_the_published_alpha() -> None:
    assert agreement(patterns_of(BINARY), Metric.NOMINAL).alpha == pytest.approx(0.095, abs=0.0005)


def test_nominal_data_have_the_published_alpha() -> None:
    assert agreement(patterns_of(NOMINAL), Metric.NOMINAL).alpha == pytest.approx(0.692, abs=0.0005)


def test_perfect_agreement_is_one_with_an_interval_of_one_point() -> None:
    found = agreement(patterns_of([(1, 1)] * 20 + [(5, 5)] * 20), Metric.ORDINAL)
    assert (found.alpha, found.low, found.high) == (1, 1, 1)


def test_the_opposite_of_agreement_is_below_zero() -> None:
    found = agreement(patterns_of([(0, 1)] * 10), Metric.NOMINAL)
    assert found.alpha == pytest.approx(1 - 19 * 20 / 200)


@pytest.mark.parametrize("units", [[], [(1,), (2,)], [(3, 3), (3, 3)]])
def test_alpha_is_not_defined_without_pairs_or_variation(units: list[tuple[int, ...]]) -> None:
    found = agreement(patterns_of(units), Metric.ORDINAL)
    assert (found.alpha, found.low, found.high) == (None, None, None)


def test_the_interval_is_about_as_wide_as_theory_says() -> None:
    # 400 units by two raters, evenly split values, 10 % disagree: alpha is near 1 - 2p, whose standard
    # error is 2 sqrt(p (1 - p) / n) = 0.03, so the interval reaches 0.059 to each side.
    units = [(0, 0)] * 180 + [(1, 1)] * 180 + [(0, 1)] * 40
    found = agreement(patterns_of(units), Metric.NOMINAL)
    assert found.alpha is not None
    assert found.low is not None
    assert found.high is not None
    assert found.alpha == pytest.approx(0.8, abs=0.002)
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.03, rel=0.1)
    assert found.low < found.alpha < found.high


def test_the_same_data_have_the_same_interval_each_time() -> None:
    assert agreement(patterns_of(MISSING), Metric.ORDINAL) == agreement(patterns_of(MISSING), Metric.ORDINAL)


@given(st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=4), min_size=2, max_size=12))
def test_alpha_never_exceeds_one_and_ignores_the_order_of_raters(units: list[list[int]]) -> None:
    for metric in Metric:
        found = agreement(patterns_of(units), metric, resamples=50)
        assert found.alpha is None or found.alpha <= 1 + 1e-12
        assert found == agreement(patterns_of([unit[::-1] for unit in units]), metric, resamples=50)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=20))
def test_with_two_values_all_metrics_agree(units: list[tuple[int, int]]) -> None:
    first, *others = (agreement(patterns_of(units), metric, resamples=50).alpha for metric in Metric)
    assert all(other == pytest.approx(first) for other in others)
