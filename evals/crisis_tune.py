"""Tunes the encoder and the crisis head together, on a GPU or a CPU.

    python -m evals.crisis_tune var/crisis_tuning.npz --output var/crisis_tuned --budget-s 300

Trials of several shapes learn from four fifths of the groups of messages and are compared on the rest, by
how well they order written crises above written calm messages there; the best shape then learns from all.
Written to the folder: ``adapter.safetensors`` and ``head.npz`` (the final model), ``trial.npz`` (what the
trial said of messages it had not seen, and the final model of everyday texts kept apart, from which
:mod:`evals.train_crisis_head` chooses thresholds), ``metrics.json``, ``progress.log``.

``--start FOLDER`` goes on from a model that an earlier run wrote, in a few passes that a CPU can do. What it
says of messages that it has learned from before proves nothing, so there is no trial: only the first plan is
run, on all messages, and the thresholds of before stay.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import nn

from evals.crisis_split import HAND_WRITTEN, SUPPORTIVE
from models.e5_adapter import Adapter, read_adapter, write_adapter
from models.encoder import CRISIS
from models.training.tunable_encoder import Batches, TunableEncoder, TunedShape, to_numpy
from models.training.tuning_data import TuningData, load
from models.training.tuning_heads import StandardHead
from models.training.tuning_trial import one_cycle, read_trial

LEVELS = 4
TRIALS = ("0:32:1e-3:10", "0:32:2e-3:10", "2:32:1e-3:10", "4:64:2e-3:10", "0:32:1e-3:20")
"""First layer that changes, rank, learning rate, epochs; a fifth number runs fewer layers than packed."""
_DECAY = 0.998
"""Of the running mean of the weights, which is what is kept: one run differs less from the next."""
_RECALL_AT = 0.05
_HIDDEN = 192

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CrisisPlan:
    """Hyperparameters.

    Attributes:
        shape: Of the encoder.
        epochs: Passes.
        learning_rate: Peak for the low-rank changes, one cycle; the head gets twice as much.
        batch: Messages a step.
        smoothing: Share of each label spread over all levels.
        category_weight: Of the category's loss, which only risky messages have.
        seed: Of weights, draws and dropout.
        new: Sources that every pass draws in full; ``()`` for all.
        rehearsed: Share of the other sources that a pass draws.
    """

    shape: TunedShape
    epochs: int = 10
    learning_rate: float = 1e-3
    batch: int = 128
    smoothing: float = 0.05
    category_weight: float = 0.3
    seed: int = 0
    new: tuple[str, ...] = ()
    rehearsed: float = 1.0


class CrisisModel(nn.Module):
    """Encoder, levels and categories.

    Args:
        data: Texts and untuned weights.
        plan: Shapes.
        device: Where it computes.
    """

    def __init__(self, data: TuningData, plan: CrisisPlan, device: torch.device) -> None:
        super().__init__()
        self.encoder = TunableEncoder(data.weights, plan.shape)
        categories = int(data.arrays["category"].max()) + 1
        self.levels = StandardHead(self.encoder.hidden, _HIDDEN, LEVELS, 0.3)
        self.categories = nn.Linear(self.encoder.hidden, categories)
        self._batches = Batches(data, device)
        self.to(device)

    def go_on_from(self, folder: Path) -> None:
        """Take the weights that an earlier run wrote to ``folder``.

        Raises:
            SystemExit: It has another shape.
        """
        adapter = read_adapter(folder / "adapter.safetensors")
        with np.load(folder / "head.npz") as file:
            head: dict[str, Floats] = dict(file)
        shape = self.encoder.shape
        if (adapter.layers, adapter.first, adapter.scale) != (shape.layers, shape.first, shape.scale):
            raise SystemExit(
                f"{folder} was tuned in layers {adapter.first} to {adapter.layers}: name the same"
            )
        try:
            self.encoder.load_adapter(adapter.tensors)
            self.levels.load(head)
            self.categories.weight.copy_(torch.tensor(head["wc"].T))
            self.categories.bias.copy_(torch.tensor(head["bc"]))
        except RuntimeError as error:
            raise SystemExit(f"{folder} has other ranks or categories: {error}") from error

    def vectors(self, rows: Ints) -> torch.Tensor:
        """Vectors of some messages, ``(rows, hidden)``."""
        batch = self._batches.of(rows)
        device = batch["ids"].device.type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            return self.encoder(batch).whole.float()

    def standard(self, vectors: torch.Tensor) -> torch.Tensor:
        """Vectors as both heads see them."""
        return (vectors - self.levels.mean) / self.levels.scale

    def forward(self, rows: Ints) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of levels and of categories."""
        vectors = self.vectors(rows)
        return self.levels(vectors), self.categories(self.standard(vectors))


