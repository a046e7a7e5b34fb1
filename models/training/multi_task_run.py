"""The training loop of the multi-task recipe: steps, validation, early stop, and going on after a break.

A resumed run is the same as an uninterrupted one, on a GPU but for its rounding: what a step draws follows
from seed and step alone (:func:`models.training.task_mixing.draws`), dropout is seeded by the step, and the
rest is in the checkpoint.
"""

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import transformers
from tqdm import tqdm

from models.training.chat_tokens import Tokens
from models.training.multi_task_config import LossWeights, MultiTaskConfig
from models.training.task_data import TaskData
from models.training.task_losses import weighted_sum
from models.training.task_mixing import Draw, draws, shuffled_rows
from models.training.task_model import MultiTaskModel, State
from models.training.task_scores import validate
from models.training.task_tokens import Reading
from models.training.training_history import write_history

CHECKPOINT = "checkpoint.pt"


@dataclass(slots=True)
class Progress:
    """Where a training stands.

    Attributes:
        step: Steps done.
        best_step: Step with the lowest validation language loss.
        best_loss: That loss, nats a token.
        misses: Measurements since then.
        window: Sums of the training terms since the last measurement, and how many steps had each.
        history: One row for each measurement: step, training means, validation scores.
    """

    step: int = 0
    best_step: int = -1
    best_loss: float = float("inf")
    misses: int = 0
    window: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    history: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(frozen=True, slots=True)
class Trained:
    """The result: the model holds the best step's weights.

    Attributes:
        model: The language model with its adapter.
        progress: History and best step.
        adapter: Best adapter weights.
        heads: Best head weights.
        ended: ``steps``, ``early`` (validation got no better) or ``budget`` (can be resumed).
    """

    model: Any
    progress: Progress
    adapter: State
    heads: State
    ended: str


