"""The command line that the recipes on TRL share: settings, a budget of time, going on, exit status."""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import transformers

from models.training.config_file import ConfigError
from models.training.run_folder import RunFolderError

Config = TypeVar("Config")


@dataclass(frozen=True, slots=True)
class Recipe(Generic[Config]):
    """What differs between recipes.

    Attributes:
        name: Of the module below ``models.training``.
        description: One line for ``--help``.
        read: From a file and changes such as ``train.steps=10`` to settings.
        forget: Empties the folder of an earlier run.
        train: From settings and a deadline (``time.monotonic()``) to a report.
        refused: Errors that bad data raises; their text is told.
        shown: What of the report is printed.
    """

    name: str
    description: str
    read: Callable[[Path, Sequence[str]], Config]
    forget: Callable[[Config], None]
    train: Callable[[Config, float], dict[str, Any]]
    refused: tuple[type[Exception], ...]
    shown: tuple[str, ...]


def command(recipe: Recipe[Config], arguments: Sequence[str] | None) -> None:
    """Run a recipe and print the main figures of its report.

    Exit status 2: bad settings or data, named by key or row. 3: the budget of time ran out.
    """
    started = time.monotonic()
    parser = argparse.ArgumentParser(
        prog=f"python -m models.training.{recipe.name}", description=recipe.description
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
        config = recipe.read(options.config, options.set)
        if options.restart:
            recipe.forget(config)
        report = recipe.train(config, started + options.budget_s)
    except (ConfigError, RunFolderError, OSError, *recipe.refused) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(json.dumps({name: report[name] for name in recipe.shown}))
    if report["ended"] == "budget":
        parser.exit(3, f"{parser.prog}: out of time; the same command goes on\n")
