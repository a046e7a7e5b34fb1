"""The plugin that tries tests of several processes again."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import repeats

ROOT = Path(__file__).parents[3]
PLUGIN = """
from pathlib import Path
from tests import repeats
from tests.repeats import *
repeats.OF_PROCESSES = (Path(__file__).parent / "integration",)
repeats.MOST = {most}
"""
SECOND_TIME = """
import pytest
tries = {}
@pytest.mark.parametrize("number", range(3))
def test_it(number):
    tries[number] = tries.get(number, 0) + 1
    assert tries[number] == 2, f"not yet {number}"
"""
LEFT_BEHIND = """
import gc
tries = []
class Left:
    def __del__(self):
        raise ValueError("left open")
def test_it():
    tries.append(1)
    if len(tries) == 1:
        Left()
        gc.collect()
"""


SHARED_OUT = ("-n", "2", "--dist", "loadfile")
"""How ``make test`` runs most parts: what a worker tries again must reach the process that judges the run."""


def run(folder: Path, *options: str, most: int = 6, **files: str) -> "subprocess.CompletedProcess[str]":
    (folder / "probe.py").write_text(PLUGIN.format(most=most))
    for name, text in files.items():
        place = folder / name.replace("__", "/")
        place.parent.mkdir(exist_ok=True)
        place.with_suffix(".py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "probe", "-p", "no:asyncio"]
    command += ["-W", "error", "-ra", *options, str(folder)]
    environment = {"PYTHONPATH": f"{folder}:{ROOT}", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


@pytest.mark.parametrize("options", [(), SHARED_OUT], ids=["one_process", "shared_out"])
def test_a_test_of_several_processes_may_pass_the_second_time_and_is_named(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    found = run(tmp_path, *options, integration__test_a=SECOND_TIME)
    assert found.returncode == 0, found.stdout
    assert "3 passed, 3 rerun" in found.stdout
    assert "tried again: 3" in found.stdout
    assert "test_it[0]: " in found.stdout


@pytest.mark.parametrize("options", [(), SHARED_OUT], ids=["one_process", "shared_out"])
def test_too_many_of_them_fail_the_run(tmp_path: Path, options: tuple[str, ...]) -> None:
    found = run(tmp_path, *options, most=2, integration__test_a=SECOND_TIME)
    assert found.returncode == pytest.ExitCode.TESTS_FAILED
    assert "3 passed, 3 rerun" in found.stdout


def test_what_fails_every_time_fails(tmp_path: Path) -> None:
    found = run(tmp_path, integration__test_a="def test_it():\n    assert False\n")
    assert found.returncode == pytest.ExitCode.TESTS_FAILED
    assert f"1 failed, {repeats.TRIES_AGAIN} rerun" in found.stdout


def test_a_unit_test_is_not_tried_again(tmp_path: Path) -> None:
    found = run(tmp_path, unit__test_a=SECOND_TIME)
    assert found.returncode == pytest.ExitCode.TESTS_FAILED
    assert "3 failed in" in found.stdout  # and none that was tried again


def test_what_an_earlier_test_left_behind_fails_no_unit_test(tmp_path: Path) -> None:
    found = run(tmp_path, unit__test_a=LEFT_BEHIND)
    assert found.returncode == 0, found.stdout
    assert "1 passed, 1 rerun" in found.stdout
