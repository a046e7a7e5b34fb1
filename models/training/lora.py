"""The training loop of a LoRA adapter and how the adapter is saved."""

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import peft
import torch
from safetensors import torch as safetensors_torch
from tqdm import tqdm

from models.adapter_marks import WEIGHTS, marks
from models.training.chat_tokens import Tokens, batches
from models.training.warm_cosine import warm_cosine


@dataclass(frozen=True, slots=True)
class LoraRecipe:
    """How an adapter is trained.

    Attributes:
        rank: LoRA rank on every linear layer; alpha is twice the rank.
        learning_rate: Peak of a cosine schedule with 5 % warm-up.
        epochs: Passes over the training tokens.
        batch_size: Examples a step.
        dropout: On the adapter's inputs.
        weight_decay: Of AdamW.
        clip: Largest norm of a gradient.
        seed: For initial weights, order and dropout.
        max_steps: Stops early, for smoke tests.
    """

    rank: int = 16
    learning_rate: float = 1e-3
    epochs: int = 3
    batch_size: int = 16
    dropout: float = 0.05
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 7
    max_steps: int | None = None


@dataclass(frozen=True, slots=True)
class EpochResult:
    """Losses (natural log, mean over a source's reply tokens) after one epoch."""

    epoch: int
    train: float
    valid: Mapping[str, float]

    @property
    def score(self) -> float:
        """Validation loss over all sources' tokens."""
        return self.valid["all"]


@dataclass(frozen=True, slots=True)
class Trained:
    """The best epoch's adapter weights and the losses of all epochs; epoch 0 is the untrained base."""

    model: Any
    weights: Mapping[str, torch.Tensor]
    results: tuple[EpochResult, ...]
    best: EpochResult


def train_lora(
    model: Any,
    train: Sequence[Tokens],
    valid: Sequence[Tokens],
    recipe: LoraRecipe,
    pad: int,
    start: Path | None = None,
) -> Trained:
    """Train an adapter and keep the epoch with the lowest validation score.

    Args:
        model: A causal language model on its device, float32.
        train: Examples to learn, repeats included.
        valid: Examples of other conversations.
        recipe: Settings.
        pad: Id of the padding token.
        start: Folder of an adapter to go on from, which keeps its own rank; ``None`` begins anew.

    Raises:
        ValueError: One of the sets is empty.
    """
    if not train or not valid:
        msg = f"nothing to train on: {len(train)} training and {len(valid)} validation examples"
        raise ValueError(msg)
    library: Any = torch
    library.manual_seed(recipe.seed)
    adapted = _adapted(model, recipe, start)
    optimiser = torch.optim.AdamW(
        [p for p in adapted.parameters() if p.requires_grad],
        lr=recipe.learning_rate,
        weight_decay=recipe.weight_decay,
    )
    steps = recipe.max_steps or recipe.epochs * math.ceil(len(train) / recipe.batch_size)
    warm = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: warm_cosine(step, warm, steps))
    results = [EpochResult(0, math.nan, evaluate(adapted, valid, recipe.batch_size, pad))]
    best, weights = None, {}
    bar: Any
    with tqdm(total=steps, unit="step") as bar:
        for epoch in range(1, recipe.epochs + 1):
            loss = _one_epoch(adapted, train, recipe, pad, epoch, optimiser, schedule, bar)
            results.append(EpochResult(epoch, loss, evaluate(adapted, valid, recipe.batch_size, pad)))
            bar.set_postfix(train=f"{loss:.3f}", valid=f"{results[-1].score:.3f}")
            if best is None or results[-1].score < best.score:
                best, weights = results[-1], adapter_weights(adapted)
            if bar.n >= steps:
                break
    assert best is not None  # noqa: S101 - at least one epoch was run
    return Trained(adapted, weights, tuple(results), best)


def _adapted(model: Any, recipe: LoraRecipe, start: Path | None) -> Any:
    adapters: Any = peft
    if start is not None:
        return adapters.PeftModel.from_pretrained(model, str(start), is_trainable=True)
    config = adapters.LoraConfig(
        r=recipe.rank,
        lora_alpha=2 * recipe.rank,
        lora_dropout=recipe.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    return adapters.get_peft_model(model, config)


def restore_best(trained: Trained) -> Any:
    """The trained model with the weights of its best epoch."""
    adapters: Any = peft
    adapters.set_peft_model_state_dict(trained.model, dict(trained.weights))
    return trained.model


def evaluate(model: Any, tokens: Sequence[Tokens], batch_size: int, pad: int) -> dict[str, float]:
    """Mean loss of the reply tokens of each source, and of ``all`` together."""
    by_source: defaultdict[str, list[Tokens]] = defaultdict(list)
    for item in tokens:
        by_source[item.source].append(item)
    model.eval()
    losses: dict[str, float] = {}
    everything, tokens_seen = 0.0, 0
    with torch.no_grad():
        for source, items in sorted(by_source.items()):
            total, count = 0.0, 0
            for batch in batches(items, batch_size, pad, None):
                replies = int((batch.labels[:, 1:] >= 0).sum())
                total += float(_loss(model, batch)) * replies
                count += replies
            losses[source] = total / count
            everything, tokens_seen = everything + total, tokens_seen + count
    return losses | {"all": everything / tokens_seen}


def save_adapter(
    model: Any, weights: Mapping[str, torch.Tensor], base_name: str, folder: Path, codes: bool = False
) -> None:
    """Write ``adapter_model.safetensors`` (bfloat16) and ``adapter_config.json`` without local paths.

    Args:
        model: A PEFT model, for its shape.
        weights: Of the adapter.
        base_name: What the files call the base.
        folder: Where they go.
        codes: Whether it was tuned with control codes (:mod:`models.control_code`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    model.peft_config["default"].save_pretrained(str(folder))
    file = folder / "adapter_config.json"
    config = json.loads(file.read_text("utf-8"))
    config["base_model_name_or_path"] = base_name
    config["inference_mode"] = True
    config["target_modules"] = sorted(config["target_modules"])
    file.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", "utf-8")
    halves = {name: tensor.to(torch.bfloat16).contiguous() for name, tensor in weights.items()}
    files: Any = safetensors_torch
    files.save_file(halves, folder / WEIGHTS, metadata=marks(codes))


def _one_epoch(
    model: Any,
    train: Sequence[Tokens],
    recipe: LoraRecipe,
    pad: int,
    epoch: int,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LambdaLR,
    bar: Any,
) -> float:
    model.train()
    total, count = 0.0, 0
    for batch in batches(train, recipe.batch_size, pad, recipe.seed + epoch):
        loss: Any = _loss(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], recipe.clip)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        total, count = total + float(loss.detach()), count + 1
        bar.update(1)
        if bar.n >= bar.total:
            break
    return total / count


def _loss(model: Any, batch: Any) -> torch.Tensor:
    device = model.device
    # bfloat16 arithmetic where the card has it; the weights and the optimiser stay in float32.
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
        output = model(
            input_ids=batch.input_ids.to(device),
            attention_mask=batch.attention_mask.to(device),
            labels=batch.labels.to(device),
        )
    return output.loss


def adapter_weights(model: Any) -> dict[str, torch.Tensor]:
    """A copy of an adapter's weights, on the CPU."""
    adapters: Any = peft
    state = adapters.get_peft_model_state_dict(model, save_embedding_layers=False)
    return {name: tensor.detach().to("cpu", copy=True) for name, tensor in state.items()}
