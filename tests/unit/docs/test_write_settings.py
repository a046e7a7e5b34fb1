"""The settings page and .env.example are what the settings class says."""

from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from app.settings import Settings, variables
from docs.write_settings import EXAMPLE, PAGE, allowed, example, groups, page


class Sample(BaseModel):
    """Fields of each kind."""

    level: Literal["debug", "info"] = Field("info")
    port: int = Field(1, ge=1, le=65535)
    share: float = Field(0.5, gt=0)
    code: str | None = Field(None, pattern="^[A-Z]{2}$")
    folder: Path | Literal["none"] = Field("none")
    on: bool = Field(True)


def test_the_settings_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_the_example_file_is_up_to_date() -> None:
    assert EXAMPLE.read_text("utf-8") == example()


def test_every_variable_is_on_the_page() -> None:
    assert {entry.name for group in groups() for entry in group.variables} == set(variables())


def test_every_variable_has_a_description() -> None:
    assert [entry.name for group in groups() for entry in group.variables if not entry.description] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("level", "`debug`, `info`"),
        ("port", "whole number, at least 1, at most 65535"),
        ("share", "number, more than 0"),
        ("code", "text, in the form `^[A-Z]{2}$`"),
        ("folder", "path or `none`"),
        ("on", "`true` or `false`"),
    ],
)
def test_what_a_field_allows_is_said_in_words(name: str, words: str) -> None:
    assert allowed(Sample.model_fields[name]) == words


def test_the_example_file_uncommented_gives_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line.removeprefix("# ") for line in example().splitlines() if line.startswith("# HEARKEN_")]
    (tmp_path / "all.env").write_text("\n".join(lines), "utf-8")
    for name in variables():
        monkeypatch.delenv(name, raising=False)
    assert Settings(_env_file=tmp_path / "all.env") == Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
