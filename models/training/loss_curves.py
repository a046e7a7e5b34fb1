"""Draws lines over training steps as SVG text, without a plotting library."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

Curve = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 900, 480, 70, 190, 50, 50
_COLOURS = ("#b3401f", "#1f6fb3", "#2e8b57", "#8a5fb0", "#b08a00", "#444444", "#c05a8a", "#4aa0a0")
_TICKS = 5


def write_curves(file: Path, curves: Mapping[str, Curve], title: str, y_name: str) -> None:
    """Draw one line for each name.

    Args:
        file: An SVG file.
        curves: Points (step, value) by name; at least one point in all.
        title: Above the chart.
        y_name: What the values are, with their unit.

    Raises:
        ValueError: There is no point.
    """
    points = [point for curve in curves.values() for point in curve]
    if not points:
        raise ValueError("nothing to draw")
    x_range, y_range = _range([x for x, _ in points]), _range([y for _, y in points])

    def place(point: tuple[float, float]) -> tuple[float, float]:
        across = _share(point[0], x_range) * (_WIDTH - _LEFT - _RIGHT)
        up = _share(point[1], y_range) * (_HEIGHT - _TOP - _BOTTOM)
        return _LEFT + across, _HEIGHT - _BOTTOM - up

    marks = [_text(_LEFT, 24, title, 17), _text(_LEFT, 42, y_name, 12)]
    marks.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 10, "step", 12))
    for number in range(_TICKS + 1):
        x = x_range[0] + (x_range[1] - x_range[0]) * number / _TICKS
        y = y_range[0] + (y_range[1] - y_range[0]) * number / _TICKS
        left, up = place((x, y))
        marks.append(f'<path d="M{_LEFT} {up:.1f}H{_WIDTH - _RIGHT}" stroke="#dddddd"/>')
        marks.append(_text(_LEFT - 8, up + 4, f"{y:.3g}", 11, "end"))
        marks.append(_text(left, _HEIGHT - _BOTTOM + 16, f"{x:.0f}", 11, "middle"))
    for number, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, curve))
        marks.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        marks.append(_text(_WIDTH - _RIGHT + 12, _TOP + 18 * number + 8, name, 12, colour=colour))
    body = "\n".join(marks)
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' font-family="sans-serif"><title>{escape(title)}</title>\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n{body}\n</svg>\n',
        encoding="utf-8",
    )


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _share(value: float, ends: tuple[float, float]) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])


def _text(x: float, y: float, text: str, size: int, anchor: str = "start", colour: str = "#222222") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"'
        f' text-anchor="{anchor}">{escape(text)}</text>'
    )
