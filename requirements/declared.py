"""Prints what pyproject.toml asks for, for pip: ``python requirements/declared.py [EXTRA …]``.

The application runs from its folder, so only what it needs is installed and not the project itself:
an image can then keep its packages in a layer that a change of the code does not touch.
"""

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def declared(extras: list[str], project: Path = PROJECT) -> list[str]:
    """The requirements of the project and of the named extras, each once.

    Raises:
        KeyError: An extra is not declared.
    """
    table = tomllib.loads(project.read_text("utf-8"))["project"]
    lines: list[str] = [*table["dependencies"]]
    for extra in extras:
        lines += table["optional-dependencies"][extra]
    return list(dict.fromkeys(lines))


if __name__ == "__main__":
    sys.stdout.write("\n".join(declared(sys.argv[1:])) + "\n")
