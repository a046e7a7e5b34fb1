"""The image is small in rights, complete in files, and says whether it lives."""

from pathlib import Path

import pytest

from tests.dockerfile import ROOT, build_folder, read_stages, stages

FINAL = ["slim", "embedded"]


@pytest.mark.parametrize("name", FINAL)
def test_a_final_image_runs_as_a_numbered_user_without_rights(name: str) -> None:
    assert stages()[name].user == "10001:10001"


@pytest.mark.parametrize("name", FINAL)
def test_a_final_image_has_a_start_command_and_a_health_check(name: str) -> None:
    assert stages()[name].command == ["python", "app.py"]
    assert stages()[name].healthcheck == ["python", "-m", "app.healthcheck"]


@pytest.mark.parametrize("name", FINAL)
def test_a_final_image_keeps_data_outside_its_code(name: str) -> None:
    assert stages()[name].env["HEARKEN_STORAGE__FOLDER"] == "/data"


def test_the_default_image_is_the_one_with_the_embedded_model() -> None:
    assert list(stages())[-1] == "embedded"


def test_everything_that_is_copied_passes_the_ignore_file() -> None:
    allowed = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    }
    copied = {source for stage in stages().values() for sources, _ in stage.copies for source in sources}
    assert copied == allowed


def test_no_base_image_floats() -> None:
    bases = {stage.parent for stage in stages().values()} - set(stages())
    assert bases == {"python:3.11-slim-bookworm"}


def test_the_image_holds_no_training_code_and_no_caches(tmp_path: Path) -> None:
    build_folder(stages()["slim"], tmp_path)
    assert (tmp_path / "models" / "profiles.yaml").is_file()
    assert not (tmp_path / "models" / "training").exists()
    assert list(tmp_path.rglob("__pycache__")) == []


def test_a_stage_inherits_from_the_one_it_builds_on() -> None:
    found = read_stages('FROM x:1 AS a\nENV A=1 \\\n  B="2 3"\nCMD ["run"]\nFROM a AS b\nENV A=4\n')
    assert found["b"].env == {"A": "4", "B": "2 3"}
    assert found["b"].command == ["run"]
    assert found["a"].env["A"] == "1"
