"""Low-rank changes of the encoder's weights, as :mod:`models.training.tune_encoder` writes them.

For each linear layer ``l<layer>.<name>`` (``qkv``, ``ao``, ``fi``, ``fo``) the file holds ``….a``
``(rank, inputs)`` and ``….b`` ``(outputs, rank)``; the tuned weight is ``W + scale * b @ a``. They are
merged when the encoder is loaded. Only the last layers are changed, so that one pass gives the untuned and
the tuned vectors at the price of these layers.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors import numpy as safetensors_numpy

Floats = NDArray[np.float32]

LINEAR = ("qkv", "ao", "fi", "fo")
"""Linear layers of a transformer layer: projections, attention output, feed-forward in and out."""


class AdapterError(Exception):
    """An adapter's file is missing, broken or does not fit."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A tuned revision of the encoder.

    Attributes:
        name: Name of the tuned encoder; heads and stored vectors belong to it.
        layers: Transformer layers that are run.
        first: The first layer that is changed; the layers below serve the untuned encoder as well.
        scale: Factor of the low-rank product.
        tensors: ``….a`` and ``….b`` of each linear layer.
        facts: Data, recipe and scores.
    """

    name: str
    layers: int
    first: int
    scale: float
    tensors: Mapping[str, Floats]
    facts: Mapping[str, Any]

    def merged(self, layer: int, name: str, weight: Floats) -> Floats:
        """The tuned weight of one linear layer.

        Raises:
            AdapterError: If the adapter is of another shape.
        """
        key = f"l{layer}.{name}"
        try:
            change = self.tensors[f"{key}.b"] @ self.tensors[f"{key}.a"]
        except (KeyError, ValueError) as error:
            raise AdapterError(f"the adapter {self.name} has no fitting {key}") from error
        if change.shape != weight.shape:
            raise AdapterError(f"the adapter {self.name} does not fit {key}")
        return (weight + self.scale * change).astype(np.float32)


def read_adapter(path: Path) -> Adapter:
    """Read an adapter.

    Raises:
        AdapterError: If it can't be read.
    """
    try:
        with cast(Any, safe_open)(path, framework="numpy") as file:
            metadata: dict[str, str] = file.metadata() or {}
            facts: dict[str, Any] = json.loads(metadata.get("facts", "{}"))
            tensors = {name: file.get_tensor(name).astype(np.float32) for name in file.keys()}  # noqa: SIM118
        return Adapter(
            str(facts["encoder"]),
            int(facts["layers"]),
            int(facts["first"]),
            float(facts["scale"]),
            tensors,
            facts,
        )
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise AdapterError(f"cannot read the adapter {path.name}: {error}") from error


def write_adapter(path: Path, adapter: Adapter) -> None:
    """Write an adapter, in half precision."""
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        **adapter.facts,
        "encoder": adapter.name,
        "layers": adapter.layers,
        "first": adapter.first,
        "scale": adapter.scale,
    }
    halves = {name: np.ascontiguousarray(value, np.float16) for name, value in adapter.tensors.items()}
    cast(Any, safetensors_numpy).save_file(
        halves, path, metadata={"facts": json.dumps(facts, ensure_ascii=False)}
    )
    path.chmod(0o644)
