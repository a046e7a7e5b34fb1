"""Settings of the recipe of the small Chinese ECoT model, and what identifies a run."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from models.training.config_file import Section, read_settings
from models.training.ecot_book import FOLDER


class ShapeSettings(Section):
    """Shape of the Qwen3 network.

    Attributes:
        vocabulary: Most tokens.
        width: Of the residual stream.
        inner: Of the feed-forward layers.
        layers: Number of blocks.
        heads: Query heads of ``head_width`` each.
        key_heads: Key and value heads, a divisor of ``heads``.
        context: Longest prompt with its reply that the configuration allows.
    """

    vocabulary: int = Field(default=4096, ge=300)
    width: int = Field(default=256, ge=16)
    inner: int = Field(default=768, ge=16)
    layers: int = Field(default=6, ge=1)
    heads: int = Field(default=4, ge=1)
    key_heads: int = Field(default=2, ge=1)
    head_width: int = Field(default=64, ge=8)
    context: int = Field(default=4096, ge=512)


class TrainSettings(Section):
    """How long and how fast.

    Attributes:
        device: ``auto`` takes a GPU if there is one.
        conversations: How many are composed; each ends in one reply to learn.
        validation: How many more are composed with messages that are kept apart.
        steps: Optimiser steps, the length of the cosine.
        batch: Conversations a step.
        learning_rate: Peak rate.
        warmup: Share of the steps in which the rate rises.
        every: Steps between two measurements, each with a checkpoint.
    """

    device: Literal["auto", "cpu", "cuda"] = "auto"
    conversations: int = Field(default=20000, ge=8)
    validation: int = Field(default=256, ge=4)
    steps: int = Field(default=3000, ge=1)
    batch: int = Field(default=64, ge=1)
    learning_rate: float = Field(default=1.5e-3, gt=0)
    weight_decay: float = Field(default=0.05, ge=0)
    clip: float = Field(default=1.0, gt=0)
    warmup: float = Field(default=0.05, ge=0, lt=1)
    every: int = Field(default=250, ge=1)
    seed: int = 20261129


class EcotTinyConfig(Section):
    """The recipe.

    Attributes:
        output: Folder of the run.
        book: Folder of the phrase books.
        shape: Of the network.
        train: How it is trained.
        samples: Held-out prompts that are answered at the end, to see the form; 0 leaves that out.
    """

    output: Path = Path("var/training/ecot_tiny")
    book: Path = FOLDER
    shape: ShapeSettings = ShapeSettings()
    train: TrainSettings = TrainSettings()
    samples: int = Field(default=128, ge=0)

    def claim(self) -> str:
        """What decides the result: settings, but for device and folders, and the phrase books."""
        settings = self.model_dump(mode="json", exclude={"output": True, "book": True, "train": {"device"}})
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
        for file in sorted(self.book.glob("*.txt")):
            digest.update(file.read_bytes())
        return digest.hexdigest()


def read_config(file: Path, changes: Sequence[str] = ()) -> EcotTinyConfig:
    """Read and check a configuration.

    Raises:
        ConfigError: Names key and problem.
    """
    return read_settings(EcotTinyConfig, file, changes)
