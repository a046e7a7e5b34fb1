"""Reads the Dockerfile, so that tests can do here what an image does without a Docker engine."""

import json
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(slots=True)
class Stage:
    """One stage with what it got from the stages it builds on."""

    parent: str
    env: dict[str, str] = field(default_factory=dict[str, str])
    copies: list[tuple[list[str], str]] = field(default_factory=list[tuple[list[str], str]])
    user: str = "root"
    command: list[str] = field(default_factory=list[str])
    healthcheck: list[str] = field(default_factory=list[str])


def read_stages(text: str) -> dict[str, Stage]:
    """All named stages of a Dockerfile, in order."""
    stages: dict[str, Stage] = {}
    current = Stage("")
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            parent, _, name = rest.partition(" AS ")
            base = stages.get(parent, Stage(parent))
            current = Stage(
                parent, dict(base.env), list(base.copies), base.user, base.command, base.healthcheck
            )
            stages[name] = current
        elif word == "ENV":
            current.env |= dict(part.split("=", 1) for part in shlex.split(rest))
        elif word == "COPY" and "--from" not in rest:
            *sources, target = rest.split()
            current.copies.append((sources, target))
        elif word == "USER":
            current.user = rest
        elif word == "CMD":
            current.command = json.loads(rest)
        elif word == "HEALTHCHECK":
            current.healthcheck = json.loads(rest[rest.index("CMD") + 3 :])
    return stages


def stages() -> dict[str, Stage]:
    """The stages of the project's Dockerfile."""
    return read_stages((ROOT / "Dockerfile").read_text("utf-8"))


def build_folder(stage: Stage, target: Path) -> None:
    """Copy into ``target`` what the image of ``stage`` holds in its working folder."""
    for sources, place in stage.copies:
        for source in sources:
            path = ROOT / source
            wanted = target / place / path.name if place.endswith("/") else target / place
            if path.is_dir():
                shutil.copytree(path, wanted, ignore=_ignored)
            else:
                wanted.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, wanted)


def _ignored(folder: str, names: list[str]) -> set[str]:
    """What .dockerignore keeps from the builder within the folders it lets through."""
    rules = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    exact = {rule for rule in rules if "/" in rule and not rule.startswith(("#", "!", "**"))}
    anywhere = [rule.removeprefix("**/") for rule in rules if rule.startswith("**/")]
    here = Path(folder).relative_to(ROOT)
    return {
        name
        for name in names
        if str(here / name) in exact or any(Path(name).match(pattern) for pattern in anywhere)
    }
