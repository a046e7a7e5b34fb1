"""One page of HTML about a comparison of configurations; it holds its plots and loads nothing."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from evals.chart import Interval, Point, interval_svg, scatter_svg

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left }
.scroll { overflow-x: auto }
svg { max-width: 100%; height: auto }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem }
dd { margin: 0; overflow-wrap: anywhere }
"""
_HOW = (
    "Score: mean of the judges' grades (0–20) over the rubric's items, as 0–100; ± is the standard deviation "
    "over scenarios, brackets hold the middle 95 % of draws of scenarios. Elo: Bradley–Terry fit of "
    "comparisons that were asked in both orders, mean 1000. What a judge says is a model's opinion, "
    "not a measurement of help."
)


def report_html(results: Mapping[str, Any], about: Mapping[str, Any], note: str = "") -> str:
    """The page.

    Args:
        results: Of ``evals.scenario_figures.figures``.
        about: Provenance.
        note: A sentence on top, such as what the judge can't do.
    """
    rows: Mapping[str, Any] = results["configurations"]
    parts = [
        "<h1>Scenarios: configurations compared</h1>",
        f"<p><strong>{escape(note)}</strong></p>" if note else "",
        f"<p>{escape(_HOW)}</p>",
        *_plots(rows),
        _table("Configurations", _HEAD, [_row(name, row) for name, row in rows.items()]),
        _table("Mean grade by item, 0–20", ["configuration", *_items(rows)], _item_rows(rows)),
        _table("By language", ["configuration", "language", "scenarios", "score"], _language_rows(rows)),
        _table("Games", ["first", "second", "games", "won by first"], _game_rows(results["games"])),
        _table("Cost and failures of judges", _COST_HEAD, _cost_rows(results["cost"])),
        _provenance(about),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>Scenarios</title><style>{_STYLE}</style></head>\n<body><main>\n{body}\n</main></body></html>\n"
    )


_HEAD = [
    "configuration",
    "n",
    "re-ranking",
    "conversations",
    "score",
    "±",
    "Elo",
    "characters a reply",
    "written",
    "fallbacks",
    "failures",
]
_COST_HEAD = ["judge", "question", "asked", "without an answer", "failures", "prompt tokens", "answer tokens"]


def _plots(rows: Mapping[str, Any]) -> list[str]:
    scored = {name: row for name, row in rows.items() if row["score"]["mean"] is not None}
    if not scored:
        return ["<p>No conversation has a grade, so there is nothing to draw.</p>"]
    score = [
        Interval(name, r["score"]["mean"], r["score"]["low"], r["score"]["high"])
        for name, r in scored.items()
    ]
    found = [interval_svg(score, "Score", "0–100, 95 % interval")]
    played = {name: row for name, row in scored.items() if row["elo"]["games"]}
    if played:
        elo = [
            Interval(name, r["elo"]["elo"], r["elo"]["low"], r["elo"]["high"]) for name, r in played.items()
        ]
        found.append(interval_svg(elo, "Elo", "Elo, 95 % interval"))
        points = [
            Point(row["mean_reply_characters"], row["score"]["mean"], name, row["rerank"])
            for name, row in played.items()
        ]
        found.append(scatter_svg(points, "Score and length", "characters a reply", "score, 0–100"))
    return [f"<figure>{one}</figure>" for one in found]


def _row(name: str, row: Mapping[str, Any]) -> list[str]:
    return [
        name,
        str(row["n"]),
        "on" if row["rerank"] else "off",
        f"{row['conversations']}/{row['scenarios']}",
        _bounded(row["score"], "mean"),
        _number(row["score"]["sd"]),
        _bounded(row["elo"], "elo") if row["elo"]["games"] else "–",
        _number(row["mean_reply_characters"]),
        str(row["written_turns"]),
        str(row["fallback_turns"]),
        _listed(row["failures"]),
    ]


def _items(rows: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(item for row in rows.values() for item in row["items"]))


def _item_rows(rows: Mapping[str, Any]) -> list[list[str]]:
    return [[name, *(_number(row["items"].get(item)) for item in _items(rows))] for name, row in rows.items()]


def _language_rows(rows: Mapping[str, Any]) -> list[list[str]]:
    return [
        [name, language, str(own["n"]), _bounded(own, "mean")]
        for name, row in rows.items()
        for language, own in row["score_by_language"].items()
    ]


def _game_rows(games: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    return [[game["a"], game["b"], str(game["games"]), f"{game['won_by_a']:.0%}"] for game in games]


def _cost_rows(cost: Mapping[str, Any]) -> list[list[str]]:
    found: list[list[str]] = []
    for judge, own in cost.items():
        for kind, asked, silent in (
            ("grades", "texts", "texts_without_grades"),
            ("comparisons", "pairs", "pairs_without_answers_in_both_orders"),
        ):
            row = own[kind]
            tokens = [str(row["prompt_tokens"]), str(row["completion_tokens"])]
            found.append([judge, kind, str(row[asked]), str(row[silent]), _listed(row["failures"]), *tokens])
    return found


def _provenance(about: Mapping[str, Any]) -> str:
    lines = "".join(
        f"<dt>{escape(str(name))}</dt><dd>{escape(str(value))}</dd>" for name, value in about.items()
    )
    return f"<h2>Where this comes from</h2><dl>{lines}</dl>"


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    titles = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _bounded(figure: Mapping[str, Any], name: str) -> str:
    if figure["low"] is None or figure["high"] is None:
        return _number(figure[name])
    return f"{_number(figure[name])} [{_number(figure['low'])}, {_number(figure['high'])}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "0"
