"""Fine-tunes a chat model on replies, emotions and strategies at once, held near its base on a safety set.

    python -m models.training.multi_task_prepare --data ../shared/data --output var/multi_task
    python -m models.training.multi_task --config models/training/configs/multi_task.yaml

loss = language + 0.2 emotion + 0.2 strategy + 0.1 KL(base || tuned). A run that was broken off goes on where
its last checkpoint was. ``--ablations`` trains the five variants of the loss and writes ``ablations.json``
and ``ablations.svg``; ``python -m evals.multi_task`` adds predicted Q. ``docs/training.md`` tells the rest.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import transformers

from models.training.loss_curves import write_curves
from models.training.multi_task_budget import affordable_steps
from models.training.multi_task_config import ConfigError, MultiTaskConfig, read_config
from models.training.multi_task_variants import (
    REPORT,
    VARIANTS,
    forget,
    is_finished,
    open_workshop,
    sample_untrained,
    train_variant,
)
from models.training.training_history import read_history

FACTS = (
    "date",
    "revision",
    "device",
    "python",
    "packages",
    "command",
    "base",
    "rows",
    "config",
    "licence",
    "data_licences",
)
"""What the table says about where it comes from; all variants share it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe from the command line."""
    started = time.monotonic()
    parser = _parser()
    options = parser.parse_args(arguments)
    deadline = started + options.budget_s
    library: Any = transformers
    library.utils.logging.disable_progress_bar()
    try:
        config = read_config(options.config, options.set)
        variants = list(VARIANTS) if options.ablations else [options.variant]
        reports = train_all(config, variants, deadline, options.restart)
    except (ConfigError, ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if options.ablations and reports:
        write_ablations(config.output, reports)
    for report in reports.values():
        print(
            json.dumps({name: report[name] for name in ("variant", "ended", "best_step", "steps", "scores")})
        )
    if any(report["ended"] == "budget" for report in reports.values()) or len(reports) < len(variants):
        parser.exit(3, f"{parser.prog}: out of time; the same command goes on\n")


def train_all(
    config: MultiTaskConfig, variants: Sequence[str], deadline: float, restart: bool
) -> dict[str, dict[str, Any]]:
    """Train the variants one after another; finished ones are kept.

    Args:
        config: Settings; with a budget, ``train.steps`` may be lowered for all variants alike.
        variants: Some of :data:`VARIANTS`.
        deadline: ``time.monotonic()`` by which all should be done.
        restart: Begin anew.

    Returns:
        Reports by variant, without variants for which no time was left.
    """
    plan = config.output / "plan.json"
    if restart:
        plan.unlink(missing_ok=True)
        for variant in variants:
            forget(config, variant)
    config = _planned(config, plan)
    if all(is_finished(config, variant) for variant in variants):
        return {variant: _read(config, variant) for variant in variants}
    shop = open_workshop(config)
    if deadline != float("inf") and not plan.is_file():
        steps = affordable_steps(shop, len(variants), deadline)
        plan.write_text(json.dumps({"asked": config.digest(), "steps": steps}) + "\n", "utf-8")
        shop = shop.with_steps(steps)
    reports: dict[str, dict[str, Any]] = {}
    for variant in variants:
        if is_finished(shop.config, variant):
            reports[variant] = _read(shop.config, variant)
        elif time.monotonic() < deadline:
            reports[variant] = train_variant(shop, variant, deadline)
    if len(variants) > 1 and time.monotonic() < deadline:
        sample_untrained(shop)
    return reports


def write_ablations(folder: Path, reports: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the table of the variants and a plot of their validation losses."""
    first = next(iter(reports.values()))
    table = {
        name: {key: report[key] for key in ("scores", "best_step", "steps", "ended", "seconds", "weights")}
        for name, report in reports.items()
    }
    content = {
        "provenance": {name: first[name] for name in FACTS} | {"seed": first["config"]["train"]["seed"]},
        "untrained": first["base_scores"],
        "variants": table,
    }
    (folder / "ablations.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    curves: dict[str, list[tuple[float, float]]] = {}
    for name in reports:
        rows = read_history(folder / name)
        curves[name] = [(row["step"], row["valid"]["language"]) for row in rows]
    write_curves(folder / "ablations.svg", curves, "Validation loss by variant", "nats a reply token")


def _planned(config: MultiTaskConfig, plan: Path) -> MultiTaskConfig:
    """The settings with the number of steps that an earlier call with a budget chose."""
    if not plan.is_file():
        return config
    found = json.loads(plan.read_text("utf-8"))
    if found["asked"] != config.digest():
        raise ConfigError(f"{plan} was made for other settings; remove it, or train with --restart")
    return config.with_steps(int(found["steps"]))


def _read(config: MultiTaskConfig, variant: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((config.output / variant / REPORT).read_text("utf-8"))
    return report


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m models.training.multi_task", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--config", type=Path, required=True, help="a file as in models/training/configs")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="replaces one setting"
    )
    parser.add_argument("--variant", choices=list(VARIANTS), default="full")
    parser.add_argument("--ablations", action="store_true", help="all variants, one after another")
    parser.add_argument("--budget-s", type=float, default=float("inf"), help="seconds for this call")
    parser.add_argument("--restart", action="store_true", help="forget checkpoints")
    return parser


if __name__ == "__main__":
    main()
