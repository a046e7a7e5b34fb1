"""Settings of preference tuning (KTO and DPO), read from YAML and checked before anything is loaded."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from models.training.config_file import ProfileKey, Section, read_settings
from models.training.multi_task_config import LoraSettings


class PreferenceTraining(Section):
    """How long and how fast.

    Attributes:
        steps: Optimiser steps, the length of the cosine.
        batch: Examples of one pass; KTO estimates its reference point from them and needs two or more.
        accumulate: Passes a step.
        learning_rate: Peak rate of the adapter.
        warmup: Share of the steps in which the rate rises.
        beta: How strongly the model is held near where it began; higher is nearer.
        likelihood: DPO: weight of the mean negative log-likelihood of the preferred reply beside its loss
            (Pang et al. 2024, arXiv 2404.19733), which keeps that reply from becoming unlikelier as well.
        max_tokens: Longest prompt with reply; older turns are left out of longer ones.
        every: Steps between two measurements on held-out conversations; a checkpoint is written with each.
        checkpointing: Recompute activations to save memory.
    """

    steps: int = Field(default=200, ge=1)
    batch: int = Field(default=8, ge=2)
    accumulate: int = Field(default=2, ge=1)
    learning_rate: float = Field(default=2e-5, gt=0)
    warmup: float = Field(default=0.1, ge=0, le=1)
    beta: float = Field(default=0.1, gt=0)
    likelihood: float = Field(default=0.0, ge=0)
    max_tokens: int = Field(default=1024, ge=16)
    every: int = Field(default=25, ge=1)
    checkpointing: bool = False
    seed: int = 3


class PreferenceConfig(Section):
    """A whole recipe.

    Attributes:
        base: ``gguf`` (the embedded weights), a ``.gguf`` file, a Transformers folder, or a public name.
        base_name: What the adapter's file calls its base; by default the public name of the embedded
            weights, else ``base``.
        adapter: Folder of an adapter to go on from, such as the shipped one; it keeps its own shape.
        profile: Key of ``models/profiles.yaml``: prompt and chat template as served.
        dtype: Of the frozen base; the adapter stays in float32.
        data: An export, ``kto.jsonl`` or ``dpo.jsonl``.
        output: Folder for results.
        validation_share: Share of the conversations that are only measured on.
        balance: KTO: weigh good and bad replies so that both sides count alike.
    """

    base: str = "gguf"
    base_name: str | None = None
    adapter: Path | None = None
    profile: ProfileKey = "embedded"
    dtype: Literal["float32", "bfloat16"] = "float32"
    data: Path
    output: Path
    validation_share: float = Field(default=0.15, gt=0, lt=1)
    balance: bool = True
    lora: LoraSettings = LoraSettings()
    train: PreferenceTraining = PreferenceTraining()

    def digest(self) -> str:
        """Names what decides the result of a training: everything but where it is written."""
        facts = self.model_dump(mode="json", exclude={"output", "data"})
        content = self.data.read_bytes()
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + content).hexdigest()[:16]


def read_preference_config(file: Path, changes: Sequence[str] = ()) -> PreferenceConfig:
    """Read a configuration; see :func:`models.training.config_file.read_settings`."""
    return read_settings(PreferenceConfig, file, changes)
