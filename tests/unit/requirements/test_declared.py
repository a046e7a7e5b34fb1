"""What pip is told to install is what pyproject.toml declares."""

from pathlib import Path

import pytest

from requirements.declared import declared

PROJECT = """
[project]
dependencies = ["a>=1", "b<2; platform_system == 'Linux'"]
[project.optional-dependencies]
x = ["c>=3"]
y = ["c>=3", "d"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    return tmp_path / "pyproject.toml"


def test_markers_and_ranges_are_kept(project: Path) -> None:
    assert declared([], project) == ["a>=1", "b<2; platform_system == 'Linux'"]


def test_what_two_extras_share_is_named_once(project: Path) -> None:
    assert declared(["x", "y"], project)[2:] == ["c>=3", "d"]


def test_an_unknown_extra_is_an_error(project: Path) -> None:
    with pytest.raises(KeyError):
        declared(["z"], project)
