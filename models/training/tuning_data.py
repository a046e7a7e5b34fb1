"""The arrays the encoder is tuned on, and their file; NumPy only.

:mod:`models.training.tuning_prepare` makes them from replies and contexts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TuningData:
    """Replies first, then the person's last message of each context, as one list of texts.

    Attributes:
        arrays: ``ids owners starts sentences`` (of texts); ``tags counted aligned ratings context
            numbers digests`` (of replies); ``shared`` (replies × contexts × 2), ``echo_numbers`` and
            ``conversation`` (of contexts).
        weights: Untuned weights by name; ``emb.word`` holds only the rows of tokens that occur.
    """

    arrays: Mapping[str, NDArray[Any]]
    weights: Mapping[str, Floats]

    @property
    def replies(self) -> int:
        """How many replies there are; the text numbers from here on are messages."""
        return len(self.arrays["context"])

    def conversation_of_replies(self) -> Ints:
        """Number of the conversation of each reply."""
        return self.arrays["conversation"][self.arrays["context"]]


def save(data: TuningData, path: Path) -> None:
    """Write one file."""
    halves = {f"w:{name}": value.astype(np.float16) for name, value in data.weights.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, **data.arrays, **halves)


def load(path: Path) -> TuningData:
    """Read what :func:`save` wrote."""
    with np.load(path) as file:
        found: dict[str, NDArray[Any]] = {name: file[name] for name in file.files}
    weights = {name[2:]: value.astype(np.float32) for name, value in found.items() if name.startswith("w:")}
    return TuningData({name: v for name, v in found.items() if not name.startswith("w:")}, weights)
