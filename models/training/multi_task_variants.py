"""The variants of the multi-task loss, training one of them, and what is written about it."""

import copy
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from models.training.base_model import EMBEDDED_ID, load_base, recompute_activations
from models.training.lora import save_adapter
from models.training.multi_task_config import LossWeights, MultiTaskConfig
from models.training.multi_task_run import CHECKPOINT, Trained, Training
from models.training.run_facts import run_facts
from models.training.sample_chat import held_out_rows, read_contexts, scripted_rows
from models.training.strategies import load_strategies
from models.training.task_data import TaskData, load_task_data
from models.training.task_heads import TaskHeads, emotion_shares, save_heads, strategy_shares
from models.training.task_model import MultiTaskModel
from models.training.task_scores import measured_scores

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "full": (),
    "no-emotion": ("emotion",),
    "no-strategy": ("strategy",),
    "no-kl": ("kl",),
    "lm-only": ("emotion", "strategy", "kl"),
}
"""Which terms a variant leaves out. The rows that a step draws are the same in all of them."""

REPORT, SAMPLES = "training.json", "samples.json"

UNTRAINED = "untrained"
"""Folder of the replies that the base draws, for comparison."""

NON_COMMERCIAL = "CC BY-NC 4.0: learned from ESConv, for non-commercial use only"


@dataclass(frozen=True, slots=True)
class Workshop:
    """What all variants share: the untouched base on its device, its tokenizer, and the data."""

    config: MultiTaskConfig
    base: Any
    tokenizer: Any
    data: TaskData
    device: torch.device

    def with_steps(self, steps: int) -> "Workshop":
        """The same with another number of steps."""
        return replace(self, config=self.config.with_steps(steps))


def open_workshop(config: MultiTaskConfig) -> Workshop:
    """Load base and data.

    Raises:
        ValueError: The prepared data is missing or a row is wrong.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    base, tokenizer = load_base(config.base, getattr(torch, config.dtype))
    base.to(device)
    return Workshop(config, base, tokenizer, load_task_data(config, base, tokenizer), device)


def variant_weights(config: MultiTaskConfig, variant: str) -> LossWeights:
    """The configured weights without the terms that the variant leaves out."""
    return config.loss.model_copy(update=dict.fromkeys(VARIANTS[variant], 0.0))


def is_finished(config: MultiTaskConfig, variant: str) -> bool:
    """Whether a variant's report is there and says that training came to its end with these settings."""
    file = config.output / variant / REPORT
    if not file.is_file():
        return False
    report = json.loads(file.read_text("utf-8"))
    return report["ended"] != "budget" and report["settings"] == config.digest()


def new_model(shop: Workshop, base: Any) -> MultiTaskModel:
    """A fresh adapter and fresh heads in ``base``, the same for the same seed."""
    library: Any = torch
    library.manual_seed(shop.config.train.seed)
    train = shop.data.train
    heads = TaskHeads(
        int(base.config.hidden_size),
        emotion_shares([one.labels for one in train.emotion]),
        strategy_shares([one.labels[0] for one in train.strategy]),
    )
    if shop.config.train.checkpointing:
        recompute_activations(base)
    return MultiTaskModel(base, heads, shop.config.lora, shop.tokenizer.pad_token_id)


