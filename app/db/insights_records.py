"""What insights are made of: the figures by name, how they are binned, and what a masked cell tells."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, repeat, takewhile
from operator import mul


class Figure(StrEnum):
    """A series of the insights page; the value is its name in the database, in addresses and in texts."""

    CONVERSATIONS = "conversations"
    PERSONS = "persons"
    REPLIES = "replies"
    QUALITY = "quality"
    STICKINESS = "stickiness"
    LATENCY = "latency"
    THUMBS = "thumbs"
    REASONS = "reasons"
    RISK = "risk"
    BLOCKED = "blocked"
    ERRORS = "errors"
    LAYERS = "layers"


MEASURED = frozenset({Figure.QUALITY, Figure.STICKINESS, Figure.LATENCY})
"""Figures that are a mean, a share or a percentile; all others are counts."""
BY_WEEK = frozenset(
    {Figure.THUMBS, Figure.REASONS, Figure.RISK, Figure.BLOCKED, Figure.ERRORS, Figure.LAYERS}
)
"""Rare events: a cell is a whole week, because most cells of a day would be masked."""
LATENCY_BOUNDS_S = tuple(
    round(bound, 4)
    for bound in takewhile(lambda bound: bound < 300, accumulate(repeat(1.2, 60), mul, initial=0.05))
)
"""Upper bounds in seconds of the bins by which latencies are counted; each is 1.2 times the one before."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A sum over base cells; a base cell is one day or week, part, model and language.

    Attributes:
        figure: The series.
        bin: First day of the day or week, ``YYYY-MM-DD``; empty for the whole period.
        part: Kind within the figure, such as ``person.up``; may be empty.
        model: Name of the checkpoint; empty where all are together.
        language: Language code; empty where all are together.
        count: Sum over the base cells that may be shown.
        amount: Sum of the measure over them, for figures of :data:`MEASURED`.
        masked: How many base cells have a basis between 1 and k − 1; nothing of them is in ``count``.
    """

    figure: Figure
    bin: str
    part: str
    model: str
    language: str
    count: int
    amount: float
    masked: int

    def at_least(self) -> int:
        """Smallest number this can be: a masked base cell holds one or more."""
        return self.count + self.masked

    def at_most(self, least_shown: int) -> int:
        """Largest number this can be, where base cells below ``least_shown`` are masked."""
        return self.count + self.masked * (least_shown - 1)


def counted(cell: Cell, least_shown: int) -> str:
    """A count as staff read it: ``12``, ``<5``, or a range such as ``14–20``."""
    if not cell.masked:
        return str(cell.count)
    if cell.count == 0 and cell.masked == 1:
        return f"<{least_shown}"
    low, high = cell.at_least(), cell.at_most(least_shown)
    return str(low) if low == high else f"{low}–{high}"


def added(cells: Iterable[Cell], **place: str) -> Cell:
    """The sum of cells of one figure.

    Args:
        cells: At least one.
        place: Values of ``bin``, ``part``, ``model`` or ``language`` of the sum; empty if not given.
    """
    known = list(cells)
    where = {"bin": "", "part": "", "model": "", "language": ""} | place
    return Cell(
        figure=known[0].figure,
        count=sum(cell.count for cell in known),
        amount=sum(cell.amount for cell in known),
        masked=sum(cell.masked for cell in known),
        **where,
    )


def quantile_s(buckets: dict[int, int], share: float) -> float | None:
    """A quantile of latencies counted by :data:`LATENCY_BOUNDS_S`, in seconds.

    Within a bin the values count as evenly spread, so the result is off by less than a fifth.

    Args:
        buckets: Number of values by index of their bin.
        share: For example 0.5 for the median.
    """
    wanted = share * sum(buckets.values())
    if wanted <= 0:
        return None
    seen = 0.0
    bounds = (0.0, *LATENCY_BOUNDS_S)
    for index in sorted(buckets):
        if seen + buckets[index] >= wanted:
            low = bounds[index]
            high = bounds[index + 1] if index + 1 < len(bounds) else low
            return low + (high - low) * (wanted - seen) / buckets[index]
        seen += buckets[index]
    return bounds[-1]
