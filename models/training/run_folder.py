"""The folder of one training run: what lies in it, whose it is, and how it is emptied."""

import shutil
from pathlib import Path

CHECKPOINTS, ADAPTER = "checkpoints", "adapter"
REPORT, METRICS, CURVES, PLOT = "training.json", "metrics.jsonl", "curves.json", "curves.svg"
_CLAIM = "run.txt"


class RunFolderError(ValueError):
    """The folder holds another run."""


def claim(output: Path, what: str) -> None:
    """Mark a folder as that of one run; never mix two.

    Args:
        output: The folder; made when missing.
        what: Names everything that decides the result.

    Raises:
        RunFolderError: It holds a run with other settings or data.
    """
    output.mkdir(parents=True, exist_ok=True)
    file = output / _CLAIM
    if file.is_file() and file.read_text("utf-8") != what:
        raise RunFolderError(f"{output} holds a run with other settings or data; use --restart")
    file.write_text(what, "utf-8")


def forget(output: Path, *, adapter: bool = False) -> None:
    """Remove what an earlier run left in its folder; its adapter only when asked for."""
    shutil.rmtree(output / CHECKPOINTS, ignore_errors=True)
    if adapter:
        shutil.rmtree(output / ADAPTER, ignore_errors=True)
    for name in (REPORT, METRICS, CURVES, PLOT, _CLAIM):
        (output / name).unlink(missing_ok=True)
