"""Reads YAML files, by PyYAML's parser in C where it was built: the rule files are large."""

from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """What a file in UTF-8 holds, as plain dictionaries, lists and texts.

    Raises:
        OSError: It can't be read.
        yaml.YAMLError: It is no YAML.
    """
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - both are safe ones
