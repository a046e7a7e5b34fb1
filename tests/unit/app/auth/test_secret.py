"""The key of the cookies: made whole, kept private, and never a weak one."""

import os
import stat
from pathlib import Path

import pytest

from app.auth.secret import FILE, KeyFileError, make_key, signing_key
from app.cookie_key import main


def test_a_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    first = signing_key(tmp_path / "var", None)

    assert signing_key(tmp_path / "var", None) == first
    assert len(first) >= 32
    assert stat.S_IMODE((tmp_path / "var" / FILE).stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "var") == [FILE]


def test_a_given_key_needs_no_file(tmp_path: Path) -> None:
    assert signing_key(tmp_path, "k" * 32) == "k" * 32
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("text", ["", "\n", "short", "k" * 31, "schl\u00fcssel" * 9])
def test_a_file_without_a_proper_key_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")

    with pytest.raises(KeyFileError, match=r"holds no key of 32 characters or more.*app\.cookie_key"):
        signing_key(tmp_path, None)


def test_a_key_that_cant_be_written_whole_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        signing_key(tmp_path, None)

    assert os.listdir(tmp_path) == []


def test_another_process_that_was_first_keeps_its_key(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("k" * 40, "ascii")

    make_key(tmp_path / FILE)

    assert signing_key(tmp_path, None) == "k" * 40


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEARKEN_STORAGE__FOLDER", str(tmp_path))
    return tmp_path


def test_the_command_puts_a_new_key_in_place_of_a_bad_one(folder: Path) -> None:
    (folder / FILE).touch()

    assert main([]) == 0
    assert len(signing_key(folder, None)) >= 32


def test_the_command_never_replaces_a_good_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = signing_key(folder, None)

    assert main([]) == 1
    assert "nothing was changed" in capsys.readouterr().err
    assert signing_key(folder, None) == before
