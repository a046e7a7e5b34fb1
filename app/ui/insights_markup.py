"""HTML of the insights page: a card for each figure with its plot, its tables and a link to its file."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from urllib.parse import urlencode

from app.db.insights_flags import ResponseTimes, Waiting
from app.db.insights_read import Choice
from app.db.insights_records import Cell, Figure, counted
from app.insights import NOTHING, Line, Panel, Summary
from app.ui.insight_chart import line_plot
from app.ui.texts import Texts
from safety.levels import RiskLevel

FILES = "/api/staff/insights"
RESPONSES = "responses"
"""Name of the response times in addresses; all other names are those of :class:`Figure`."""
_RANGES = {Figure.QUALITY: (1.0, 5.0), Figure.STICKINESS: (0.0, 1.0)}
_MINUTE, _HOUR = 60, 3600
_TIMES = frozenset({"median", "slow"})
"""Columns of the summary that hold seconds."""
_CODES = frozenset({Figure.BLOCKED, Figure.ERRORS})
"""Their kinds are codes of the program, the same in every language and in the logs."""


def summary_table(
    everything: Summary, models: Sequence[Summary], languages: Sequence[Summary], texts: Texts
) -> str:
    """The period in one table: all, each model, each language."""
    names = list(everything.figures)
    languages = [replace(row, name=language_name(row.name, texts)) for row in languages]
    everything, models, languages = (
        _in_seconds(everything, texts),
        [_in_seconds(row, texts) for row in models],
        [_in_seconds(row, texts) for row in languages],
    )
    head = "".join(_column(texts(f"insights.column.{name}")) for name in names)
    groups = [
        (texts("insights.all"), [everything]),
        (texts("insights.by_model"), models),
        (texts("insights.by_language"), languages),
    ]
    body = "".join(_summary_group(title, rows, names) for title, rows in groups if rows)
    table = f"<thead><tr><td></td>{head}</tr></thead>{body}"
    return _card("summary", texts("insights.summary"), "", _scrolling(table, texts("insights.summary")))


def waiting_card(waiting: Waiting, texts: Texts) -> str:
    """What waits at this moment."""
    levels = [level for level in sorted(RiskLevel, reverse=True) if level in waiting.open_flags]
    flags = ", ".join(f"{texts(f'level.{level.label}')} {waiting.open_flags[level]}" for level in levels)
    facts = (
        (texts("insights.unanswered"), str(waiting.unanswered)),
        (texts("insights.open_flags"), flags or "0"),
    )
    rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return _card("waiting", texts("insights.waiting"), "", f"<dl class='hk-now'>{rows}</dl>")


def responses_card(rows: Sequence[ResponseTimes], choice: Choice, texts: Texts) -> str:
    """How fast reviewers were."""
    columns = ("flags", "done", "in_time", "late", "median_wait", "slow_wait")
    head = "".join(_column(texts(f"insights.column.{name}")) for name in columns)
    body = "".join(_response(row, texts) for row in rows)
    table = f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody>"
    inside = (
        _scrolling(table, texts("insights.responses"))
        if rows
        else f"<p>{escape(texts('insights.no_flags'))}</p>"
    )
    note = texts("insights.help.responses")
    return _card(
        RESPONSES, texts("insights.responses"), note, inside + _file(RESPONSES, choice, texts), wide=True
    )


def panel_card(panel: Panel, choice: Choice, least_shown: int, texts: Texts) -> str:
    """A figure over time."""
    figure = panel.figure
    title = texts(f"insights.figure.{figure.value}")
    low, high = _RANGES.get(figure, (0.0, 0.0))
    plot = line_plot(title, panel.bins, [line.values for line in panel.lines], low=low, high=high)
    inside = (
        plot
        + _legend(panel, texts)
        + _kinds(panel, least_shown, texts)
        + _over_time(panel, title, texts)
        + _file(figure.value, choice, texts)
    )
    return _card(figure.value, title, texts(f"insights.help.{figure.value}"), inside)


def duration(seconds: float | None, texts: Texts) -> str:
    """A wait in its largest unit, in words of the reader's language."""
    if seconds is None:
        return NOTHING
    if seconds >= 2 * _HOUR:
        return texts("age.hours", n=f"{seconds / _HOUR:.1f}")
    if seconds >= _MINUTE:
        return texts("age.minutes", n=f"{seconds / _MINUTE:.1f}")
    return texts("age.seconds", n=f"{seconds:.0f}")


def with_unit(told: str, texts: Texts) -> str:
    """Seconds that ``app.insights`` tells, with their unit."""
    return told if told == NOTHING else texts("age.seconds", n=told)


def kind_name(figure: Figure, part: str, texts: Texts) -> str:
    """What a kind is called."""
    if figure in _CODES:
        return part
    if texts.has(f"insights.line.{part}"):
        return texts(f"insights.line.{part}")
    first, _, second = part.partition(".")
    return f"{_word(first, texts)}: {_word(second, texts)}" if second else _word(first, texts)


def language_name(code: str, texts: Texts) -> str:
    """A language by its name, where there is one."""
    key = f"export.language_{code}"
    return texts(key) if texts.has(key) else code


