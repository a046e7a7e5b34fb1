"""One run of GRPO with TRL: prompts to replies to rewards, checkpoints, measurements, the adapter."""

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import peft
import torch
import transformers

from models.adapter_marks import knows_codes
from models.training.base_model import EMBEDDED_ID, load_base, recompute_option
from models.training.chat_tokens import end_token, prompt_text
from models.training.grpo_config import GrpoConfig
from models.training.grpo_rewards import coherence_floor, weighted_rewards
from models.training.grpo_rows import PROMPTS, GrpoDataError, PromptRow, read_prompts
from models.training.lora import adapter_weights, save_adapter
from models.training.loss_curves import write_curves
from models.training.reward_scoring import BatchScorer, base_likelihood, load_batch_scorer
from models.training.run_facts import run_facts
from models.training.run_folder import ADAPTER, CHECKPOINTS, CURVES, METRICS, PLOT, REPORT, claim


def run(config: GrpoConfig, deadline: float, scorer: BatchScorer | None = None) -> dict[str, Any]:
    """Train, or go on where an earlier call was broken off, and write everything.

    Args:
        config: Settings.
        deadline: ``time.monotonic()`` by which the call should end; the adapter so far is written then, and a
            checkpoint to go on from.
        scorer: Measures replies; that of the settings when ``None``.

    Returns:
        The report, also in ``training.json``; ``ended`` is ``steps`` or ``budget``.

    Raises:
        GrpoDataError: A row is bad, or too few prompts are short enough.
        RunFolderError: The folder holds a run with other settings or data.
    """
    started = time.monotonic()
    rows = [row for row in read_prompts(config.prepared / PROMPTS) if row.split == "train"]
    claim(config.output, config.digest((config.prepared / PROMPTS).read_bytes()))
    finished = _finished(config.output / REPORT)
    if finished is not None:
        return finished
    model, tokenizer = load_policy(config)
    data = prompt_columns(rows, tokenizer, config)
    if len(data) < config.train.prompts:
        raise GrpoDataError(
            f"{len(data)} prompts are no longer than train.max_prompt_tokens:"
            f" {config.train.max_prompt_tokens}; {config.train.prompts} are needed"
        )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    options = config.encoder
    scorer = scorer or load_batch_scorer(options.name, options.file, options.threads, options.device)
    likelihood = base_likelihood(model, tokenizer, min(config.train.micro_batch, 32))
    floor = coherence_floor(
        likelihood,
        [row["prompt"] for row in data],
        [row["reply"] for row in data],
        config.reward,
        config.train.seed,
    )
    rewards = weighted_rewards(config.reward, scorer, likelihood, floor)
    trainer = _trainer(config, model, tokenizer, data, rewards, device)
    trainer.add_callback(_stop_at(deadline))
    setup = time.monotonic() - started
    trainer.train(resume_from_checkpoint=any((config.output / CHECKPOINTS).glob("checkpoint-*")))
    history: list[dict[str, Any]] = trainer.state.log_history
    write_history(config.output, history)
    report: dict[str, Any] = {
        "method": "grpo",
        "ended": "steps" if trainer.state.global_step >= config.train.steps else "budget",
        "step": trainer.state.global_step,
        "prompts": len(data),
        "coherence_floor": floor if math.isfinite(floor) else None,
        "reward_weights": {function.__name__: weight for function, weight in rewards},
        "first": ends(history)[0],
        "last": ends(history)[1],
        "seconds": round(time.monotonic() - started, 1),
        "setup_seconds": round(setup, 1),
        "config": config.model_dump(
            mode="json", exclude={"prepared": True, "output": True, "base": True, "encoder": {"file"}}
        ),
        **run_facts(device),
    }
    name = config.base_name or (EMBEDDED_ID if "gguf" in config.base else config.base)
    coded = knows_codes(config.adapter)
    save_adapter(trainer.model, adapter_weights(trainer.model), name, config.output / ADAPTER, coded)
    (config.output / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def load_policy(config: GrpoConfig) -> tuple[Any, Any]:
    """The base with the adapter that learns, and its tokenizer."""
    torch.manual_seed(config.train.seed)  # pyright: ignore[reportUnknownMemberType]
    base, tokenizer = load_base(config.base, getattr(torch, config.dtype))
    # A reply ends with the mark of the chat template, which is not always the tokenizer's own.
    end = end_token(tokenizer)
    tokenizer.eos_token = tokenizer.convert_ids_to_tokens(end)
    tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "left"
    base.generation_config.eos_token_id = end
    base.generation_config.bos_token_id = None
    adapters: Any = peft
    if config.adapter is not None:
        model = adapters.PeftModel.from_pretrained(base, str(config.adapter), is_trainable=True)
        # With the name of a public base, saving would look it up in the hub each time.
        model.peft_config["default"].base_model_name_or_path = None
        return model, tokenizer
    shape = peft.LoraConfig(
        r=config.lora.rank,
        lora_alpha=config.lora.alpha,
        lora_dropout=config.lora.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    return adapters.get_peft_model(base, shape), tokenizer


def prompt_columns(rows: Sequence[PromptRow], tokenizer: Any, config: GrpoConfig) -> list[dict[str, Any]]:
    """Rows as TRL takes them: the prompt as served, and the columns of the rewards.

    Older turns are left out until a prompt fits; a row whose last message alone is too long is left out.
    """
    found: list[dict[str, Any]] = []
    for row in rows:
        for first in range(0, len(row.turns), 2):
            text = prompt_text(tokenizer, row.messages[first:], 0, config.profile, row.code)
            if len(tokenizer(text, add_special_tokens=False)["input_ids"]) <= config.train.max_prompt_tokens:
                turns = [turn.model_dump() for turn in row.turns]
                kept = {"key": row.key, "turns": turns, "previous": list(row.previous), "reply": row.reply}
                kept["mood"] = row.mood
                found.append({"prompt": text, **kept})
                break
    return found


def write_history(folder: Path, history: Sequence[Mapping[str, Any]]) -> None:
    """Write everything TRL measured, and the curves."""
    (folder / METRICS).write_text("".join(json.dumps(row) + "\n" for row in history), "utf-8")
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in history:
        for key, value in row.items():
            name = _plotted(key)
            if name and isinstance(value, int | float) and math.isfinite(value):
                curves.setdefault(name, []).append((float(row["step"]), float(value)))
    (folder / CURVES).write_text(json.dumps(curves) + "\n", "utf-8")
    if curves:
        write_curves(folder / PLOT, curves, "GRPO", "reward terms (mean), KL (nats a token)")


def ends(history: Sequence[Mapping[str, Any]], rows: int = 5) -> tuple[dict[str, float], dict[str, float]]:
    """Means of the first and of the last measurements of what is trained on."""
    steps = [row for row in history if "reward" in row]

    def mean(part: Sequence[Mapping[str, Any]]) -> dict[str, float]:
        names = {key for row in part for key in row if _plotted(key) or key in _NUMBERS}
        return {
            name: round(sum(row[name] for row in part if name in row) / sum(name in row for row in part), 4)
            for name in sorted(names)
        }

    return mean(steps[:rows]), mean(steps[-rows:])


_NUMBERS = ("quality", "divergence", "words", "reward_std", "completions/mean_length")


def _plotted(key: str) -> str | None:
    if key in ("reward", "kl"):
        return key
    parts = key.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "rewards" and parts[2] == "mean" else None


def _finished(file: Path) -> dict[str, Any] | None:
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found if found.get("ended") == "steps" else None


def _trainer(
    config: GrpoConfig,
    model: Any,
    tokenizer: Any,
    data: Sequence[dict[str, Any]],
    rewards: Sequence[tuple[Callable[..., list[float]], float]],
    device: torch.device,
) -> Any:
    import datasets
    import trl

    library: Any = trl
    sets: Any = datasets.Dataset
    chosen = config.train
    options = library.GRPOConfig(
        output_dir=str(config.output / CHECKPOINTS),
        max_steps=chosen.steps,
        per_device_train_batch_size=chosen.micro_batch,
        gradient_accumulation_steps=chosen.prompts * chosen.group // chosen.micro_batch,
        num_generations=chosen.group,
        max_completion_length=chosen.max_reply_tokens,
        temperature=chosen.temperature,
        top_p=chosen.top_p,
        beta=chosen.beta,
        learning_rate=chosen.learning_rate,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=chosen.warmup,
        disable_dropout=True,
        scale_rewards="group" if chosen.scale_by_group else "none",
        reward_weights=[weight for _, weight in rewards],
        **{recompute_option(library.GRPOConfig): chosen.checkpointing},
        bf16=device.type == "cuda",
        use_cpu=device.type == "cpu",
        dataloader_pin_memory=device.type == "cuda",
        save_strategy="steps",
        save_steps=chosen.every,
        save_total_limit=2,
        logging_steps=1,
        seed=chosen.seed,
        data_seed=chosen.seed,
        report_to="none",
    )
    return library.GRPOTrainer(
        model=model,
        reward_funcs=[function for function, _ in rewards],
        args=options,
        train_dataset=sets.from_list(list(data)),
        processing_class=tokenizer,
    )


def _stop_at(deadline: float) -> Any:
    class StopAt(transformers.TrainerCallback):
        """Keeps a checkpoint and ends while there is still time for one more step like the last ones."""

        def __init__(self) -> None:
            self._last = time.monotonic()
            self._longest = 0.0

        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            self._last = time.monotonic()

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            now = time.monotonic()
            self._longest = max(self._longest, now - self._last)
            if now + self._longest >= deadline and state.global_step < state.max_steps:
                control.should_save = control.should_training_stop = True

    return StopAt()