def train_variant(shop: Workshop, variant: str, deadline: float = float("inf")) -> dict[str, Any]:
    """Train one variant, or go on with it, and write adapter, heads, scores, plot and sampled replies.

    Args:
        shop: Base and data; the base stays untouched.
        variant: Key of :data:`VARIANTS`.
        deadline: ``time.monotonic()`` after which training stops, to be resumed.

    Returns:
        The report, as in ``training.json``.
    """
    config, started = shop.config, time.monotonic()
    folder, weights = config.output / variant, variant_weights(config, variant)
    folder.mkdir(parents=True, exist_ok=True)
    model = new_model(shop, copy.deepcopy(shop.base))
    trained = Training(model, shop.data, config, weights, folder).run(deadline)
    tested, thresholds = measured_scores(
        model, shop.data.valid.emotion, shop.data.test, config.train.micro_batch
    )
    report = _report(shop, variant, weights, trained, tested)
    _write_weights(shop, trained, report, [float(one) for one in thresholds])
    if config.samples.replies and trained.ended != "budget":
        model.adapted.merge_adapter()  # twice as fast; this copy of the model is not used again
        _write_samples(shop, model.adapted, folder)
    report["seconds"] = round(time.monotonic() - started, 1)
    (folder / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def sample_untrained(shop: Workshop) -> None:
    """Draw the base's replies to the contexts that the variants answer, unless that was done."""
    folder = shop.config.output / UNTRAINED
    if shop.config.samples.replies and not (folder / SAMPLES).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        _write_samples(shop, shop.base, folder)


def forget(config: MultiTaskConfig, variant: str) -> None:
    """Remove a variant's checkpoint and report, so that it begins anew."""
    for name in (CHECKPOINT, REPORT):
        (config.output / variant / name).unlink(missing_ok=True)


def _report(
    shop: Workshop, variant: str, weights: LossWeights, trained: Trained, tested: Mapping[str, float]
) -> dict[str, Any]:
    history = trained.progress.history
    best = next(row for row in history if row["step"] == trained.progress.best_step)
    left_out = VARIANTS[variant]
    scores: dict[str, float | None] = {name: round(value, 4) for name, value in best["valid"].items()}
    scores["emotion_f1_test"] = round(tested["emotion_f1"], 4)
    for name in scores:  # a head that learned nothing has no score
        if name.split("_")[0] in left_out:
            scores[name] = scores[name] if name == "kl" else None
    return {
        "variant": variant,
        "weights": weights.model_dump(),
        "scores": scores,
        "base_scores": {name: round(history[0]["valid"][name], 4) for name in ("language", "kl")},
        "best_step": trained.progress.best_step,
        "steps": trained.progress.step,
        "ended": trained.ended,
        "settings": shop.config.digest(),
        "config": shop.config.model_dump(mode="json", exclude={"prepared", "output", "base"}),
        "base": base_name(shop.config),
        "rows": shop.data.counts,
        "licence": NON_COMMERCIAL if shop.config.esconv else "Apache-2.0",
        "data_licences": dict(shop.data.licences),
        **run_facts(shop.device),
    }


def base_name(config: MultiTaskConfig) -> str:
    """Public name of the base, without a path of this machine where that can be known."""
    if config.base_name:
        return config.base_name
    return EMBEDDED_ID if config.base == "gguf" or config.base.endswith(".gguf") else config.base


def _write_weights(
    shop: Workshop, trained: Trained, report: Mapping[str, Any], thresholds: list[float]
) -> None:
    """The adapter as ``models.weights`` loads it, and the heads beside it."""
    folder = shop.config.output / str(report["variant"]) / "adapter"
    save_adapter(trained.model, trained.adapter, str(report["base"]), folder)
    facts = {
        "encoder": report["base"],
        "emotions": list(shop.data.emotions),
        "strategies": list(load_strategies().names),
        "read_at": "emotion: last token before the reply; strategy: last token of the sentence",
        "weights": report["weights"],
        "scores": report["scores"],
        "licence": report["licence"],
    }
    save_heads(trained.heads, thresholds, facts, folder)
    if shop.config.esconv:
        (folder / "NON_COMMERCIAL.txt").write_text(NON_COMMERCIAL + "\n", "utf-8")


def _write_samples(shop: Workshop, model: Any, folder: Path) -> None:
    """Replies to held-out contexts and to the scripted messages."""
    settings, seed, profile = shop.config.samples, shop.config.train.seed, shop.config.profile
    by_source: dict[str, list[Any]] = {}
    for example in shop.data.contexts:
        by_source.setdefault(example.source, []).append(example)
    chosen = [example for found in by_source.values() for example in found[: settings.held_out]]
    rows = held_out_rows(model, shop.tokenizer, chosen, settings.replies, seed, profile)
    if settings.contexts:
        scripts = [script[: settings.turns] for script in read_contexts(Path(settings.contexts))]
        rows += scripted_rows(model, shop.tokenizer, scripts, settings.replies, seed, profile)
    (folder / SAMPLES).write_text(json.dumps(rows, indent=1, ensure_ascii=False), "utf-8")