def _in_seconds(row: Summary, texts: Texts) -> Summary:
    timed = {name: with_unit(told, texts) for name, told in row.figures.items() if name in _TIMES}
    return replace(row, figures={**row.figures, **timed})


def _of_line(told: str, panel: Panel, texts: Texts) -> str:
    return escape(with_unit(told, texts) if panel.figure is Figure.LATENCY else told)


def _word(name: str, texts: Texts) -> str:
    keys = (f"insights.line.{name}", f"level.{name}", f"category.{name}", f"reason.{name}", f"layer.{name}")
    return next((texts(key) for key in keys if texts.has(key)), name)


def _card(name: str, title: str, note: str, inside: str, *, wide: bool = False) -> str:
    classes = "hk-insight hk-wide" if wide or name in ("summary", "waiting") else "hk-insight"
    said = f"<p class='hk-help'>{escape(note)}</p>" if note else ""
    return (
        f"<section class='{classes}' id='hk-insight-{name}' aria-labelledby='hk-title-{name}'>"
        f"<h2 id='hk-title-{name}'>{escape(title)}</h2>{said}{inside}</section>"
    )


def _column(name: str) -> str:
    return f"<th scope='col'>{escape(name)}</th>"


def _scrolling(table: str, title: str) -> str:
    return (
        f"<div class='hk-scroll' tabindex='0' role='region' aria-label='{escape(title)}'>"
        f"<table>{table}</table></div>"
    )


def _summary_group(title: str, rows: Sequence[Summary], names: Sequence[str]) -> str:
    def line(row: Summary) -> str:
        cells = "".join(f"<td>{escape(row.figures[name])}</td>" for name in names)
        return f"<tr><th scope='row'>{escape(row.name or title)}</th>{cells}</tr>"

    head = f"<tr><th scope='rowgroup' colspan='{len(names) + 1}'>{escape(title)}</th></tr>"
    return f"<tbody>{head if rows[0].name else ''}{''.join(map(line, rows))}</tbody>"


def _response(row: ResponseTimes, texts: Texts) -> str:
    name = f"{texts(f'level.{row.level.label}')}: {texts(f'insights.step.{row.step.value}')}"
    late = f"<td class='hk-late'>{row.late}</td>" if row.late else "<td>0</td>"
    waits = "".join(f"<td>{escape(duration(wait, texts))}</td>" for wait in (row.median_s, row.slow_s))
    return (
        f"<tr><th scope='row'>{escape(name)}</th>"
        f"<td>{row.flags}</td><td>{row.done}</td><td>{row.in_time}</td>"
        f"{late}{waits}</tr>"
    )


def _legend(panel: Panel, texts: Texts) -> str:
    def entry(number: int, line: Line) -> str:
        name = "" if line.key == "all" else f"{kind_name(panel.figure, line.key, texts)} "
        return (
            f"<li><span class='hk-swatch hk-line-{number % 4}' aria-hidden='true'></span>"
            f"{escape(name)}<strong>{_of_line(line.total, panel, texts)}</strong></li>"
        )

    return f"<ul class='hk-legend'>{''.join(entry(n, line) for n, line in enumerate(panel.lines))}</ul>"


def _kinds(panel: Panel, least_shown: int, texts: Texts) -> str:
    """The sums by kind, where the lines do not tell them already."""
    if {cell.part for cell in panel.parts} <= {line.key for line in panel.lines}:
        return ""
    largest = max(cell.count for cell in panel.parts) or 1

    def row(cell: Cell) -> str:
        name = kind_name(panel.figure, cell.part, texts)
        width = round(100 * cell.count / largest)
        return (
            f"<tr><th scope='row'>{escape(name)}</th><td>{escape(counted(cell, least_shown))}</td>"
            f"<td class='hk-bar' aria-hidden='true'><span style='width:{width}%'></span></td></tr>"
        )

    title = texts("insights.by_kind")
    body = "".join(map(row, panel.parts))
    return f"<table class='hk-kinds'><caption>{escape(title)}</caption><tbody>{body}</tbody></table>"


def _over_time(panel: Panel, title: str, texts: Texts) -> str:
    first = texts("insights.week" if panel.weekly else "insights.day")
    names = [title if line.key == "all" else kind_name(panel.figure, line.key, texts) for line in panel.lines]
    head = "".join(map(_column, (first, *names)))

    def row(place: int) -> str:
        cells = "".join(f"<td>{_of_line(line.told[place], panel, texts)}</td>" for line in panel.lines)
        return f"<tr><th scope='row'>{panel.bins[place]}</th>{cells}</tr>"

    rows = "".join(map(row, reversed(range(len(panel.bins)))))
    table = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return (
        f"<details><summary>{escape(texts('insights.table'))}</summary>{_scrolling(table, title)}</details>"
    )


def _file(name: str, choice: Choice, texts: Texts) -> str:
    asked = {"days": choice.days, "model": choice.model, "language": choice.language}
    query = urlencode({key: value for key, value in asked.items() if value is not None})
    address = escape(f"{FILES}/{name}.csv?{query}")
    return f"<a class='hk-file' href='{address}' download>{escape(texts('insights.csv'))}</a>"
