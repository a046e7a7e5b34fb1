"""Pieces of a page of HTML that holds everything it shows and loads nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { line-height: 1.2 } h2 { margin: 2.2rem 0 .3rem; border-top: 2px solid #222; padding-top: .6rem }
h3 { margin: 1.2rem 0 .3rem; font-size: 1rem }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem }
.scroll { overflow-x: auto; border-right: 1px dotted #bbb }
.bars { display: grid; grid-template-columns: minmax(8rem, 17rem) 1fr 12rem; gap: .35rem .8rem;
  align-items: center; font-variant-numeric: tabular-nums }
.track { position: relative; height: 1rem; border-bottom: 1px solid #bbb; print-color-adjust: exact }
.range { position: absolute; top: .4rem; height: .2rem; min-width: 1px; background: #8fb3d0 }
.dot { position: absolute; top: .2rem; width: .6rem; height: .6rem; margin-left: -.3rem; border-radius: 50%;
  background: #1d4e79 }
.scale { display: flex; justify-content: space-between; color: #595959; font-size: .8rem }
.note, .missing { border-left: 4px solid #b3401f; padding-left: .7rem }
details dl, dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem }
dd { margin: 0 }
nav ul { padding-left: 1.2rem }
@media (max-width: 40rem) {
  body { margin: 1rem auto }
  .bars { grid-template-columns: 1fr 10.5rem; gap: .1rem .6rem }
  .bars .name { grid-column: 1 / -1; margin-top: .4rem; font-weight: 600 }
  .bars .end { display: none }
}
@media print {
  body { font-size: 11px; margin: 0; max-width: none }
  table, .bars, h2, h3 { break-inside: avoid } h2, h3 { break-after: avoid }
  .scroll { overflow: visible } th, td { padding: .1rem .35rem }
}
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a plot: a value with its interval, where there is one."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def page(title: str, parts: Sequence[str]) -> str:
    """A whole page in English."""
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>\n<h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph; ``kind`` is its class."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that scrolls sideways on a narrow screen; nothing without rows."""
    if not rows:
        return ""
    titles = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def bars(title: str, rows: Sequence[Bar], digits: int = 2) -> str:
    """A plot of values with intervals that keeps its text at reading size; nothing without rows."""
    if not rows:
        return ""
    bounds = [v for row in rows for v in (row.value, row.low, row.high) if v is not None]
    low, high = min(bounds), max(bounds)
    margin = (high - low or abs(high) or 1.0) * 0.06
    low, high = low - margin, high + margin
    lines = "".join(_bar(row, low, high, digits) for row in rows)
    scale = f'<span class="scale"><span>{low:.{digits}f}</span><span>{high:.{digits}f}</span></span>'
    ends = f'<span class="end"></span>{scale}<span></span>'
    return f'<h3>{escape(title)}</h3><div class="bars" role="list">{lines}{ends}</div>'


def number(value: Any, digits: int = 2) -> str:
    """A number, or a dash for none."""
    return "–" if value is None or value != value else f"{value:.{digits}f}"


def bounded(row: Mapping[str, Any], digits: int = 2, mean: str = "mean") -> str:
    """``mean [low, high]``."""
    if row.get("low") is None or row.get("high") is None:
        return number(row[mean], digits)
    return f"{number(row[mean], digits)} [{number(row['low'], digits)}, {number(row['high'], digits)}]"


def provenance_list(about: Mapping[str, Any]) -> str:
    """Command, revision, date, data and machine, folded away on the screen."""
    machine: Mapping[str, Any] = about.get("machine") or {}
    facts = {
        "command": about.get("command"),
        "date": about.get("date"),
        "revision": about.get("revision"),
        "data": about.get("data"),
        "seed": about.get("seed"),
        "machine": ", ".join(str(machine[key]) for key in ("cpu", "cores", "python") if key in machine),
    }
    lines = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>"
        for name, value in facts.items()
        if value not in (None, "")
    )
    return f"<details><summary>Where this comes from</summary><dl>{lines}</dl></details>" if lines else ""


def _bar(row: Bar, low: float, high: float, digits: int) -> str:
    def place(value: float) -> float:
        return 100 * (value - low) / (high - low)

    drawn, told = "", f"{row.value:.{digits}f}"
    if row.low is not None and row.high is not None:
        start, end = place(row.low), place(row.high)
        drawn = f'<span class="range" style="left:{start:.1f}%;width:{end - start:.1f}%"></span>'
        told += f" [{row.low:.{digits}f}, {row.high:.{digits}f}]"
    drawn += f'<span class="dot" style="left:{place(row.value):.1f}%"></span>'
    return (
        f'<span class="name" role="listitem">{escape(row.name)}</span>'
        f'<span class="track" aria-hidden="true">{drawn}</span><span>{told}</span>'
    )