def fit(
    data: TuningData,
    rows: Ints,
    plan: CrisisPlan,
    device: torch.device,
    log: Log,
    start: Path | None = None,
) -> CrisisModel:
    """Train on some rows; the running mean of the weights over the last steps is kept.

    Args:
        data: Messages and untuned weights.
        rows: Which messages.
        plan: Hyperparameters.
        device: Where it computes.
        log: Takes a line now and then.
        start: Folder of an earlier run to go on from; ``None`` begins anew.
    """
    torch.manual_seed(plan.seed)  # pyright: ignore[reportUnknownMemberType]
    rng = np.random.default_rng(plan.seed)
    model = CrisisModel(data, plan, device)
    with torch.no_grad():
        if start is None:
            model.levels.standardise(model.vectors(rng.choice(rows, min(len(rows), 2048), replace=False)))
        else:
            model.go_on_from(start)
    share = np.minimum(data.arrays["weight"][rows] / HAND_WRITTEN, 1.0)
    if plan.new:
        share = np.where(np.isin(data.arrays["source"][rows], plan.new), share, plan.rehearsed * share)
    epochs = [rng.permutation(rows[rng.random(len(rows)) < share]) for _ in range(plan.epochs)]
    batches = [epoch[i : i + plan.batch] for epoch in epochs for i in range(0, len(epoch), plan.batch)]
    heads = (model.levels, model.categories)
    optimizer, schedule = one_cycle(model.encoder, heads, plan.learning_rate, 0.01, len(batches))
    level = torch.tensor(data.arrays["level"], device=device)
    category = torch.tensor(data.arrays["category"], device=device)
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    mean = [parameter.detach().clone() for parameter in parameters]
    model.train()
    total = 0.0
    for number, batch in enumerate(batches, 1):
        scores, kinds = model(batch)
        index = torch.tensor(batch, device=device)
        loss = F.cross_entropy(scores, level[index], label_smoothing=plan.smoothing)
        loss = loss + plan.category_weight * _category_loss(kinds, category[index])
        optimizer.zero_grad()
        cast(Any, loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        with torch.no_grad():
            for kept, parameter in zip(mean, parameters, strict=True):
                kept.lerp_(parameter, 1 - min(_DECAY, number / (number + 10)))
        total += float(loss.detach()) if number % 50 == 0 else 0.0
        if number % 250 == 0:
            log(f"step {number} of {len(batches)}, loss {total / 5:.3f}")
            total = 0.0
    with torch.no_grad():
        for kept, parameter in zip(mean, parameters, strict=True):
            parameter.copy_(kept)
    return model.eval()


def _category_loss(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    known = wanted >= 0
    return F.cross_entropy(scores[known], wanted[known]) if bool(known.any()) else scores.sum() * 0.0


@torch.inference_mode()
def predict(model: CrisisModel, rows: Ints) -> Floats:
    """Probabilities of the levels, ``(rows, 4)``."""
    parts = [model(rows[i : i + 512])[0].softmax(dim=1) for i in range(0, len(rows), 512)]
    return to_numpy(torch.cat(parts)) if parts else np.zeros((0, LEVELS), np.float32)


def scores_of(data: TuningData, rows: Ints, chances: Floats) -> dict[str, Any]:
    """How hand-written messages among ``rows`` are ordered.

    Returns:
        ``recall``: mean share of moderate and of imminent messages above the limit that 5 % of the calm ones
        pass; ``moderate``, ``imminent``: these; ``log_loss``; ``messages``.
    """
    hand = data.arrays["weight"][rows] >= HAND_WRITTEN
    hand &= ~np.char.startswith(data.arrays["source"][rows], SUPPORTIVE.rstrip(":"))
    level, chance = data.arrays["level"][rows][hand], chances[hand]
    card = chance[:, 2:].sum(axis=1)
    limit = float(np.quantile(card[level == 0], 1 - _RECALL_AT))
    found = {name: float((card[level == value] > limit).mean()) for name, value in _WANTED.items()}
    log_loss = -np.log(np.clip(chance[np.arange(len(level)), level], 1e-6, 1)).mean()
    return {
        **{name: round(value, 4) for name, value in found.items()},
        "recall": round(sum(found.values()) / len(found), 4),
        "limit": round(limit, 4),
        "log_loss": round(float(log_loss), 4),
        "messages": int(hand.sum()),
    }


_WANTED = {"moderate": 2, "imminent": 3}


def plan_of(text: str, layers: int, seed: int) -> CrisisPlan:
    """The plan of a trial; see :func:`models.training.tuning_trial.read_trial`."""
    shape, epochs, rate = read_trial(text, layers)
    return CrisisPlan(shape, epochs=epochs, learning_rate=rate, seed=seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = _options(arguments)
    torch.set_float32_matmul_precision("high")
    options.output.mkdir(parents=True, exist_ok=True)
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    deadline = time.monotonic() + options.budget_s

    def log(text: str) -> None:
        with (options.output / "progress.log").open("a", encoding="utf-8") as file:
            file.write(f"[{deadline - time.monotonic():6.1f}s left] {text}\n")

    data = load(options.file)
    arrays = data.arrays
    layers = sum(name.endswith(".qkv.w") for name in data.weights)
    left_out = np.isin(arrays["source"], options.without)
    learned = np.flatnonzero(arrays["learned"] & ~left_out)
    seen, unseen = learned[~arrays["unseen"][learned]], learned[arrays["unseen"][learned]]
    results: dict[str, Any] = {"learned": len(learned), "without": options.without, "trials": []}
    if options.start is None:
        plan, chances = _best(options, data, (seen, unseen), device, log, results)
    else:
        plan, unseen = plan_of(options.trials[0], layers, options.seed), unseen[:0]
        plan = replace(plan, new=tuple(options.new), rehearsed=options.rehearsed)
        chances = np.zeros((0, LEVELS), np.float32)
        results["start"] = json.loads((options.start / "metrics.json").read_text(encoding="utf-8"))
    model = fit(data, learned, plan, device, log, options.start)
    check = np.flatnonzero(~arrays["learned"])
    extra = np.flatnonzero(left_out)
    if len(extra):
        results["left_out"] = scores_of(data, extra, predict(model, extra))
    results["plan"] = asdict(plan)
    np.savez_compressed(
        options.output / "trial.npz",
        allow_pickle=False,
        unseen=unseen,
        unseen_chances=chances,
        check=check,
        check_chances=predict(model, check),
    )
    _write(options.output, model, plan, results)
    (options.output / "metrics.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    log("done")
    return 0


def _best(
    options: argparse.Namespace,
    data: TuningData,
    rows: tuple[Ints, Ints],
    device: torch.device,
    log: Log,
    results: dict[str, Any],
) -> tuple[CrisisPlan, Floats]:
    """Try plans on the first rows; the plan that orders the others best, and what it says of them."""
    seen, unseen = rows
    layers = sum(name.endswith(".qkv.w") for name in data.weights)
    deadline = time.monotonic() + options.budget_s
    best: tuple[float, CrisisPlan, Floats, float] | None = None
    for text in options.trials:
        plan = plan_of(text, layers, options.seed)
        if best is not None and deadline - time.monotonic() < 2.5 * best[3]:
            log("no time for more trials")
            break
        started = time.monotonic()
        chances = predict(fit(data, seen, plan, device, log), unseen)
        seconds = time.monotonic() - started
        row = {"trial": text, **scores_of(data, unseen, chances), "seconds": round(seconds, 1)}
        log(json.dumps(row))
        results["trials"].append(row)
        if best is None or row["recall"] > best[0]:
            best = (row["recall"], plan, chances, seconds)
    if best is None:
        raise SystemExit("name at least one trial")
    return best[1], best[2]


def _write(folder: Path, model: CrisisModel, plan: CrisisPlan, results: dict[str, Any]) -> None:
    shape = plan.shape
    facts = {"data": "messages written for this project and everyday texts", "plan": asdict(plan), **results}
    tensors = model.encoder.adapter_tensors()
    write_adapter(
        folder / "adapter.safetensors",
        Adapter(CRISIS, shape.layers, shape.first, shape.scale, tensors, facts),
    )
    head = model.levels.tensors()
    head |= {"wc": to_numpy(model.categories.weight.T), "bc": to_numpy(model.categories.bias)}
    np.savez(folder / "head.npz", allow_pickle=False, **head)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="what crisis_tuning_data wrote")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--budget-s", type=float, default=1e9, help="no trial is begun that would not fit")
    parser.add_argument("--trials", nargs="+", default=list(TRIALS), help="first:rank:rate:epochs[:layers]")
    parser.add_argument("--start", type=Path, help="folder of an earlier run to go on from, without a trial")
    parser.add_argument("--new", nargs="*", default=[], help="with --start: sources that are drawn in full")
    parser.add_argument("--rehearsed", type=float, default=1.0, help="share of the others that a pass draws")
    parser.add_argument("--without", nargs="*", default=[], help="sources that are left out and scored")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
