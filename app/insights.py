"""Turns masked cells into what the insights page and its files show: panels with lines and rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from app.db.insights_read import Choice
from app.db.insights_records import BY_WEEK, Cell, Figure, added, counted, quantile_s

NOTHING = "–"
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot; a value is ``None`` where there is nothing that may be shown.

    Attributes:
        key: Its name in the texts, within its figure.
        values: One for each bin.
        told: The same as staff read them; masked counts as ``<5`` or a range.
        total: The whole period, as staff read it.
    """

    key: str
    values: tuple[float | None, ...]
    told: tuple[str, ...]
    total: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One figure over the period.

    Attributes:
        bins: First day of each day or week, oldest first.
        weekly: Whether a bin is a week.
        lines: What is plotted, and the columns of the table.
        parts: Sums of the whole period by kind, the largest first; only for counts with kinds.
    """

    figure: Figure
    bins: tuple[str, ...]
    weekly: bool
    lines: tuple[Line, ...]
    parts: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of one model, one language, or all, as staff read them, by name."""

    name: str
    figures: dict[str, str]


def panels(cells: Sequence[Cell], choice: Choice, today: date, least_shown: int) -> list[Panel]:
    """A panel for each figure.

    Args:
        cells: Of ``InsightsRepository.over_time``.
        choice: What was asked for.
        today: Last day of the period.
        least_shown: k; counts below are masked.
    """
    return [
        _panel(figure, [cell for cell in cells if cell.figure is figure], choice, today, least_shown)
        for figure in Figure
    ]


def mean(cells: Iterable[Cell]) -> float | None:
    """Mean of a measure over all that may be shown."""
    known = list(cells)
    number = sum(cell.count for cell in known)
    return sum(cell.amount for cell in known) / number if number else None


def stickiness(cells: Iterable[Cell]) -> float | None:
    """P(tactic in turn i | tactic in turn i−1), mean over the tactics that occur."""
    by_tactic = _by(cells, lambda cell: cell.part).values()
    shares = [share for share in map(mean, by_tactic) if share is not None]
    return sum(shares) / len(shares) if shares else None


def latency_s(cells: Iterable[Cell], share: float) -> float | None:
    """A quantile of the seconds that a reply took."""
    buckets: dict[int, int] = {}
    for cell in cells:
        buckets[int(cell.part)] = buckets.get(int(cell.part), 0) + cell.count
    return quantile_s(buckets, share)


def line_of(figure: Figure, part: str) -> str:
    """The line that a kind belongs to: of thumbs each kind, of reasons who gave them, of risk the level."""
    if figure in (Figure.THUMBS, Figure.REPLIES):
        return part
    return part.partition(".")[0] if figure in (Figure.REASONS, Figure.RISK) else "all"


def summaries(cells: Sequence[Cell], least_shown: int) -> tuple[Summary, list[Summary], list[Summary]]:
    """All together, then by model, then by language.

    Args:
        cells: Of ``InsightsRepository.by_model_and_language``.
        least_shown: k; counts below are masked.
    """
    models = _by(cells, lambda cell: cell.model)
    languages = _by(cells, lambda cell: cell.language)
    return (
        Summary("", _summary(cells, least_shown)),
        [Summary(name, _summary(models[name], least_shown)) for name in sorted(models)],
        [Summary(name, _summary(languages[name], least_shown)) for name in sorted(languages)],
    )


def told(value: float | None, figure: Figure) -> str:
    """A measure as staff read it; seconds without their unit, which is a word of the reader's language."""
    if value is None:
        return NOTHING
    return f"{value:.1f}" if figure is Figure.LATENCY else f"{value:.2f}"


def _summary(cells: Sequence[Cell], least_shown: int) -> dict[str, str]:
    of = _by(cells, lambda cell: cell.figure)

    def number(figure: Figure, *parts: str) -> str:
        found = [cell for cell in of.get(figure, []) if not parts or cell.part in parts]
        return counted(added(found), least_shown) if found else "0"

    return {
        "conversations": number(Figure.CONVERSATIONS),
        "replies": number(Figure.REPLIES),
        "fallbacks": number(Figure.REPLIES, "fallback"),
        "blocked": number(Figure.BLOCKED),
        "up": number(Figure.THUMBS, "person.up"),
        "down": number(Figure.THUMBS, "person.down"),
        "quality": told(mean(of.get(Figure.QUALITY, [])), Figure.QUALITY),
        "stickiness": told(stickiness(of.get(Figure.STICKINESS, [])), Figure.STICKINESS),
        "median": told(latency_s(of.get(Figure.LATENCY, []), 0.5), Figure.LATENCY),
        "slow": told(latency_s(of.get(Figure.LATENCY, []), 0.95), Figure.LATENCY),
    }


def _panel(figure: Figure, cells: list[Cell], choice: Choice, today: date, least_shown: int) -> Panel:
    weekly = figure in BY_WEEK or choice.binned_by_week()
    bins = _bins(cells, choice, today, weekly)
    if figure in (Figure.QUALITY, Figure.STICKINESS):
        value = mean if figure is Figure.QUALITY else stickiness
        lines = [_measured("all", figure, cells, bins, value)]
    elif figure is Figure.LATENCY:
        lines = [
            _measured("median", figure, cells, bins, lambda found: latency_s(found, 0.5)),
            _measured("slow", figure, cells, bins, lambda found: latency_s(found, 0.95)),
        ]
    else:
        by_line = _by(cells, lambda cell: line_of(figure, cell.part)) or {"all": []}
        lines = [_counts(key, by_line[key], bins, least_shown) for key in sorted(by_line)]
        parts = _by(cells, lambda cell: cell.part)
        sums = [added(found, part=part) for part, found in parts.items() if part]
        ordered = sorted(sums, key=lambda cell: (-cell.count, -cell.masked, cell.part))
        return Panel(figure, bins, weekly, tuple(lines), tuple(ordered))
    return Panel(figure, bins, weekly, tuple(lines), ())


def _counts(key: str, cells: list[Cell], bins: tuple[str, ...], least_shown: int) -> Line:
    by_bin = _by(cells, lambda cell: cell.bin)
    sums = [added(by_bin[at]) if at in by_bin else None for at in bins]
    return Line(
        key,
        # What is masked and nothing else has no place in a plot: any would be a guess.
        tuple(
            None if cell and cell.masked and not cell.count else (cell.count if cell else 0.0)
            for cell in sums
        ),
        tuple("0" if cell is None else counted(cell, least_shown) for cell in sums),
        counted(added(cells), least_shown) if cells else "0",
    )


def _measured(
    key: str,
    figure: Figure,
    cells: list[Cell],
    bins: tuple[str, ...],
    measure: Callable[[Iterable[Cell]], float | None],
) -> Line:
    by_bin = _by(cells, lambda cell: cell.bin)
    values = tuple(measure(by_bin.get(at, [])) for at in bins)
    return Line(key, values, tuple(told(value, figure) for value in values), told(measure(cells), figure))


def _bins(cells: Sequence[Cell], choice: Choice, today: date, weekly: bool) -> tuple[str, ...]:
    """Every day or Monday of the period, without those before the first figure of all time."""
    first = choice.first_day(today)
    if choice.days is None:
        first = min((date.fromisoformat(cell.bin) for cell in cells), default=today)
    if weekly:
        first -= timedelta(days=first.weekday())
    step = timedelta(days=7 if weekly else 1)
    return tuple((first + step * number).isoformat() for number in range((today - first) // step + 1))


def _by(cells: Iterable[Cell], key: Callable[[Cell], _Key]) -> dict[_Key, list[Cell]]:
    groups: dict[_Key, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return groups
