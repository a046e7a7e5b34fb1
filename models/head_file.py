"""Trained heads: small networks over embeddings, stored as safetensors and run with NumPy."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors import numpy as safetensors_numpy

HEADS_FOLDER = Path(__file__).parent / "heads"

Array = NDArray[np.float32]

FARTHEST = 8.0
"""Standard deviations at which an input is cut, so that an odd text can't blow a score up."""


class HeadError(Exception):
    """A head's file is missing, broken or belongs to another encoder."""


@dataclass(frozen=True, slots=True)
class Head:
    """One trained head.

    Attributes:
        tensors: Weights by name.
        facts: What the file says about itself: ``encoder``, ``features``, data, scores.
    """

    tensors: Mapping[str, Array]
    facts: Mapping[str, Any]

    def forward(self, inputs: Array) -> Array:
        """Run the layers ``w0, b0, w1, b1, …`` with ReLU between them.

        Args:
            inputs: Shape ``(n, features)``.

        Returns:
            The last layer's output, ``(n, outputs)``; no activation.
        """
        standard = (inputs - self.tensors["mean"]) / self.tensors["scale"]
        hidden = np.clip(standard, -FARTHEST, FARTHEST)
        depth = sum(name.startswith("w") for name in self.tensors)
        for layer in range(depth):
            if layer:
                hidden = np.maximum(hidden, 0.0)
            hidden = hidden @ self.tensors[f"w{layer}"] + self.tensors[f"b{layer}"]
        return hidden


def read_head(path: Path, *encoders: str) -> Head:
    """Read a head and check that it belongs to the encoder.

    Args:
        path: A ``head.safetensors`` file.
        encoders: Names of the encoders in use.

    Raises:
        HeadError: If the file can't be read or names another encoder.
    """
    try:
        with cast(Any, safe_open)(path, framework="numpy") as file:
            metadata: dict[str, str] = file.metadata() or {}
            facts: dict[str, Any] = json.loads(metadata.get("facts", "{}"))
            tensors: dict[str, Array] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, ValueError, SafetensorError) as error:
        raise HeadError(f"cannot read the head {path.name}: {error}") from error
    if facts.get("encoder") not in encoders:
        wanted = " or ".join(map(repr, encoders))
        raise HeadError(f"{path} was trained for {facts.get('encoder')!r}, not for {wanted}")
    return Head(tensors, facts)


def read_facts(path: Path) -> dict[str, Any]:
    """What a file says about itself; its tensors may be of any type.

    Raises:
        HeadError: If the file can't be read.
    """
    try:
        with cast(Any, safe_open)(path, framework="numpy") as file:
            metadata: dict[str, str] = file.metadata() or {}
            facts: object = json.loads(metadata.get("facts", "{}"))
    except (OSError, ValueError, SafetensorError) as error:
        raise HeadError(f"cannot read the head {path.name}: {error}") from error
    if not isinstance(facts, dict):
        raise HeadError(f"{path.name} says nothing about itself")
    return cast(dict[str, Any], facts)


def write_head(path: Path, tensors: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
    """Write a head; ``facts`` must be JSON and hold ``encoder``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    contiguous = {name: np.ascontiguousarray(value, dtype=np.float32) for name, value in tensors.items()}
    cast(Any, safetensors_numpy).save_file(
        contiguous, path, metadata={"facts": json.dumps(dict(facts), ensure_ascii=False)}
    )
    path.chmod(0o644)  # safetensors writes files only their owner can read
