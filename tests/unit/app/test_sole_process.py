"""A second process on one SQLite file is refused; commands are not."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.auth.__main__ import main as staff_command
from app.settings import Settings, StorageSettings
from app.sole_process import SecondProcessError, sole_process
from app.start import StartError, start

HOLD = """
import sys
from pathlib import Path
from app.sole_process import sole_process
with sole_process(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "hearken.sqlite3")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_told_the_first_and_the_way_out(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    with pytest.raises(StartError) as caught:
        start(Settings(storage=StorageSettings(folder=tmp_path)))

    assert f"(number {holder.pid})" in str(caught.value)
    assert "PostgreSQL (HEARKEN_STORAGE__DATABASE_URL)" in str(caught.value)
    assert not (tmp_path / "hearken.sqlite3").exists()


def test_a_process_that_was_killed_holds_nothing(tmp_path: Path, holder: "subprocess.Popen[str]") -> None:
    holder.kill()
    holder.wait()

    with sole_process(tmp_path / "hearken.sqlite3"):
        assert (tmp_path / "hearken.sqlite3.lock").read_text("ascii").strip() == str(os.getpid())


@pytest.mark.usefixtures("holder")
def test_a_command_for_staff_works_beside_a_running_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEARKEN_STORAGE__FOLDER", str(tmp_path))

    assert staff_command(["list"]) == 0
    assert "no staff accounts" in capsys.readouterr().out


def test_other_databases_may_be_shared() -> None:
    with sole_process(None), sole_process(None):
        pass


def test_two_files_don_t_stand_in_each_others_way(tmp_path: Path) -> None:
    with sole_process(tmp_path / "a.sqlite3"), sole_process(tmp_path / "b.sqlite3"):
        pass


def test_the_lock_is_let_go_at_the_end_of_the_block(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite3"
    with sole_process(file), pytest.raises(SecondProcessError), sole_process(file):
        pass
    with sole_process(tmp_path / "a.sqlite3"):
        pass
