"""The data of persons belongs to the account that runs the app."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.db.migrate import upgrade_configured
from app.private_files import tighten
from app.settings import StorageSettings


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_database_and_its_folder_are_private(tmp_path: Path) -> None:
    upgrade_configured(
        StorageSettings(folder=tmp_path / "var"), f"sqlite:///{tmp_path / 'var' / 'hearken.sqlite3'}"
    )

    assert mode(tmp_path / "var") == 0o700
    assert {mode(file) for file in (tmp_path / "var").iterdir()} == {0o600}


def test_what_was_open_to_others_is_tightened_with_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    names = ["cookie.key", "hearken.sqlite3", "hearken.sqlite3-wal", "hearken.sqlite3-shm"]
    for name in names:
        (folder / name).touch(mode=0o644)

    tighten(folder, folder / "hearken.sqlite3")

    assert mode(folder) == 0o700
    assert {mode(folder / name) for name in names} == {0o600}
    assert len(caplog.records) == 5
    caplog.clear()
    tighten(folder, folder / "hearken.sqlite3")
    assert caplog.records == []


def test_a_file_that_is_no_database_was_named_by_mistake_and_is_left(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database at all", "utf-8")
    file.chmod(0o644)
    tighten(tmp_path / "var", file)
    assert mode(file) == 0o644


def test_a_folder_of_another_owner_is_left_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    tmp_path.chmod(0o777)
    monkeypatch.setattr("os.chmod", refuse)

    tighten(tmp_path, None)

    assert f"may read {tmp_path}" in caplog.text


def test_a_folder_that_accounts_share_on_purpose_stays_so(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)

    tighten(shared, None)

    assert mode(shared) == 0o1777


def test_the_entry_makes_the_data_folder_private(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    # Stopped by its port, after the folder was made.
    environment = {**os.environ, "HEARKEN_STORAGE__FOLDER": str(folder), "HEARKEN_SERVER__HOST": "192.0.2.1"}

    ended = subprocess.run(
        [sys.executable, "app.py"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )

    assert ended.returncode == 1
    assert mode(folder) == 0o700
