"""Parts of the report about heads and about the crisis layers."""

from collections.abc import Mapping
from typing import Any, cast

from evals.html_page import Bar, bars, bounded, number, table

Results = Mapping[str, Any]
_LEVELS = ("imminent", "moderate", "low", "none")


def is_heads(results: Results) -> bool:
    """Whether a file tells how well a head does."""
    return bool(_head_rows(results))


def heads(results: Results) -> list[str]:
    """Accuracy and F1 of what a file tells about heads."""
    rows = _head_rows(results)
    head = ["head", "measured on", "rows", "accuracy", "weighted F1", "macro F1"]
    lines = [
        [name, on, str(row.get("rows", "–")), *(number(row.get(key), 3) for key in _FIGURES)]
        for name, on, row in rows
    ]
    key = next(one for one in ("macro_f1", "accuracy") if one in rows[0][2])
    plot = [Bar(f"{name}, {on}", row[key]) for name, on, row in rows if row.get(key) is not None]
    return [bars(key.replace("_", " "), plot, 3), table("Heads", head, lines)]


def is_quality(results: Results) -> bool:
    """Whether a file tells how predicted Q agrees with the judge."""
    return "calibration" in results and "spearman" in results.get("all", {})


def quality(results: Results) -> list[str]:
    """Rank correlation of predicted Q, and what its first choice is worth."""
    rows: Results = {name: results[name] for name in ("all", "4B") if name in results}
    keys = ("spearman", "first_choice", "best", "mean")
    head = ["replies", "Spearman", "first choice judged", "best possible", "mean"]
    return [
        table(
            "Predicted Q", head, [[name, *(number(row[key]) for key in keys)] for name, row in rows.items()]
        )
    ]


def is_failures(results: Results) -> bool:
    """Whether a file tells how the checks for failures do."""
    return "kept_apart" in results and "second_set" in results


def failures(results: Results) -> list[str]:
    """Accuracy within pairs of each check on both sets."""
    found: list[str] = []
    for key, title in (("kept_apart", "Pairs kept apart"), ("second_set", "Second, harder set")):
        rows: Results = results[key]
        figures: dict[str, Any] = {
            name.replace("_", " "): dict(
                zip(("mean", "low", "high"), (row["accuracy"], *row["accuracy_interval"]), strict=True)
            )
            for name, row in rows.items()
        }
        plot = [Bar(name, row["mean"], row["low"], row["high"]) for name, row in figures.items()]
        found.append(bars(f"{title}: accuracy within pairs", plot))
        lines = [
            [name, str(row["pairs"]), bounded(figures[name.replace("_", " ")])] for name, row in rows.items()
        ]
        found.append(table(title, ["check", "pairs", "accuracy"], lines))
    return found


def is_crisis(results: Results) -> bool:
    """Whether a file tells how crises are noticed."""
    return results.get("what") == "crisis noticed, by turn"


def crisis(results: Results) -> list[str]:
    """Share of turns after which a helpline is shown, by true level and language."""
    lines = [
        [language, level, str(row["turns"]), str(row["cards"]), number(row["card_rate"], 3)]
        for language, levels in results["languages"].items()
        for level in _LEVELS
        if (row := levels.get(level)) is not None
    ]
    whole: Results = results["languages"]["all"]
    plot = [Bar(level, whole[level]["card_rate"]) for level in _LEVELS if level in whole]
    return [
        bars("Share of turns with a helpline, by true level", plot),
        table("Helplines", ["language", "true level", "turns", "with helpline", "share"], lines),
    ]


_FIGURES = ("accuracy", "weighted_f1", "macro_f1")


def _head_rows(results: Results) -> list[tuple[str, str, Results]]:
    found: list[tuple[str, str, Results]] = []
    for head in ("emotion", "strategy"):
        own = _object(results.get(head))
        sides = {f"dev, {name.replace('_', ' ')}": row for name, row in _object(own.get("dev")).items()}
        if "validation" in own:
            sides["ESConv validation"] = own["validation"]
        found += [(head, name, row) for name, row in sides.items()]
    found += [("emotion", name, row["dev"]) for name, row in _object(results.get("variants")).items()]
    for name in ("authors", "human", "chinese"):
        row = _object(results.get(name))
        if "macro_f1" in row:
            found.append(("tactics", name, {**row, "rows": row.get("sentences", "–")}))
    return found


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
