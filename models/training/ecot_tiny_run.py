"""The training loop of the small ECoT model: loss on the reply only, and going on after a break.

What a step draws follows from seed and step alone and there is no dropout, so a resumed run is the same
as an uninterrupted one, but for the rounding of a GPU.
"""

import itertools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from tqdm import tqdm

from models.training.chat_tokens import Tokens
from models.training.ecot_loss import batches_of, reply_loss, shared_length
from models.training.ecot_tiny_config import EcotTinyConfig
from models.training.loss_curves import write_curves
from models.training.run_folder import METRICS, PLOT

CHECKPOINT = "checkpoint.pt"
_MEASURED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """What came out.

    Attributes:
        history: One row for each measurement: ``step``, ``rate``, and the losses ``train`` and
            ``valid`` in nats a token.
        ended: ``steps``, or ``budget`` when time ran out; the same command goes on.
    """

    history: list[dict[str, float]]
    ended: str


def chosen_device(name: str) -> torch.device:
    """A device by its setting."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


class EcotTraining:
    """Trains one model.

    Args:
        model: A causal language model, on its device.
        train: Tokens of the conversations.
        valid: Tokens of those that are kept apart.
        pad: Id of the token that fills up.
        config: Settings.
    """

    def __init__(
        self, model: Any, train: Sequence[Tokens], valid: Sequence[Tokens], pad: int, config: EcotTinyConfig
    ) -> None:
        settings, library = config.train, transformers
        self._model, self._train, self._valid, self._pad, self._config = model, train, valid, pad, config
        self._optimiser: Any = torch.optim.AdamW(
            model.parameters(),
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            betas=(0.9, 0.95),
        )
        self._schedule: Any = library.get_cosine_schedule_with_warmup(
            self._optimiser, max(1, round(settings.warmup * settings.steps)), settings.steps
        )
        self._shared = shared_length([*train, *valid])
        self._step = 0
        self._history: list[dict[str, float]] = []
        self._window: list[torch.Tensor] = []

    def run(self, deadline: float = float("inf")) -> TrainedModel:
        """Train to the end, from the last checkpoint if there is one.

        Args:
            deadline: ``time.monotonic()`` after which a checkpoint is written and training stops.
        """
        self._resume()
        settings = self._config.train
        groups = batches_of(self._train, settings.batch, settings.seed)
        groups = itertools.islice(groups, self._step, None)
        bar: Any
        with tqdm(total=settings.steps, initial=self._step, unit="step") as bar:
            while self._step < settings.steps:
                if time.monotonic() > deadline:
                    self._save()
                    return TrainedModel(self._history, "budget")
                self._learn(next(groups))
                bar.update(1)
                if self._step % settings.every == 0 or self._step == settings.steps:
                    self._measure()
                    bar.set_postfix(valid=f"{self._history[-1]['valid']:.4f}")
        return TrainedModel(self._history, "steps")

    def _learn(self, group: Sequence[Tokens]) -> None:
        self._model.train()
        loss = self._loss(group)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), self._config.train.clip)
        self._optimiser.step()
        self._schedule.step()
        self._optimiser.zero_grad(set_to_none=True)
        self._step += 1
        self._window.append(loss.detach())

    def _loss(self, group: Sequence[Tokens]) -> Any:
        """Mean loss of the replies' tokens."""
        with torch.autocast(self._model.device.type, torch.bfloat16):
            return reply_loss(self._model, group, self._pad, self._shared)

    def _measure(self) -> None:
        self._model.eval()
        total, count = 0.0, 0
        with torch.no_grad():
            for start in range(0, len(self._valid), _MEASURED_AT_ONCE):
                group = self._valid[start : start + _MEASURED_AT_ONCE]
                tokens = sum(len(one.ids) - one.reply_start for one in group)
                total, count = total + float(self._loss(group)) * tokens, count + tokens
        learned = float(torch.stack(self._window).mean()) if self._window else float("nan")
        rate = float(self._schedule.get_last_lr()[0])
        self._history.append({"step": self._step, "rate": rate, "train": learned, "valid": total / count})
        self._window = []
        self._save()
        write_history(self._config.output, self._history)

    def _save(self) -> None:
        content = {
            "claim": self._config.claim(),
            "step": self._step,
            "history": self._history,
            "window": self._window,
            "model": self._model.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "schedule": self._schedule.state_dict(),
        }
        self._config.output.mkdir(parents=True, exist_ok=True)
        part = self._config.output / f"{CHECKPOINT}.part"
        torch.save(content, part)
        part.replace(self._config.output / CHECKPOINT)

    def _resume(self) -> None:
        file = self._config.output / CHECKPOINT
        if not file.is_file():
            return
        content: dict[str, Any] = torch.load(file, map_location=self._model.device, weights_only=True)
        self._step, self._history, self._window = content["step"], content["history"], content["window"]
        self._model.load_state_dict(content["model"])
        self._optimiser.load_state_dict(content["optimiser"])
        self._schedule.load_state_dict(content["schedule"])


def write_history(folder: Path, history: Sequence[dict[str, float]]) -> None:
    """Write the measurements as JSON lines and as a plot."""
    (folder / METRICS).write_text("".join(json.dumps(row) + "\n" for row in history), "utf-8")
    curves = {name: [(row["step"], row[name]) for row in history] for name in ("train", "valid")}
    write_curves(folder / PLOT, curves, "Small Chinese ECoT model", "loss, nats a token of the reply")
