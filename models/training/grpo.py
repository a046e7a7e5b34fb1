"""Tunes a chat model by group-relative rewards (GRPO, Shao et al. 2024), with MINT's or MindChat's reward.

    python -m models.training.grpo_prepare --data ../shared/data --output var/grpo
    python -m models.training.grpo --config models/training/configs/grpo.yaml

A run that was broken off goes on where its last checkpoint was. ``docs/training.md`` tells the rest.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import transformers

from models.encoder import EncoderError
from models.head_file import HeadError
from models.training.config_file import ConfigError
from models.training.grpo_config import read_grpo_config
from models.training.grpo_rows import GrpoDataError
from models.training.grpo_run import forget, run


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe from the command line.

    Exit status 2: bad settings or data, named by key or row. 3: the budget of time ran out; the adapter so
    far is written.
    """
    started = time.monotonic()
    parser = argparse.ArgumentParser(
        prog="python -m models.training.grpo", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--config", type=Path, required=True, help="a file as in models/training/configs")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="replaces one setting"
    )
    parser.add_argument("--budget-s", type=float, default=float("inf"), help="seconds for this call")
    parser.add_argument("--restart", action="store_true", help="forget checkpoints")
    options = parser.parse_args(arguments)
    library: Any = transformers
    library.utils.logging.set_verbosity_error()
    try:
        config = read_grpo_config(options.config, options.set)
        if options.restart:
            forget(config.output)
        report = run(config, started + options.budget_s)
    except (ConfigError, GrpoDataError, EncoderError, HeadError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    shown = ("method", "ended", "step", "prompts", "first", "last", "seconds")
    print(json.dumps({name: report[name] for name in shown}))
    if report["ended"] == "budget":
        parser.exit(3, f"{parser.prog}: out of time; the same command goes on\n")


if __name__ == "__main__":
    main()
