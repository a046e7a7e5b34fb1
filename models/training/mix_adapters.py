r"""Writes the weighted mean of two adapters of the same shape: of one and of what it was tuned further to.

    python -m models.training.mix_adapters var/adapters/coded var/dpo_read/adapter --share 0.5 \
        --output var/adapters/mixed

A further tuning on preferences may overshoot; a point on the straight line between both sets of weights can
be better than either end (Wortsman et al. 2022, arXiv 2203.05482). The mean is of the low-rank factors.
"""

import argparse
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import safetensors.torch as safetensors_torch
import torch

from models.adapter_marks import WEIGHTS, knows_codes, marks

Weights = Mapping[str, torch.Tensor]


def mixed(first: Weights, second: Weights, share: float) -> dict[str, torch.Tensor]:
    """The mean, tensor by tensor, in the first one's number formats.

    Args:
        first: Weights by name.
        second: The same names and shapes.
        share: Weight of the second, 0 to 1.

    Raises:
        ValueError: Names or shapes differ.
    """
    if {name: one.shape for name, one in first.items()} != {name: one.shape for name, one in second.items()}:
        raise ValueError("the two adapters have not the same shape")
    return {
        name: torch.lerp(one.float(), second[name].float(), share).to(one.dtype)
        for name, one in first.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, mix and write."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.mix_adapters", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="weight of the second, 0 to 1")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    if not 0 <= options.share <= 1:
        sys.exit(f"mix_adapters: --share is a number from 0 to 1, not {options.share}")
    if knows_codes(options.first) != knows_codes(options.second):
        sys.exit("mix_adapters: one of the two was tuned with control codes and the other was not")
    files: Any = safetensors_torch
    try:
        first, second = (files.load_file(folder / WEIGHTS) for folder in (options.first, options.second))
        weights = mixed(first, second, options.share)
    except (OSError, ValueError) as error:
        sys.exit(f"mix_adapters: {error}")
    options.output.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(options.first / "adapter_config.json", options.output / "adapter_config.json")
    files.save_file(weights, options.output / WEIGHTS, metadata=marks(knows_codes(options.first)))


if __name__ == "__main__":
    main()
