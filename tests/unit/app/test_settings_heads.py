"""The reader of strategies that the setting names: what is taken, and what stops the start."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.settings import SettingsError, load_settings
from models.chat_model import ModelUnreachableError
from models.reader_file import HEAD
from tests.fakes.reader_file import FACTS, SHAPES, write_head_beside, write_reader_file

SETTING = "HEARKEN_HEADS__STRATEGIES"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_head_beside(tmp_path)
    file = write_reader_file(tmp_path)
    monkeypatch.setenv(SETTING, str(file))
    return file


def test_a_reader_with_its_head_is_taken(file: Path) -> None:
    assert load_settings().heads.strategies == file


@pytest.mark.parametrize(
    ("facts", "shapes"),
    [
        (FACTS | {"base": "another"}, SHAPES),
        (FACTS | {"rank": 3}, SHAPES),
        (FACTS | {"mean": None}, SHAPES),
        (FACTS | {"strategies": ["Others", "Question"]}, SHAPES),
        (FACTS, {"place_head.bias": (2,)}),
        ([], SHAPES),
    ],
)
def test_a_wrong_reader_stops_the_start(file: Path, facts: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    write_reader_file(file.parent, facts, shapes)
    with pytest.raises(SettingsError, match=f"{SETTING}: .*a reader that is not for the embedded model"):
        load_settings()


def test_what_was_tuned_is_not_taken_before_it_was_installed(file: Path) -> None:
    write_reader_file(file.parent, {})
    with pytest.raises(SettingsError, match=f"{SETTING}: "):
        load_settings()


def test_a_reader_without_its_head_stops_the_start(file: Path) -> None:
    (file.parent / HEAD).unlink()
    with pytest.raises(SettingsError, match=r"without its head\.safetensors beside it"):
        load_settings()


@pytest.mark.usefixtures("file")
def test_a_reader_needs_the_weights_of_the_embedded_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise ModelUnreachableError("not there")

    monkeypatch.setattr("app.settings_heads.embedded_file", missing)
    with pytest.raises(SettingsError, match=f"{SETTING}: .*which are not installed"):
        load_settings()


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("named", [False, True])
def test_no_start_waits_for_pytorch(named: bool) -> None:
    code = """
import sys
import app.main
from app.settings import load_settings
assert (load_settings().heads.strategies is not None) == (sys.argv[1] == "True")
assert "torch" not in sys.modules
"""
    environment = {name: value for name, value in os.environ.items() if named or name != SETTING}
    done = subprocess.run([sys.executable, "-c", code, str(named)], env=environment, check=False)
    assert done.returncode == 0
