"""Tunes an encoder and a head together on replies behind the messages they answer, on a GPU or a CPU.

    python -m models.training.pair_tune var/strategies/tuning.npz --output var/strategies/tuned

What the head tells apart is the file's: :mod:`models.training.strategy_pack` writes ESConv's strategies,
:mod:`models.training.answer_pack` whether a reply fits, :mod:`models.training.kind_pack` kinds of messages
behind the message before, with marks that a text may have several of (feelings). Trials of several shapes
learn from four fifths of the training conversations (or those the file does not keep apart) and are
compared on the rest by the mean of accuracy, weighted and macro F1; the best then learns from all of them.
Written to the folder: ``adapter.safetensors``, ``head.npz``, ``outputs.npz`` (what the trial said of the
conversations kept from it, from which :mod:`models.training.strategy_install` or another ``*_install``
chooses the rest), ``metrics.json``, ``progress.log``. Rows that are not for training are not read here.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models.class_head import softmax
from models.e5_adapter import Adapter, write_adapter
from models.training.class_scores import class_scores
from models.training.tunable_encoder import Batches, TunableEncoder, TunedShape, to_numpy
from models.training.tuning_data import TuningData, load
from models.training.tuning_heads import StandardHead
from models.training.tuning_trial import one_cycle, read_trial

TRIALS = ("0:32:5e-4:4", "0:32:1e-3:4", "4:64:1e-3:5", "6:64:1e-3:5", "0:32:5e-4:6")
"""First layer that changes, rank, learning rate, epochs; a fifth number runs fewer layers than packed."""
_HIDDEN, _KEPT_APART, _DECAY = 256, 5, 0.995

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PairPlan:
    """Hyperparameters.

    Attributes:
        shape: Of the encoder.
        epochs: Passes.
        learning_rate: Peak for the low-rank changes, one cycle; the head gets twice as much.
        batch: Pairs a step.
        smoothing: Share of each label spread over all classes.
        seed: Of weights, order and dropout.
    """

    shape: TunedShape
    epochs: int
    learning_rate: float
    batch: int = 64
    smoothing: float = 0.1
    seed: int = 0


class PairModel(nn.Module):
    """Encoder and head; the head sees the reply, the message before it and the place.

    Args:
        data: Texts and untuned weights.
        plan: Shapes.
        device: Where it computes.
    """

    def __init__(self, data: TuningData, plan: PairPlan, device: torch.device) -> None:
        super().__init__()
        self.encoder = TunableEncoder(data.weights, plan.shape)
        classes = len(data.arrays["names"]) + marks_of(data).shape[1]
        self.head = StandardHead(2 * self.encoder.hidden + 2, _HIDDEN, classes, 0.4)
        self._batches = Batches(data, device)
        self._place = torch.tensor(data.arrays["place"], device=device)
        self.to(device)

    def inputs(self, rows: Ints) -> torch.Tensor:
        """``(rows, 2 hidden + 2)``, as :func:`models.strategy.strategy_inputs` puts them together."""
        batch = self._batches.of(rows)
        device = batch["ids"].device.type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            sentences = self.encoder(batch).sentences.float()
        context, reply = sentences[0::2], sentences[1::2]
        return torch.cat([reply, context, self._place[torch.tensor(rows, device=device)]], dim=1)

    def forward(self, rows: Ints) -> torch.Tensor:
        """Outputs, ``(rows, classes + marks)``."""
        return self.head(self.inputs(rows))


def marks_of(data: TuningData) -> Floats:
    """What a text may have several of, 0 or 1, ``(rows, marks)``; no columns where the file has none."""
    return data.arrays.get("marks", np.zeros((len(data.arrays["label"]), 0), np.float32))


def fit(data: TuningData, rows: Ints, plan: PairPlan, device: torch.device) -> PairModel:
    """Train on some rows; the running mean of the weights is kept."""
    torch.manual_seed(plan.seed)  # pyright: ignore[reportUnknownMemberType]
    rng = np.random.default_rng(plan.seed)
    model = PairModel(data, plan, device)
    with torch.no_grad():
        model.head.standardise(model.inputs(rng.choice(rows, min(len(rows), 2048), replace=False)))
    running_mean: Any = get_ema_multi_avg_fn(_DECAY)  # pyright: ignore[reportUnknownVariableType]
    mean = AveragedModel(model, multi_avg_fn=running_mean)
    epochs = [rng.permutation(rows) for _ in range(plan.epochs)]
    batches = [epoch[i : i + plan.batch] for epoch in epochs for i in range(0, len(epoch), plan.batch)]
    optimizer, schedule = one_cycle(model.encoder, (model.head,), plan.learning_rate, 0.05, len(batches))
    label = torch.tensor(data.arrays["label"], device=device)
    marks = torch.tensor(marks_of(data), device=device)
    classes = len(data.arrays["names"])
    model.train()
    for batch in batches:
        chosen = torch.tensor(batch, device=device)
        found = model(batch)
        loss = F.cross_entropy(found[:, :classes], label[chosen], label_smoothing=plan.smoothing)
        if marks.shape[1]:
            each = F.binary_cross_entropy_with_logits(found[:, classes:], marks[chosen], reduction="none")
            loss = loss + each.sum(dim=1).mean()
        optimizer.zero_grad()
        cast(Any, loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        mean.update_parameters(model)
    return cast(PairModel, mean.module.eval())


@torch.inference_mode()
def outputs(model: PairModel, rows: Ints) -> Floats:
    """Outputs of some rows, ``(rows, classes + marks)``."""
    return to_numpy(torch.cat([model(rows[i : i + 512]) for i in range(0, len(rows), 512)]))


def plan_of(text: str, layers: int, seed: int) -> PairPlan:
    """The plan of a trial; see :func:`models.training.tuning_trial.read_trial`."""
    shape, epochs, rate = read_trial(text, layers)
    return PairPlan(shape, epochs=epochs, learning_rate=rate, seed=seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = _options(arguments)
    torch.set_float32_matmul_precision("high")
    options.output.mkdir(parents=True, exist_ok=True)
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    data = load(options.file)
    layers = sum(name.endswith(".qkv.w") for name in data.weights)
    train = np.flatnonzero(data.arrays["train"])
    apart = data.arrays.get("apart", data.arrays["conversation"] % _KEPT_APART == 0)[train]
    names = tuple(str(name) for name in data.arrays["names"])
    tried: list[tuple[float, PairPlan, Floats]] = []
    results: dict[str, Any] = {"rows": len(train), "trials": []}
    for text in options.trials:
        plan = plan_of(text, layers, options.seed)
        found = outputs(fit(data, train[~apart], plan, device), train[apart])
        chances = softmax(found[:, : len(names)])
        scores = class_scores(data.arrays["label"][train[apart]], chances, names)
        row = {"trial": text, **{name: scores[name] for name in ("accuracy", "weighted_f1", "macro_f1")}}
        results["trials"].append(row)
        with (options.output / "progress.log").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        tried.append((row["accuracy"] + row["weighted_f1"] + row["macro_f1"], plan, found))
    _, plan, found = max(tried, key=lambda one: one[0])
    results["plan"] = asdict(plan)
    np.savez_compressed(options.output / "outputs.npz", allow_pickle=False, rows=train[apart], outputs=found)
    _write(options.output, data, fit(data, train, plan, device), results)
    return 0


def _write(folder: Path, data: TuningData, model: PairModel, results: dict[str, Any]) -> None:
    shape = model.encoder.shape
    facts = {name: str(data.arrays[name]) for name in ("data", "licence")} | results
    tensors = model.encoder.adapter_tensors()
    adapter = Adapter(str(data.arrays["encoder"]), shape.layers, shape.first, shape.scale, tensors, facts)
    write_adapter(folder / "adapter.safetensors", adapter)
    np.savez(folder / "head.npz", allow_pickle=False, **model.head.tensors())
    (folder / "metrics.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="what strategy_pack or answer_pack wrote")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--trials", nargs="+", default=list(TRIALS), help="first:rank:rate:epochs[:layers]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
