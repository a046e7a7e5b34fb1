"""One run of preference tuning: rows to TRL's trainer, checkpoints, measurements, the adapter."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from models.adapter_marks import knows_codes
from models.training.base_model import EMBEDDED_ID, recompute_option
from models.training.lora import adapter_weights, save_adapter
from models.training.loss_curves import write_curves
from models.training.preference_config import PreferenceConfig
from models.training.preference_rows import PreferenceDataError
from models.training.preferences import Row, curves, load_tuned_base, margin, new_adapter
from models.training.run_facts import run_facts
from models.training.run_folder import ADAPTER, CHECKPOINTS, CURVES, METRICS, PLOT, REPORT, claim

MEASURED = 64
"""Most rows of each side whose margin is measured before and after."""
MakeTrainer = Callable[[Any, Any, Any, Sequence[Row], Sequence[Row], dict[str, Any]], Any]
"""From model, tokenizer, adapter shape, rows to learn, rows to measure and options to TRL's trainer."""
MakeRows = Callable[[Any], tuple[list[Row], list[Row]]]
"""From a tokenizer to rows to learn and rows to measure."""


def run(
    method: str, config: PreferenceConfig, make_rows: MakeRows, make_trainer: MakeTrainer, deadline: float
) -> dict[str, Any]:
    """Train, or go on where an earlier call was broken off, and write everything.

    Args:
        method: ``kto`` or ``dpo``, for the report.
        config: Settings.
        make_rows: Makes the rows.
        make_trainer: Makes the trainer.
        deadline: ``time.monotonic()`` by which the call should end; a checkpoint is kept then.

    Returns:
        The report, also in ``training.json``; ``ended`` is ``steps`` or ``budget``.

    Raises:
        PreferenceDataError: No row is left.
        RunFolderError: The folder holds a run with other settings or data.
    """
    started = time.monotonic()
    claim(config.output, f"{method} {config.digest()}")
    finished = config.output / REPORT
    if finished.is_file():
        found: dict[str, Any] = json.loads(finished.read_text("utf-8"))
        return found
    model, tokenizer = load_tuned_base(config)
    train, valid = make_rows(tokenizer)
    if not train or not valid:
        raise PreferenceDataError(f"no row is short enough for train.max_tokens: {config.train.max_tokens}")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    # A new adapter begins as the base: before it is put in, the model is the reference itself.
    measured = {"train": train[:MEASURED], "valid": valid[:MEASURED]}
    before = {name: margin(model, tokenizer, rows) for name, rows in measured.items()}
    trainer = make_trainer(model, tokenizer, new_adapter(config), train, valid, _options(config, device))
    trainer.add_callback(_stop_at(deadline))
    trainer.train(resume_from_checkpoint=any((config.output / CHECKPOINTS).glob("checkpoint-*")))
    history: list[dict[str, Any]] = trainer.state.log_history
    _write_history(config.output, method, history)
    report: dict[str, Any] = {
        "method": method,
        "ended": "steps" if trainer.state.global_step >= config.train.steps else "budget",
        "step": trainer.state.global_step,
        "rows": {"train": len(train), "valid": len(valid)},
        "margin_before": before,
        "margin_after": {name: margin(trainer.model, tokenizer, rows) for name, rows in measured.items()},
        "seconds": round(time.monotonic() - started, 1),
        "config": config.model_dump(mode="json", exclude={"data", "output", "base", "adapter"}),
        **run_facts(device),
    }
    if report["ended"] == "steps":
        weights = adapter_weights(trainer.model)
        coded = knows_codes(config.adapter)
        save_adapter(trainer.model, weights, _name(config), config.output / ADAPTER, coded)
        finished.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def _options(config: PreferenceConfig, device: torch.device) -> dict[str, Any]:
    """What both trainers take (Transformers' names)."""
    chosen = config.train
    return {
        "output_dir": str(config.output / CHECKPOINTS),
        "max_steps": chosen.steps,
        "per_device_train_batch_size": chosen.batch,
        "per_device_eval_batch_size": chosen.batch,
        "gradient_accumulation_steps": chosen.accumulate,
        "learning_rate": chosen.learning_rate,
        "lr_scheduler_type": "cosine",
        "warmup_steps": round(chosen.warmup * chosen.steps),
        "beta": chosen.beta,
        "max_length": chosen.max_tokens,
        recompute_option(transformers.TrainingArguments): chosen.checkpointing,
        "bf16": device.type == "cuda",
        "use_cpu": device.type == "cpu",
        "dataloader_pin_memory": device.type == "cuda",
        "eval_strategy": "steps",
        "eval_steps": chosen.every,
        "save_strategy": "steps",
        "save_steps": chosen.every,
        "save_total_limit": 2,
        "logging_steps": 1 if chosen.steps <= chosen.every else max(1, chosen.every // 5),
        "seed": chosen.seed,
        "data_seed": chosen.seed,
        "report_to": "none",
    }


def _stop_at(deadline: float) -> Any:
    class StopAt(transformers.TrainerCallback):
        """Keeps a checkpoint and ends when the time is up."""

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            if time.monotonic() >= deadline and state.global_step < state.max_steps:
                control.should_save = control.should_training_stop = True

    return StopAt()


def _write_history(folder: Path, method: str, history: Sequence[dict[str, Any]]) -> None:
    (folder / METRICS).write_text("".join(json.dumps(row) + "\n" for row in history), "utf-8")
    found = curves(history)
    (folder / CURVES).write_text(json.dumps(found) + "\n", "utf-8")
    if found:
        write_curves(folder / PLOT, found, f"Preference tuning: {method}", "loss (nats) and reward margin")


def _name(config: PreferenceConfig) -> str:
    return config.base_name or (EMBEDDED_ID if "gguf" in config.base else config.base)
