"""A skip for something that could have been installed fails the whole run."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


SHARED_OUT = ["-n", "2", "--dist", "loadfile"]
"""How ``make test`` runs most parts: what a worker skips must reach the process that judges the run."""


def run_suite(folder: Path, reason: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a suite of one passing and one skipped test with the plugin."""
    (folder / "test_it.py").write_text(
        f"import pytest\ndef test_passes(): pass\ndef test_is_skipped(): pytest.skip({reason!r})\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.strict_skips",
        "-p",
        "no:cacheprovider",
        str(folder),
    ]
    command += ["--rootdir", str(folder), "-c", "/dev/null", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("options", [[], SHARED_OUT], ids=["one_process", "shared_out"])
def test_a_missing_installable_part_fails_the_run(tmp_path: Path, options: list[str]) -> None:
    result = run_suite(tmp_path, "no chromium", *options)
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert "no chromium" in result.stdout


@pytest.mark.parametrize("options", [[], SHARED_OUT], ids=["one_process", "shared_out"])
def test_what_this_machine_can_never_have_may_be_skipped(tmp_path: Path, options: list[str]) -> None:
    assert run_suite(tmp_path, "not on this machine: training data", *options).returncode == 0
