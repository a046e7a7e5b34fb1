"""One part of the report for each kind of results file: who can read it, and what it shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.html_page import Bar, bars, bounded, number, paragraph, table

Results = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of results.

    Attributes:
        name: Heading, and what is said to be missing where there is no such file.
        command: What makes such a file.
        reads: Whether a file's results are of this kind.
        html: What is shown of them.
    """

    name: str
    command: str
    reads: Callable[[Results], bool]
    html: Callable[[Results], list[str]]


def played(results: Results) -> list[str]:
    """Configurations that answered the same scenarios."""
    rows: Results = results["configurations"]
    names = {
        "quality": "Predicted Q, 1–5 (higher is better)",
        "stickiness": "Stickiness (lower is better)",
        "repeated_openings": "Share of repeated openings (lower is better)",
    }
    head = ["configuration", "n", "re-ranking", "turns", "Q", "stickiness", "words", "fallbacks", "failures"]
    lines = [
        [
            name,
            str(row["n"]),
            _on(row),
            str(row["turns"]),
            bounded(row["quality"]),
            bounded(row["stickiness"]),
            bounded(row["words"], 1),
            str(row["fallback_turns"]),
            listed(row["failures"]),
        ]
        for name, row in rows.items()
    ]
    plots = [bars(title, _bars(rows, lambda row, m=measure: row[m])) for measure, title in names.items()]
    how = "Measured by the app's own scorer on the same scenarios; brackets hold 95 % of draws of scenarios."
    return [paragraph(how), *plots, table("Configurations", head, lines)]


def scenarios(results: Results) -> list[str]:
    """Judged conversations with Elo."""
    rows: Results = results["configurations"]
    elo = {name: row for name, row in rows.items() if row["elo"]["games"]}
    head = ["configuration", "n", "re-ranking", "conversations", "score 0–100", "±", "Elo", "failures"]
    lines = [
        [
            name,
            str(row["n"]),
            _on(row),
            f"{row['conversations']}/{row['scenarios']}",
            bounded(row["score"], 1),
            number(row["score"]["sd"], 1),
            bounded(row["elo"], 0, "elo") if name in elo else "–",
            listed(row["failures"]),
        ]
        for name, row in rows.items()
    ]
    found = [Bar(name, row["elo"]["elo"], row["elo"]["low"], row["elo"]["high"]) for name, row in elo.items()]
    return [
        bars("Judge's score, 0–100", _bars(rows, lambda row: row["score"]), 1),
        bars("Elo, mean 1000", found, 0),
        table("Configurations", head, lines),
    ]


def judged(results: Results) -> list[str]:
    """MindChat's Table 2."""
    rows: Results = results["configurations"]
    names = list(next(iter(rows.values()))["dimensions"]) if rows else []
    lines = [
        [name, f"{row['graded']}/{row['replies']}", *(_plus_minus(row["dimensions"][one]) for one in names)]
        for name, row in rows.items()
    ]
    how = "Grade / 5, mean ± variance over replies. What a judge says is an opinion, of a model or a person."
    return [
        paragraph(how),
        bars("All three dimensions, grade / 5", _bars(rows, lambda row: row["dimensions"]["all"]), 3),
        table("Dimensions", ["configuration", "graded", *(one.replace("_", " ") for one in names)], lines),
    ]


def preferred(results: Results) -> list[str]:
    """MindChat's Table 3."""
    head = ["setting", "rankings", "candidates", "win rate", "by chance", "top-2 rate", "mean rank"]
    found: list[str] = []
    for key, title in (("by_model", "By model"), ("by_choice", "Shown by Hearken or not")):
        rows: Sequence[Results] = results[key]
        lines = [
            [
                row["setting"],
                str(row["rankings"]),
                str(row["candidates"]),
                bounded(row["win"]),
                number(row["by_chance"]),
                bounded(row["top_two"]),
                bounded(row["mean_rank"]),
            ]
            for row in rows
        ]
        found.append(
            bars(f"{title}: win rate", _bars({r["setting"]: r for r in rows}, lambda row: row["win"]))
        )
        found.append(table(title, head, lines))
    return found


def live(results: Results) -> list[str]:
    """Replayed conversations with one and with eight candidates."""
    names = [name for name in results if name.startswith("n") and name[1:].isdecimal()]
    rows = {f"n={name[1:]}, re-ranked" if name != "n1" else "n=1": results[name] for name in names}
    head = ["configuration", "Q", "stickiness", "repeated openings", "words", "model s", "choice s"]
    keys = ("quality", "stickiness", "repeated_openings", "words", "model_s", "choose_s")
    gain = [Bar(name, row["mean"], *row["interval"]) for name, row in results.get("difference", {}).items()]
    return [
        paragraph(f"{results['conversations']} conversations, {results['turns']} turns each way."),
        bars("Several candidates minus one, 95 % interval", gain),
        table("Replay", head, [[name, *(number(row[key], 3) for key in keys)] for name, row in rows.items()]),
    ]


def mint(results: Results) -> list[str]:
    """MINT's table."""
    rows: Results = results["systems"]
    head = ["system", "stickiness (gold)", "stickiness (own)", "empathy", "tactics a turn", "words"]
    keys = ("stickiness_gold", "stickiness_own", "empathy", "tactics_per_turn", "words")
    return [
        bars("Empathy, 1–5", [Bar(name, row["empathy"]) for name, row in rows.items()]),
        bars("Stickiness, own previous turn", [Bar(n, row["stickiness_own"]) for n, row in rows.items()]),
        table("Systems", head, [[name, *(number(row[key]) for key in keys)] for name, row in rows.items()]),
    ]


def rerank(results: Results) -> list[str]:
    """Re-ranking on and off over released replies."""
    names = {
        "default": "re-ranking as shipped",
        "quality_only": "by quality alone",
        "random": "re-ranking off (any reply)",
        "oracle": "with the judge's own ratings",
    }
    rows = {text: results[name] for name, text in names.items() if name in results}
    keys = ("empathy", "stickiness", "repeated_openings", "words")
    pool = results["pool"]
    return [
        paragraph(f"{pool['conversations']} conversations, {pool['replies']} replies, pool {pool['name']}."),
        bars("Empathy, 1–5", [Bar(name, row["empathy"]) for name, row in rows.items()]),
        bars("Stickiness (lower is better)", [Bar(name, row["stickiness"]) for name, row in rows.items()]),
        table(
            "Choice",
            ["choice", *(key.replace("_", " ") for key in keys)],
            [[name, *(number(row[key]) for key in keys)] for name, row in rows.items()],
        ),
    ]


def listed(counts: Mapping[str, int]) -> str:
    """Counts by name in a cell."""
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "0"


def _on(row: Results) -> str:
    return "on" if row["rerank"] else "off"


def _plus_minus(row: Results) -> str:
    return "–" if row["mean"] is None else f"{row['mean']:.3f} ± {row['variance']:.3f}"


def _bars(rows: Results, figure: Callable[[Any], Results]) -> list[Bar]:
    found = {name: figure(row) for name, row in rows.items()}
    return [
        Bar(name, one["mean"], one["low"], one["high"])
        for name, one in found.items()
        if one["mean"] is not None
    ]
