"""A skip for something that could have been installed fails the whole run."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run_suite(folder: Path, reason: str) -> subprocess.CompletedProcess[str]:
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
    command += ["--rootdir", str(folder), "-c", "/dev/null"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_missing_installable_part_fails_the_run(tmp_path: Path) -> None:
    result = run_suite(tmp_path, "no chromium")
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert "no chromium" in result.stdout


def test_what_this_machine_can_never_have_may_be_skipped(tmp_path: Path) -> None:
    assert run_suite(tmp_path, "not on this machine: training data").returncode == 0
