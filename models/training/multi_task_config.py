"""Settings of the multi-task recipe, read from a YAML file and checked before anything is loaded."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from models.training.config_file import ConfigError, ProfileKey, Section, read_settings

__all__ = ["ConfigError", "LoraSettings", "LossWeights", "MultiTaskConfig", "read_config"]


class LoraSettings(Section):
    """Shape of the adapter: its update is ``alpha / rank * B A`` (Hu et al. 2021, section 4.1)."""

    rank: int = Field(default=16, ge=1)
    alpha: int = Field(default=32, ge=1)
    dropout: float = Field(default=0.05, ge=0, lt=1)


class LossWeights(Section):
    """Weights of the terms beside the language loss, whose weight is 1; all terms are in nats."""

    emotion: float = Field(default=0.2, ge=0)
    strategy: float = Field(default=0.2, ge=0)
    kl: float = Field(default=0.1, ge=0)


class TrainSettings(Section):
    """How long and how fast.

    Attributes:
        steps: Optimiser steps, the length of the cosine.
        batch: Examples a step, drawn over the three kinds of data by ``mixing_exponent``.
        safety_batch: Safety examples a step, beside ``batch``.
        micro_batch: Most examples of one pass through the model; lower it to save memory.
        mixing_exponent: a in p ∝ n^a.
        learning_rate: Peak rate of the adapter.
        head_learning_rate: Peak rate of the two heads.
        warmup: Share of the steps in which the rate rises.
        max_tokens: Longest dialogue; older turns are left out of longer ones.
        reading_tokens: Longest text that the heads read; it is cut at the front.
        checkpointing: Recompute activations to save memory.
    """

    steps: int = Field(default=160, ge=1)
    batch: int = Field(default=256, ge=1)
    safety_batch: int = Field(default=8, ge=1)
    micro_batch: int = Field(default=256, ge=1)
    mixing_exponent: float = Field(default=0.5, ge=0, le=1)
    learning_rate: float = Field(default=1e-3, gt=0)
    head_learning_rate: float = Field(default=2e-3, gt=0)
    warmup: float = Field(default=0.05, ge=0, le=1)
    weight_decay: float = Field(default=0.01, ge=0)
    clip: float = Field(default=1.0, gt=0)
    max_tokens: int = Field(default=768, ge=16)
    reading_tokens: int = Field(default=160, ge=8)
    checkpointing: bool = False
    seed: int = 3


class ValidationSettings(Section):
    """When the held-out conversations are measured, and when training ends early.

    Attributes:
        every: Steps between two measurements; a checkpoint is written with each.
        patience: Measurements without a better language loss after which training ends.
        rows: Most held-out rows of each kind that are measured.
    """

    every: int = Field(default=20, ge=1)
    patience: int = Field(default=3, ge=1)
    rows: int = Field(default=2000, ge=1)


class SampleSettings(Section):
    """Replies drawn from the best model for reading and for predicted Q.

    Attributes:
        contexts: File of messages, one a line, ``==`` between conversations.
        turns: Messages of each conversation that are played.
        held_out: Held-out dialogue contexts of each source.
        replies: Replies to each context; 0 draws none.
    """

    contexts: str | None = "evals/contexts/everyday.txt"
    turns: int = Field(default=2, ge=1)
    held_out: int = Field(default=20, ge=0)
    replies: int = Field(default=4, ge=0)


class MultiTaskConfig(Section):
    """The whole recipe.

    Attributes:
        base: ``gguf`` (the embedded weights), a ``.gguf`` file, a Transformers folder, or a public name.
        base_name: What the adapter's file calls its base; by default the public name of the embedded
            weights, else ``base``.
        profile: Key of ``models/profiles.yaml``: prompt and sampling as served.
        dtype: Of the frozen base; adapter and heads stay in float32.
        prepared: Folder that ``models.training.multi_task_prepare`` wrote.
        output: Folder for results; each variant gets a folder in it.
        esconv: Learn from ESConv too. It is licensed CC BY-NC 4.0: the result is marked non-commercial.
        limit: Most training rows of each kind, for trials.
    """

    base: str = "gguf"
    base_name: str | None = None
    profile: ProfileKey = "embedded"
    dtype: Literal["float32", "bfloat16"] = "float32"
    prepared: Path = Path("var/multi_task")
    output: Path = Path("var/multi_task_run")
    esconv: bool = False
    limit: int | None = Field(default=None, ge=1)
    lora: LoraSettings = LoraSettings()
    loss: LossWeights = LossWeights()
    train: TrainSettings = TrainSettings()
    validation: ValidationSettings = ValidationSettings()
    samples: SampleSettings = SampleSettings()

    def with_steps(self, steps: int) -> "MultiTaskConfig":
        """The same with another number of steps."""
        return self.model_copy(update={"train": self.train.model_copy(update={"steps": steps})})

    def digest(self) -> str:
        """Names what decides the result of a training: everything but where it is written."""
        facts = self.model_dump(mode="json", exclude={"output", "prepared", "samples"})
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def read_config(file: Path, changes: Sequence[str] = ()) -> MultiTaskConfig:
    """Read a configuration; see :func:`models.training.config_file.read_settings`."""
    return read_settings(MultiTaskConfig, file, changes)
