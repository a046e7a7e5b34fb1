"""A file as of a tuned reader of strategies, with weights that are zero, and the head beside it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import numpy as safetensors_numpy

from models.head_file import write_head
from models.reader_file import BIAS, FILE, FIRST, HEAD, KIND, OUTPUT, SECOND

LAYER = "body.base_model.model.layers.0.self_attn.q_proj"
STRATEGY_NAMES = ["Question", "Others"]
FACTS: dict[str, Any] = {
    "head": KIND,
    "base": "SmolLM2-135M-Instruct",
    "rank": 2,
    "context_tokens": 256,
    "strategies": STRATEGY_NAMES,
    "mean": {"encoder": 0.9, "reader": 1.1, "weight": 0.8, "mean": 1.0},
    "data": "ESConv",
    "licence": "CC BY-NC 4.0",
}
SHAPES = {LAYER + FIRST: (2, 8), LAYER + SECOND: (6, 2), OUTPUT: (2, 8), BIAS: (2,)}


def write_reader_file(
    folder: Path,
    facts: Any = None,
    shapes: Mapping[str, tuple[int, ...]] = SHAPES,
    bias: Sequence[float] | None = None,
) -> Path:
    """Write a file that is right, or one with other facts, shapes or a bias that decides everything."""
    files: Any = safetensors_numpy
    tensors = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    if bias is not None:
        tensors[BIAS] = np.array(bias, np.float32)
    metadata = {"facts": json.dumps(FACTS if facts is None else facts)}
    files.save_file(tensors, folder / FILE, metadata=metadata)
    return folder / FILE


def write_head_beside(folder: Path, names: list[str] = STRATEGY_NAMES) -> None:
    """A head of strategies for the shared encoder."""
    facts = {"encoder": "e5-mint", "head": "strategies", "strategies": names}
    write_head(folder / HEAD, {"mean": np.zeros(1, np.float32)}, facts)
