"""What the heads of this package share: the file, the encoder it asks for, what its scores mean."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

Array = NDArray[np.float32]


class SentenceEncoder(Protocol):
    """What is used of an encoder; it is passed in."""

    @property
    def name(self) -> str:
        """Stable name that the head was trained with."""
        ...

    def encode(self, texts: Sequence[str]) -> Array:
        """Embed texts; one row of length 1 each."""
        ...

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Array]:
        """Embed texts given as sentences; for each, rows of the whole text and of every sentence in it."""
        ...


class HeadMismatchError(ValueError):
    """The head's file was trained with another encoder."""


def read_head(path: Path, encoder: SentenceEncoder) -> tuple[Mapping[str, Array], Mapping[str, Any]]:
    """Weights by name, and what the file says about itself.

    Raises:
        HeadMismatchError: The head belongs to another encoder.
        OSError: The file cannot be read.
    """
    with cast("Any", safe_open)(path, framework="numpy") as file:
        facts = cast("dict[str, Any]", json.loads(file.metadata()["facts"]))
        tensors: dict[str, Array] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if facts["encoder"] != encoder.name:
        raise HeadMismatchError(f"{path.name} was trained with {facts['encoder']}, not {encoder.name}")
    return tensors, facts


def hidden_layer_scores(tensors: Mapping[str, Array], vectors: Array) -> Array:
    """Scores of one hidden layer with ReLU over standardized vectors; shape ``(n, outputs)``."""
    inputs = (vectors - tensors["mean"]) / tensors["scale"]
    hidden = np.maximum(inputs @ tensors["w0"] + tensors["b0"], 0.0)
    return hidden @ tensors["w1"] + tensors["b1"]


def softmax(scores: NDArray[np.floating[Any]]) -> Array:
    """Probabilities of each row."""
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (shifted / shifted.sum(axis=-1, keepdims=True)).astype(np.float32)
