"""Draws a scatter chart with labels as SVG (text) or PNG, without a plotting library."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

KINDS = (".svg", ".png")
_WIDTH, _HEIGHT = 900, 620
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 30, 50, 70
_INK, _GRID, _MUTED, _INTERVAL = "#222222", "#dddddd", "#666666", "#2f6690"
_LEFT_OF_NAMES, _ROW = 260, 34


@dataclass(frozen=True, slots=True)
class Point:
    """One labelled point; ``strong`` ones are drawn in colour and in front."""

    x: float
    y: float
    label: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Interval:
    """One value with the bounds of its interval, where there is one."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    start: tuple[float, float]
    end: tuple[float, float]
    colour: str


@dataclass(frozen=True, slots=True)
class _Dot:
    centre: tuple[float, float]
    radius: float
    colour: str


@dataclass(frozen=True, slots=True)
class _Text:
    place: tuple[float, float]
    text: str
    size: int
    colour: str
    anchor: str = "start"


_Mark = _Line | _Dot | _Text


def check_kind(file: Path) -> None:
    """Refuse a file that can't be written.

    Raises:
        ValueError: Its name does not end in one of ``KINDS``.
    """
    if file.suffix.lower() not in KINDS:
        msg = f"{file.name}: a plot's name must end in {' or '.join(KINDS)}"
        raise ValueError(msg)


def write_scatter(file: Path, points: Sequence[Point], title: str, x_name: str, y_name: str) -> None:
    """Draw points.

    Args:
        file: Where to; the name's end decides on SVG or PNG.
        points: What to draw, at least one.
        title: Above the chart.
        x_name: Below it.
        y_name: Over the vertical axis.

    Raises:
        ValueError: The file's name has another end.
    """
    check_kind(file)
    marks = _marks(points, title, x_name, y_name)
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix.lower() == ".svg":
        file.write_text(_svg(marks, title), encoding="utf-8")
    else:
        _write_png(file, marks)


def scatter_svg(points: Sequence[Point], title: str, x_name: str, y_name: str) -> str:
    """The chart of :func:`write_scatter` as SVG text, to stand in a page."""
    return _svg(_marks(points, title, x_name, y_name), title)


def interval_svg(rows: Sequence[Interval], title: str, x_name: str) -> str:
    """One line a row with its value and its interval, as SVG text.

    Args:
        rows: What to draw, at least one, from top to bottom.
        title: Above the chart.
        x_name: Below it.
    """
    values = [bound for row in rows for bound in (row.value, row.low, row.high) if bound is not None]
    xs = _ticks(values)
    left, right, bottom = _LEFT_OF_NAMES, _WIDTH - _RIGHT, _TOP + _ROW * len(rows)

    def across(value: float) -> float:
        return left + (value - xs[0]) / (xs[-1] - xs[0]) * (right - left)

    marks: list[_Mark] = [_Text((20, 28), title, 17, _INK)]
    marks.append(_Text(((left + right) / 2, bottom + 42), x_name, 12, _MUTED, "middle"))
    for value in xs:
        marks.append(_Line((across(value), _TOP), (across(value), bottom), _GRID))
        marks.append(_Text((across(value), bottom + 18), f"{value:g}", 11, _MUTED, "middle"))
    for number, row in enumerate(rows):
        height = _TOP + _ROW * (number + 0.5)
        marks.append(_Text((left - 12, height + 4), row.label, 12, _INK, "end"))
        if row.low is not None and row.high is not None:
            marks.append(_Line((across(row.low), height), (across(row.high), height), _INTERVAL))
        marks.append(_Dot((across(row.value), height), 5, _INTERVAL))
    return _svg(marks, title, bottom + 60)


def _marks(points: Sequence[Point], title: str, x_name: str, y_name: str) -> list[_Mark]:
    xs, ys = _ticks([p.x for p in points]), _ticks([p.y for p in points])
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT

    def across(value: float) -> float:
        return _LEFT + (value - xs[0]) / (xs[-1] - xs[0]) * (right - _LEFT)

    def up(value: float) -> float:
        return bottom - (value - ys[0]) / (ys[-1] - ys[0]) * (bottom - _TOP)

    marks: list[_Mark] = [_Text((_LEFT, 28), title, 17, _INK), _Text((_LEFT, 45), y_name, 12, _MUTED)]
    marks.append(_Text(((_LEFT + right) / 2, _HEIGHT - 22), x_name, 12, _MUTED, "middle"))
    for value in xs:
        marks.append(_Line((across(value), _TOP), (across(value), bottom), _GRID))
        marks.append(_Text((across(value), bottom + 18), f"{value:.2f}", 11, _MUTED, "middle"))
    for value in ys:
        marks.append(_Line((_LEFT, up(value)), (right, up(value)), _GRID))
        marks.append(_Text((_LEFT - 8, up(value) + 4), f"{value:.1f}", 11, _MUTED, "end"))
    for point in sorted(points, key=lambda p: p.strong):
        place, colour = (across(point.x), up(point.y)), "#b3401f" if point.strong else "#5f7f95"
        marks.append(_Dot(place, 6 if point.strong else 4, colour))
        end = place[0] > right - 150
        beside = (place[0] + (-9 if end else 9), place[1] + 4)
        marks.append(
            _Text(beside, point.label, 12 if point.strong else 10, colour, "end" if end else "start")
        )
    return marks


def _ticks(values: Sequence[float]) -> list[float]:
    """Round numbers around the values, at least two."""
    low, high = min(values), max(values)
    rough = max(high - low, 0.01) / 5
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _svg(marks: Sequence[_Mark], title: str, height: float = _HEIGHT) -> str:
    body = "\n".join(_svg_mark(mark) for mark in marks)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:g}" role="img"'
        f' font-family="sans-serif"><title>{escape(title)}</title>\n'
        f'<rect width="{_WIDTH}" height="{height:g}" fill="white"/>\n{body}\n</svg>\n'
    )


def _svg_mark(mark: _Mark) -> str:
    if isinstance(mark, _Line):
        (x1, y1), (x2, y2) = mark.start, mark.end
        return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{mark.colour}"/>'
    if isinstance(mark, _Dot):
        x, y = mark.centre
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius}" fill="{mark.colour}"/>'
    x, y = mark.place
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{mark.size}" fill="{mark.colour}"'
        f' text-anchor="{mark.anchor}">{escape(mark.text)}</text>'
    )


def _write_png(file: Path, marks: Sequence[_Mark]) -> None:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    anchors = {"start": "ls", "middle": "ms", "end": "rs"}
    for mark in marks:
        if isinstance(mark, _Line):
            draw.line([mark.start, mark.end], fill=mark.colour)
        elif isinstance(mark, _Dot):
            draw.circle(mark.centre, mark.radius, fill=mark.colour)
        else:
            font = ImageFont.load_default(mark.size)
            draw.text(mark.place, mark.text, mark.colour, font, anchor=anchors[mark.anchor])
    image.save(file)