class Training:
    """One variant's training.

    Args:
        model: What is trained.
        data: Tokens.
        config: Settings; a checkpoint of other settings is refused.
        weights: Of the loss terms; a term of weight 0 is not computed, and all else stays the same.
        folder: For the checkpoint.
    """

    def __init__(
        self,
        model: MultiTaskModel,
        data: TaskData,
        config: MultiTaskConfig,
        weights: LossWeights,
        folder: Path,
    ) -> None:
        settings = config.train
        groups: list[dict[str, Any]] = [
            {"params": model.adapter_parameters(), "lr": settings.learning_rate},
            {"params": list(model.heads.parameters()), "lr": settings.head_learning_rate},
        ]
        library: Any = transformers
        self._model, self._data, self._config, self._weights = model, data, config, weights
        self._folder = folder
        self._optimiser: Any = torch.optim.AdamW(groups, weight_decay=settings.weight_decay)
        self._schedule: Any = library.get_cosine_schedule_with_warmup(
            self._optimiser, max(1, round(settings.warmup * settings.steps)), settings.steps
        )
        self._progress = Progress()
        self._best = model.state()

    def run(self, deadline: float = float("inf")) -> Trained:
        """Train from the last checkpoint, or from the beginning, to the end.

        Args:
            deadline: ``time.monotonic()`` after which a checkpoint is written and training stops.

        Raises:
            ValueError: The checkpoint belongs to other settings.
        """
        self._resume()
        if not self._progress.history:
            self._measure()
        ended = self._loop(deadline)
        self._model.restore(*self._best)
        return Trained(self._model.adapted, self._progress, *self._best, ended)

    def _loop(self, deadline: float) -> str:
        settings, progress = self._config.train, self._progress
        batches = itertools.islice(mixed_batches(self._data, self._config), progress.step, settings.steps)
        bar: Any
        with tqdm(total=settings.steps, initial=progress.step, unit="step", desc=self._folder.name) as bar:
            for draw in batches:
                if progress.misses >= self._config.validation.patience:
                    return "early"
                if time.monotonic() > deadline:
                    self._save()
                    return "budget"
                self._step(draw)
                bar.update(1)
                if progress.step % self._config.validation.every == 0 or progress.step == settings.steps:
                    self._measure()
                    bar.set_postfix(valid=f"{progress.history[-1]['valid']['language']:.3f}")
        return "steps"

    def _step(self, draw: Draw) -> None:
        library: Any = torch
        library.manual_seed(self._config.train.seed * 1_000_003 + self._progress.step)
        self._model.train(True)
        terms = step_gradients(self._model, self._data, draw, self._weights, self._config.train.micro_batch)
        every = [one for group in self._optimiser.param_groups for one in group["params"]]
        torch.nn.utils.clip_grad_norm_(every, self._config.train.clip)
        self._optimiser.step()
        self._schedule.step()
        self._optimiser.zero_grad(set_to_none=True)
        self._progress.step += 1
        for name, value in terms.items():
            total, count = self._progress.window.get(name, (0.0, 0))
            self._progress.window[name] = (total + value, count + 1)

    def _measure(self) -> None:
        """Validate, remember the best weights, write a checkpoint."""
        progress = self._progress
        scores = validate(self._model, self._data.valid, self._config.train.micro_batch)
        learned = {name: total / count for name, (total, count) in progress.window.items()}
        rate = float(self._schedule.get_last_lr()[0])
        progress.history.append({"step": progress.step, "rate": rate, "train": learned, "valid": scores})
        progress.window = {}
        if scores["language"] < progress.best_loss:
            progress.best_loss, progress.best_step, progress.misses = scores["language"], progress.step, 0
            self._best = self._model.state()
        else:
            progress.misses += 1
        self._save()
        write_history(self._folder, progress.history)

    def _save(self) -> None:
        adapter, heads = self._model.state()
        progress = {name: getattr(self._progress, name) for name in Progress.__slots__}
        content = {
            "settings": self._settings(),
            "progress": progress,
            "adapter": dict(adapter),
            "heads": dict(heads),
            "best": [dict(part) for part in self._best],
            "optimiser": self._optimiser.state_dict(),
            "schedule": self._schedule.state_dict(),
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / f"{CHECKPOINT}.part"
        torch.save(content, part)
        part.replace(self._folder / CHECKPOINT)

    def _resume(self) -> None:
        file = self._folder / CHECKPOINT
        if not file.is_file():
            return
        content: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
        if content["settings"] != self._settings():
            msg = f"{file} was made with other settings; remove it, or train with --restart"
            raise ValueError(msg)
        self._progress = Progress(**content["progress"])
        self._model.restore(content["adapter"], content["heads"])
        adapter, heads = content["best"]
        self._best = (adapter, heads)
        self._optimiser.load_state_dict(content["optimiser"])
        self._schedule.load_state_dict(content["schedule"])

    def _settings(self) -> str:
        weights = self._weights
        return f"{self._config.digest()}:{weights.emotion}:{weights.strategy}:{weights.kl}"


def step_gradients(
    model: MultiTaskModel, data: TaskData, draw: Draw, weights: LossWeights, size: int
) -> dict[str, float]:
    """Add the gradient of one step's loss; rows are passed through the model ``size`` at a time.

    Returns:
        Each term's mean over the step's rows, before weighting, and ``loss``, the weighted sum.
    """
    train = data.train
    dialogues = [train.dialogue[row] for row in draw.get("dialogue", ())]
    safety = [train.safety[row] for row in draw.get("safety", ())] if weights.kl else []
    readings = [train.emotion[row] for row in draw.get("emotion", ())] if weights.emotion else []
    readings += [train.strategy[row] for row in draw.get("strategy", ())] if weights.strategy else []
    rows = {
        "language": _reply_tokens(dialogues),
        "kl": _reply_tokens(safety),
        "emotion": sum(one.task == "emotion" for one in readings),
        "strategy": sum(one.task == "strategy" for one in readings),
    }
    factors = {"emotion": weights.emotion, "strategy": weights.strategy, "kl": weights.kl}
    terms: dict[str, float] = {}
    for losses in _passes(model, dialogues, safety, readings, size):
        parts = {name: value.sum() / rows[name] for name, value in losses.items() if value.numel()}
        loss: Any = weighted_sum(parts, factors)
        loss.backward()
        for name, value in parts.items():
            terms[name] = terms.get(name, 0.0) + float(value.detach())
    return terms | {"loss": sum(factors.get(name, 1.0) * value for name, value in terms.items())}


def _passes(
    model: MultiTaskModel,
    dialogues: Sequence[Tokens],
    safety: Sequence[Tokens],
    readings: Sequence[Reading],
    size: int,
) -> Iterator[Mapping[str, torch.Tensor]]:
    """Loss values of one pass after the other."""
    replies = len(dialogues) + len(safety)
    for start in range(0, replies, size):
        end = start + size
        said, safe = (
            dialogues[start:end],
            safety[max(0, start - len(dialogues)) : max(0, end - len(dialogues))],
        )
        language, kl = model.reply_losses(said, safe)
        yield {"language": language, "kl": kl}
    ordered = sorted(readings, key=lambda one: len(one.ids))
    for start in range(0, len(ordered), size):
        yield model.reading_losses(ordered[start : start + size])


def mixed_batches(data: TaskData, config: MultiTaskConfig) -> Iterator[Draw]:
    """Mixed batches, each with the safety rows that go along."""
    settings, train = config.train, data.train
    sizes = {"dialogue": len(train.dialogue), "emotion": len(train.emotion), "strategy": len(train.strategy)}
    safety = shuffled_rows(len(train.safety), f"{settings.seed}:safety")
    for draw in draws(sizes, settings.mixing_exponent, settings.batch, settings.seed):
        yield {**draw, "safety": tuple(itertools.islice(safety, settings.safety_batch))}


def _reply_tokens(tokens: Sequence[Tokens]) -> int:
    return sum(len(item.ids) - item.reply_start for item in tokens)
