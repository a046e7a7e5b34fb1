"""Reads a recipe's settings from a YAML file and names what is wrong with them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from models.profiles import load_profiles

Settings = TypeVar("Settings", bound=BaseModel)


class Section(BaseModel):
    """A part of a recipe's settings: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _known_profile(value: str) -> str:
    if value not in load_profiles():
        msg = f"not one of {', '.join(load_profiles())}"
        raise ValueError(msg)
    return value


ProfileKey = Annotated[str, AfterValidator(_known_profile)]
"""A key of ``models/profiles.yaml``."""


class ConfigError(ValueError):
    """A configuration file is missing, no YAML, or holds wrong keys or values; the message names them."""


def read_settings(kind: type[Settings], file: Path, changes: Sequence[str] = ()) -> Settings:
    """Read a configuration.

    Args:
        kind: What it is to become.
        file: YAML; keys that are left out have their defaults.
        changes: Single values that replace the file's, such as ``train.steps=10``.

    Raises:
        ConfigError: With file, key and what is wrong.
    """
    try:
        raw: Any = yaml.safe_load(file.read_text("utf-8")) or {}
    except (OSError, yaml.YAMLError) as error:
        raise ConfigError(f"{file}: {error}") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{file}: expected keys and values")
    values = cast(dict[str, Any], raw)
    for change in changes:
        _change(values, change)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        raise ConfigError(f"{file}: " + "; ".join(problems)) from None


def _change(values: dict[str, Any], change: str) -> None:
    key, found, text = change.partition("=")
    if not found:
        raise ConfigError(f"{change!r}: expected key=value")
    *sections, name = key.split(".")
    for section in sections:
        inner = values.setdefault(section, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"{change!r}: {section} has no keys")
        values = cast(dict[str, Any], inner)
    values[name] = yaml.safe_load(text)
