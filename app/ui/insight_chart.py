"""Line plots as inline SVG: no script, the same colours in light and dark, and read aloud by their title."""

import math
from collections.abc import Iterator, Sequence
from html import escape

_WIDTH, _HEIGHT = 400, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 6, 8, 20
_MANY = 40
_STEPS = (1, 2, 5)


def line_plot(
    title: str,
    bins: Sequence[str],
    lines: Sequence[Sequence[float | None]],
    *,
    low: float = 0.0,
    high: float = 0.0,
) -> str:
    """An SVG with a line for each series; a missing value is a gap.

    Args:
        title: What a screen reader says; the numbers are in the table beside the plot.
        bins: Labels of the x axis.
        lines: One value for each bin, or ``None``.
        low: Bottom of the y axis.
        high: Top of the y axis; 0 takes a round number above the largest value.
    """
    largest = max((value for line in lines for value in line if value is not None), default=0.0)
    top = high or _round_up(largest)
    scale = _Scale(len(bins), low, top)
    drawn = "".join(_line(number, line, scale) for number, line in enumerate(lines))
    return (
        f"<svg class='hk-plot' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{escape(title)}'>"
        f"{_grid(low, top, scale)}{_dates(bins, scale)}{drawn}</svg>"
    )


class _Scale:
    """Where a bin and a value lie in the picture."""

    def __init__(self, bins: int, low: float, top: float) -> None:
        self.bins, self._low, self._top = bins, low, top

    def x(self, index: int) -> float:
        room = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + room * (index / (self.bins - 1) if self.bins > 1 else 0.5), 1)

    def y(self, value: float) -> float:
        room = _HEIGHT - _TOP - _BOTTOM
        share = (value - self._low) / (self._top - self._low)
        return round(_HEIGHT - _BOTTOM - room * min(max(share, 0.0), 1.0), 1)


def _line(number: int, values: Sequence[float | None], scale: _Scale) -> str:
    parts: list[str] = []
    for start, run in _runs(values):
        points = [(scale.x(start + place), scale.y(value)) for place, value in enumerate(run)]
        if len(points) > 1:
            parts.append(f"<polyline points='{' '.join(f'{x},{y}' for x, y in points)}'/>")
        if len(points) == 1 or scale.bins <= _MANY:
            parts += [f"<circle cx='{x}' cy='{y}' r='2.2'/>" for x, y in points]
    return f"<g class='hk-line hk-line-{number % 4}'>{''.join(parts)}</g>"


def _runs(values: Sequence[float | None]) -> Iterator[tuple[int, list[float]]]:
    """Stretches without a gap, with the index at which each starts."""
    run: list[float] = []
    for index, value in enumerate(values):
        if value is not None:
            run.append(value)
        elif run:
            yield index - len(run), run
            run = []
    if run:
        yield len(values) - len(run), run


def _grid(low: float, top: float, scale: _Scale) -> str:
    marks = (low, (low + top) / 2, top)
    return "".join(
        f"<path class='hk-grid' d='M{_LEFT} {scale.y(mark)}H{_WIDTH - _RIGHT}'/>"
        f"<text x='{_LEFT - 5}' y='{scale.y(mark) + 4}' text-anchor='end'>{mark:g}</text>"
        for mark in marks
    )


def _dates(bins: Sequence[str], scale: _Scale) -> str:
    ends = {0: "start", len(bins) // 2: "middle", len(bins) - 1: "end"} if len(bins) > 2 else {0: "start"}
    return "".join(
        f"<text x='{scale.x(index)}' y='{_HEIGHT - 5}' text-anchor='{anchor}'>{escape(bins[index])}</text>"
        for index, anchor in ends.items()
    )


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, … whose half is a plain number too."""
    if value <= 0:
        return 2.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (*_STEPS, 10) if power * step >= value)
