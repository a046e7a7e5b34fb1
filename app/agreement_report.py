"""Agreement of staff by measure and month, and the replies that they disagree on most."""

import heapq
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count

from app.agreement import Agreement, Metric, Pattern, agreement
from app.db.export_records import ExportFilter, RatingLine
from app.db.measures import MEASURES, TACTIC
from app.db.rating_exports import RatingExportRepository

THUMBS = "thumbs"
WHOLE = "all"
"""Name of the whole period beside the months in it."""
_SCALE = 4
"""Largest distance on a scale from 1 to 5."""


@dataclass(frozen=True, slots=True)
class MeasureAgreement:
    """Agreement on one measure in one period (``all`` or a month ``YYYY-MM``)."""

    period: str
    measure: str
    metric: Metric
    raters: int
    found: Agreement


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A reply that staff judge differently.

    Attributes:
        size: Mean over its measures of the mean difference of two raters: 0 is none, 1 the largest.
        values: What was said, by measure on which raters differ.
    """

    session_id: str
    message_id: str
    raters: int
    size: float
    values: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The whole, and the replies with the largest disagreement, largest first."""

    measures: tuple[MeasureAgreement, ...]
    disagreements: tuple[Disagreement, ...]


def metric_of(measure: str) -> Metric:
    """Thumbs and tactics are there or not; scales have an order."""
    return Metric.NOMINAL if measure == THUMBS or measure in TACTIC else Metric.ORDINAL


async def agreement_report(
    ratings: RatingExportRepository, asked: ExportFilter, most: int = 50
) -> AgreementReport:
    """Read the ratings of staff, a batch at a time, and sum them up.

    Args:
        ratings: Where they are.
        asked: Filters; only staff count in any case.
        most: Length of the list of disagreements.
    """
    sums = _Sums(most)
    pages = ratings.ratings(replace(asked, staff_only=True))
    async for lines in _by_reply(pages):
        sums.add(lines)
    return sums.report()


async def _by_reply(pages: AsyncIterator[Sequence[RatingLine]]) -> AsyncIterator[list[RatingLine]]:
    """Lines of one reply at a time; they come in the order of replies."""
    held: list[RatingLine] = []
    async for page in pages:
        for line in page:
            if held and held[0].message_id != line.message_id:
                yield held
                held = []
            held.append(line)
    if held:
        yield held


class _Sums:
    def __init__(self, most: int) -> None:
        self._most = most
        self._patterns: defaultdict[tuple[str, str], Counter[Pattern]] = defaultdict(Counter)
        self._raters: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._worst: list[tuple[float, int, Disagreement]] = []
        self._order = count()

    def add(self, lines: Sequence[RatingLine]) -> None:
        """Count one reply."""
        month = f"{max(line.rated_at for line in lines):%Y-%m}"
        said = dict(_by_measure(lines))
        for measure, by_rater in said.items():
            for key in ((WHOLE, measure), (month, measure)):
                self._patterns[key][tuple(sorted(by_rater.values()))] += 1
                self._raters[key] |= by_rater.keys()
        found = _disagreement(lines, said)
        if found is None:
            return
        heapq.heappush(self._worst, (found.size, -next(self._order), found))
        if len(self._worst) > self._most:
            heapq.heappop(self._worst)

    def report(self) -> AgreementReport:
        """What was found."""
        rank = {measure: place for place, measure in enumerate((THUMBS, *MEASURES))}
        keys = sorted(self._patterns, key=lambda key: (key[0] != WHOLE, key[0], rank[key[1]]))
        measures = [
            MeasureAgreement(
                period,
                measure,
                metric_of(measure),
                len(self._raters[period, measure]),
                agreement(self._patterns[period, measure], metric_of(measure)),
            )
            for period, measure in keys
        ]
        worst = sorted(self._worst, key=lambda entry: entry[:2], reverse=True)
        return AgreementReport(tuple(measures), tuple(found for _, _, found in worst))


def _by_measure(lines: Sequence[RatingLine]) -> Iterator[tuple[str, dict[str, int]]]:
    """Values by rater of each measure that two or more raters judged."""
    said: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in lines:
        if line.value is not None:
            said[THUMBS][line.rater] = line.value
        for measure, value in line.scores.items():
            said[measure][line.rater] = value
    return ((measure, by_rater) for measure, by_rater in said.items() if len(by_rater) > 1)


def _disagreement(lines: Sequence[RatingLine], said: Mapping[str, Mapping[str, int]]) -> Disagreement | None:
    sizes = {measure: _difference(measure, list(by_rater.values())) for measure, by_rater in said.items()}
    if not any(sizes.values()):
        return None
    return Disagreement(
        session_id=lines[0].session_id,
        message_id=lines[0].message_id,
        raters=len({rater for by_rater in said.values() for rater in by_rater}),
        size=sum(sizes.values()) / len(sizes),
        values={
            measure: tuple(sorted(by_rater.values())) for measure, by_rater in said.items() if sizes[measure]
        },
    )


def _difference(measure: str, values: Sequence[int]) -> float:
    """Mean difference of two raters, from 0 to 1; squared on scales, as one far is worse than two near."""
    pairs = list(combinations(values, 2))
    if metric_of(measure) is Metric.NOMINAL:
        return sum(one != other for one, other in pairs) / len(pairs)
    return sum(((one - other) / _SCALE) ** 2 for one, other in pairs) / len(pairs)
