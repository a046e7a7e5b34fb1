"""What :mod:`models.training.pair_tune` leaves in a folder, and how it becomes a head with its encoder."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.head_file import Array, write_head
from models.strategy import ADAPTER


@dataclass(frozen=True, slots=True)
class TunedPair:
    """A tuned encoder and head.

    Attributes:
        folder: Where they lie.
        rows: Places of the rows that the trial had not seen.
        outputs: What it said of them, ``(rows, outputs)``.
        tensors: Of the head that learned from all rows.
        metrics: Trials, the plan that was chosen, number of rows.
    """

    folder: Path
    rows: NDArray[np.int64]
    outputs: Array
    tensors: Mapping[str, Array]
    metrics: Mapping[str, Any]

    def install(self, output: Path, tensors: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
        """Write the head's file with these facts, and the encoder's changes beside it."""
        write_head(output / "head.safetensors", tensors, facts)
        shutil.copyfile(self.folder / ADAPTER, output / ADAPTER)


def read_tuned(folder: Path) -> TunedPair:
    """Read the folder."""
    with np.load(folder / "outputs.npz") as file:
        rows: NDArray[np.int64] = file["rows"]
        outputs: Array = file["outputs"]
    with np.load(folder / "head.npz") as file:
        tensors: dict[str, Array] = {name: file[name] for name in file.files}
    metrics: dict[str, Any] = json.loads((folder / "metrics.json").read_text("utf-8"))
    return TunedPair(folder, rows, outputs, tensors, metrics)
