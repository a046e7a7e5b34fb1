"""The ablation table of multi-task fine-tuning: validation loss, predicted Q, and F1 of the heads.

    python -m evals.multi_task var/multi_task_run --json evals/results/multi_task.json \
        --plot evals/results/multi_task.svg

reads what ``models.training.multi_task --ablations`` wrote, on this machine or another, and predicts Q of the
replies that each variant drew to the same contexts: held-out dialogues, and messages that no recipe learns
from.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.chart import Point, check_kind, write_scatter
from evals.embedded_model import Drawn, measure, measure_sources, read_drawn
from evals.provenance import provenance, write_results
from models.scorer import ReplyScorer, load_scorer
from models.training.multi_task_variants import REPORT, SAMPLES, UNTRAINED, VARIANTS

COLUMNS = {
    "validation_loss": "language",
    "kl": "kl",
    "emotion_f1": "emotion_f1_test",
    "strategy_f1": "strategy_f1",
    "strategy_accuracy": "strategy_accuracy",
}
"""Columns of the table and the scores of a training report they come from."""


FACTS = ("config", "rows", "device", "date", "packages", "licence", "data_licences")
"""What the results say about the training."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Score, print and write the table."""
    options = _parser().parse_args(arguments)
    if options.plot is not None:
        check_kind(options.plot)
    reports = read_reports(options.run)
    scorer = load_scorer(options.encoder)
    table = {name: row(report, _drawn(options.run / name), scorer) for name, report in reports.items()}
    found = _drawn(options.run / UNTRAINED)
    first = next(iter(reports.values()))
    untrained = {"scores": {"language": first["base_scores"]["language"], "kl": 0.0}}
    results: dict[str, Any] = {
        "variants": table,
        "untrained": row(untrained, found, scorer),
        "encoder": options.encoder,
        "training": {name: first[name] for name in FACTS},
        "seconds": {name: report["seconds"] for name, report in reports.items()},
    }
    about = provenance(seed=first["config"]["train"]["seed"], data=", ".join(first["data_licences"]))
    write_results(options.json, results, about)
    print(as_text({**table, UNTRAINED: results["untrained"]}))
    if options.plot is not None:
        _plot(options.plot, table)


def read_reports(run: Path) -> dict[str, dict[str, Any]]:
    """Reports of the variants that were trained, in the order of the table.

    Raises:
        ValueError: There is none, or the variants were trained with different settings or steps.
    """
    files = {name: run / name / REPORT for name in VARIANTS}
    found = {name: json.loads(file.read_text("utf-8")) for name, file in files.items() if file.is_file()}
    if not found:
        raise ValueError(f"{run}: no variant was trained there")
    # Not the digest of the settings: it counts where folders lay, and variants may come from two machines.
    if len({json.dumps([report["config"], report["rows"]], sort_keys=True) for report in found.values()}) > 1:
        raise ValueError(f"{run}: the variants were trained with different settings")
    return found


def row(report: Mapping[str, Any], drawn: Sequence[Drawn], scorer: ReplyScorer) -> dict[str, Any]:
    """One variant's figures.

    Args:
        report: Its training report; scores that it lacks are ``None``.
        drawn: Replies that it drew; Q is ``None`` without any.
        scorer: Predicts Q.
    """
    figures: dict[str, Any] = {column: report["scores"].get(score) for column, score in COLUMNS.items()}
    everything = measure(drawn, scorer) if drawn else {}
    figures["predicted_q_n1"] = everything.get("predicted_q_n1")
    figures["predicted_q_best_of_4"] = everything.get("predicted_q_best_of_4")
    figures["replies"] = {"all": everything, **measure_sources(drawn, scorer)} if drawn else {}
    return figures


def as_text(table: Mapping[str, Mapping[str, Any]]) -> str:
    """The table in Markdown."""
    columns = [*COLUMNS, "predicted_q_n1", "predicted_q_best_of_4"]
    lines = [["variant", *columns], ["---"] * (len(columns) + 1)]
    lines += [[name, *(_cell(figures[column]) for column in columns)] for name, figures in table.items()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _drawn(folder: Path) -> list[Drawn]:
    file = folder / SAMPLES
    return read_drawn(file) if file.is_file() else []


def _plot(file: Path, table: Mapping[str, Mapping[str, Any]]) -> None:
    points = [
        Point(figures["validation_loss"], figures["predicted_q_n1"], name, strong=name == "full")
        for name, figures in table.items()
        if figures["predicted_q_n1"] is not None
    ]
    title = "Multi-task fine-tuning, terms left out"
    if points:
        write_scatter(file, points, title, "validation loss, nats a reply token", "predicted Q, one reply")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.multi_task", description=__doc__)
    parser.add_argument("run", type=Path, help="output folder of the training")
    parser.add_argument("--encoder", default="e5", help="encoder of the quality score: e5 or minilm")
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--plot", type=Path, help="an SVG or PNG file")
    return parser


if __name__ == "__main__":
    main()
