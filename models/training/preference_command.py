"""The command line that both recipes of preference tuning share."""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import transformers

from models.training.config_file import ConfigError
from models.training.preference_config import PreferenceConfig, read_preference_config
from models.training.preference_rows import PreferenceDataError
from models.training.preference_run import forget

Train = Callable[[PreferenceConfig, float], dict[str, Any]]
"""From settings and a deadline to a report."""


def command(method: str, description: str, train: Train, arguments: Sequence[str] | None) -> None:
    """Run a recipe; prints how the margin changed.

    Exit status 2: bad settings or data, named by key or row. 3: the budget of time ran out.
    """
    started = time.monotonic()
    parser = argparse.ArgumentParser(prog=f"python -m models.training.{method}", description=description)
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
        config = read_preference_config(options.config, options.set)
        if options.restart:
            forget(config.output)
        report = train(config, started + options.budget_s)
    except (ConfigError, PreferenceDataError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    shown = ("method", "ended", "step", "rows", "margin_before", "margin_after", "seconds")
    print(json.dumps({name: report[name] for name in shown}))
    if report["ended"] == "budget":
        parser.exit(3, f"{parser.prog}: out of time; the same command goes on\n")
