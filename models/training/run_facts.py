"""Facts about a training run that let somebody else repeat it; no path and no name of the machine."""

import datetime as dt
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch

_PACKAGES = (
    "torch",
    "transformers",
    "peft",
    "trl",
    "datasets",
    "tokenizers",
    "safetensors",
    "scikit-learn",
    "numpy",
)


def run_facts(device: torch.device) -> dict[str, Any]:
    """Date, revision, packages and kind of processor.

    ``evals.provenance`` writes the same about evaluations; recipes must not import evaluations.
    """
    return {
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "revision": revision(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else platform.machine(),
        "python": platform.python_version(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "command": " ".join(["python -m", _module()]),
    }


def revision() -> str | None:
    """Short commit of the working tree, ``+changes`` if it differs; ``None`` outside a repository."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
        return done.stdout.strip()

    try:
        found = git("rev-parse", "--short", "HEAD")
        changed = [line for line in git("status", "--porcelain").splitlines() if not line.startswith("?? ")]
    except OSError:
        return None
    return found + ("+changes" if changed else "") if found else None


def _module() -> str:
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return str(spec.name) if spec is not None else "models.training.multi_task"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
