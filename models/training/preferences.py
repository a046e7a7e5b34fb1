"""Preference tuning with TRL on the app's exports: what KTO and DPO share.

Prompts are written in the profile's own form and chat template, exactly as served, and given to TRL as
text; older turns are left out until a row fits. TRL and datasets are imported here and only when a
training begins.
"""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Generic

import peft
import torch

from models.adapter_marks import knows_codes
from models.chat_model import ChatMessage
from models.training.base_model import load_base
from models.training.chat_tokens import end_token, prompt_text
from models.training.example import is_held_out
from models.training.preference_config import PreferenceConfig
from models.training.preference_rows import Example, LabelledExample, PairedExample, PreferenceDataError
from models.training.shipped_kinds import shipped_kinds

Row = dict[str, Any]
"""One row as TRL takes it: ``prompt`` and replies as text."""


@dataclass(frozen=True, slots=True)
class Split(Generic[Example]):
    """Examples to learn from and examples of other conversations to measure on."""

    train: tuple[Example, ...]
    valid: tuple[Example, ...]


def split(examples: Sequence[Example], share: float, seed: int) -> Split[Example]:
    """Keep whole conversations apart, and shuffle what is learned from.

    Raises:
        PreferenceDataError: One side would be empty.
    """
    train = [example for example in examples if not is_held_out(example.group, share)]
    valid = tuple(example for example in examples if is_held_out(example.group, share))
    if not train or not valid:
        msg = f"too few conversations: {len(train)} examples to learn from, {len(valid)} to measure on"
        raise PreferenceDataError(msg)
    random.Random(seed).shuffle(train)  # noqa: S311 - not for secrets
    return Split(tuple(train), valid)


def load_tuned_base(config: PreferenceConfig) -> tuple[Any, Any]:
    """The base with an adapter that learns, and its tokenizer.

    A new adapter begins as the base itself, which then is the reference; one that is gone on from is
    copied by TRL for a reference.
    """
    torch.manual_seed(config.train.seed)  # pyright: ignore[reportUnknownMemberType]
    base, tokenizer = load_base(config.base, getattr(torch, config.dtype))
    # TRL ends a reply with this token, which is not always the mark of the chat template.
    tokenizer.eos_token = tokenizer.convert_ids_to_tokens(end_token(tokenizer))
    adapters: Any = peft
    if config.adapter is not None:
        return adapters.PeftModel.from_pretrained(base, str(config.adapter), is_trainable=True), tokenizer
    return base, tokenizer


def new_adapter(config: PreferenceConfig) -> Any:
    """The shape of a new adapter, ``None`` where one is gone on from."""
    if config.adapter is not None:
        return None
    return peft.LoraConfig(
        r=config.lora.rank,
        lora_alpha=config.lora.alpha,
        lora_dropout=config.lora.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def with_codes(examples: Split[Example], config: PreferenceConfig) -> Split[Example]:
    """Examples with control codes for their prompts, where the adapter knows codes and rows have none."""
    if not knows_codes(config.adapter):
        return examples

    def coded(example: Example) -> Example:
        said = [turn.content for turn in example.turns if turn.role == "user"]
        return example if example.code else replace(example, code=shipped_kinds().code(said))

    return Split(tuple(map(coded, examples.train)), tuple(map(coded, examples.valid)))


def labelled_row(example: LabelledExample, tokenizer: Any, config: PreferenceConfig) -> Row | None:
    """A row for KTO, ``None`` if it does not fit."""
    prompt = fitting_prompt(example.turns, (example.reply,), tokenizer, config, example.code)
    if prompt is None:
        return None
    return {"prompt": prompt, "completion": example.reply, "label": example.good}


def paired_row(example: PairedExample, tokenizer: Any, config: PreferenceConfig) -> Row | None:
    """A row for DPO, ``None`` if it does not fit."""
    prompt = fitting_prompt(
        example.turns, (example.chosen, example.rejected), tokenizer, config, example.code
    )
    if prompt is None:
        return None
    return {"prompt": prompt, "chosen": example.chosen, "rejected": example.rejected}


def fitting_prompt(
    turns: Sequence[ChatMessage],
    replies: Sequence[str],
    tokenizer: Any,
    config: PreferenceConfig,
    code: str = "",
) -> str | None:
    """The prompt as served, with as many of the latest turns as leave room for the longest reply."""
    longest = max(len(tokenizer(reply, add_special_tokens=False)["input_ids"]) for reply in replies)
    for first in range(0, len(turns), 2):
        text = prompt_text(tokenizer, turns[first:], 0, config.profile, code)
        length = len(tokenizer(text, add_special_tokens=False)["input_ids"])
        if length + longest + 1 <= config.train.max_tokens:
            return text
    return None


def label_weights(rows: Sequence[Row], balance: bool) -> tuple[float, float]:
    """Weights of good and of bad replies; the rarer side is raised until both count alike.

    Ethayarajh et al. 2024 (arXiv 2402.01306), equation 8: λ_D n_D / (λ_U n_U) from 1 to 4/3.
    """
    good = sum(row["label"] for row in rows)
    bad = len(rows) - good
    if not balance or not good or not bad:
        return 1.0, 1.0
    return max(1.0, bad / good), max(1.0, good / bad)


def log_probability(model: Any, tokenizer: Any, prompt: str, reply: str) -> float:
    """Mean log-probability (nats) of the reply's tokens and its end mark."""
    start: list[int] = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    rest: list[int] = tokenizer(reply, add_special_tokens=False)["input_ids"]
    ids = torch.tensor([[*start, *rest, end_token(tokenizer)]], device=model.device)
    with torch.no_grad():
        logits: torch.Tensor = model(input_ids=ids).logits[0, :-1].float()
    found = torch.log_softmax(logits, -1).gather(-1, ids[0, 1:, None])[len(start) - 1 :]
    return float(found.mean())


def margin(model: Any, tokenizer: Any, rows: Sequence[Row]) -> float:
    """How much likelier (nats a token) what people preferred is than what they did not.

    Of pairs the mean difference within a pair; of labelled replies the difference of the two means,
    ``nan`` where one label is missing.
    """
    was_training = model.training
    model.eval()
    try:
        if "chosen" in rows[0]:
            pairs = ((row["prompt"], row["chosen"], row["rejected"]) for row in rows)
            return fmean(
                log_probability(model, tokenizer, prompt, chosen)
                - log_probability(model, tokenizer, prompt, rejected)
                for prompt, chosen, rejected in pairs
            )
        found: dict[bool, list[float]] = {True: [], False: []}
        for row in rows:
            found[row["label"]].append(log_probability(model, tokenizer, row["prompt"], row["completion"]))
        return fmean(found[True]) - fmean(found[False]) if all(found.values()) else math.nan
    finally:
        model.train(was_training)


def curves(history: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[float, float]]]:
    """Loss and reward margin over the steps, of training and of held-out conversations, ready to plot."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in history:
        for name, value in _measured(row):
            found.setdefault(name, []).append((float(row["step"]), value))
    return found


_PLOTTED = {
    "loss": "loss, train",
    "eval_loss": "loss, valid",
    "rewards/margins": "reward margin, train",
    "eval_rewards/margins": "reward margin, valid",
}


def _measured(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key, name in _PLOTTED.items():
        value = row.get(key)
        if isinstance(value, int | float) and math.isfinite(value):
            yield name, float(value)
