"""Writes what a training measured: one JSON line for each measurement, and a plot."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.training.loss_curves import write_curves
from models.training.task_losses import TERMS

METRICS, PLOT = "metrics.jsonl", "metrics.svg"


def write_history(folder: Path, history: Sequence[Mapping[str, Any]]) -> None:
    """Write ``metrics.jsonl`` and ``metrics.svg`` anew.

    Args:
        folder: Of the variant.
        history: Rows with ``step``, ``train`` and ``valid``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / METRICS).write_text("".join(json.dumps(row) + "\n" for row in history), "utf-8")
    write_curves(folder / PLOT, history_curves(history), f"Multi-task training: {folder.name}", "nats")


def read_history(folder: Path) -> list[dict[str, Any]]:
    """The rows that were written."""
    return [json.loads(line) for line in (folder / METRICS).read_text("utf-8").splitlines()]


def history_curves(history: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[float, float]]]:
    """Curves of the losses, by term and side; a term that was not trained has none for training."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in history:
        for side in ("train", "valid"):
            for name in TERMS:
                if name in row[side]:
                    curves.setdefault(f"{name}, {side}", []).append((row["step"], row[side][name]))
    return curves
