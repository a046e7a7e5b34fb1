"""Writes docs/settings.md and .env.example from app/settings.py, so that they can't drift.

python -m docs.write_settings           write both files
python -m docs.write_settings --check   exit 1 when one of them is not what would be written
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from app.settings import Settings

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "settings.md"
EXAMPLE = ROOT / ".env.example"

_PAGE_HEAD = """\
# Settings

<!-- Written by `python -m docs.write_settings` from app/settings.py: change the descriptions there. -->

Every setting is an environment variable, or a line in a file `.env` in the folder from which the app
is started (the environment wins). `.env.example` lists them all. A wrong value, a misspelt name, a
setting that does nothing without another one and a line of `.env` that is no `NAME=value` stop the
start: all of them are told at once, each in one line that names the variable and what it allows.
"""
_EXAMPLE_HEAD = """\
# All settings with their defaults. Copy to .env and uncomment what you change.
# Written by `python -m docs.write_settings` from app/settings.py; explained in docs/settings.md.
"""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable as the page shows it."""

    name: str
    allowed: str
    default: str
    description: str


@dataclass(frozen=True, slots=True)
class Group:
    """Variables that belong together."""

    title: str
    intro: str
    variables: tuple[Variable, ...]


def groups() -> Iterator[Group]:
    """All groups in the order of the settings class; settings without a group come last."""
    alone: list[Variable] = []
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            inner = kind.model_fields.items()
            found = tuple(_variable(f"HEARKEN_{name}__{part}".upper(), info) for part, info in inner)
            yield Group(name, (kind.__doc__ or "").strip(), found)
        else:
            alone.append(_variable(f"HEARKEN_{name}".upper(), field))
    yield Group("other", "", tuple(alone))


def page() -> str:
    """The text of docs/settings.md."""
    parts = [_PAGE_HEAD]
    for group in groups():
        parts.append(f"\n## {group.title}\n\n")
        parts.append(f"{group.intro}\n\n" if group.intro else "")
        parts.append("| variable | allowed | default | meaning |\n|---|---|---|---|\n")
        for entry in group.variables:
            default = f"`{entry.default}`" if entry.default else "unset"
            cells = (f"`{entry.name}`", entry.allowed, default, entry.description)
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return "".join(parts)


def example() -> str:
    """The text of .env.example."""
    parts = [_EXAMPLE_HEAD]
    for group in groups():
        parts.append(f"\n# --- {group.title} ---\n")
        parts += [f"# {entry.description}\n# {entry.name}={entry.default}\n" for entry in group.variables]
    return "".join(parts)


def _variable(name: str, field: FieldInfo) -> Variable:
    default = field.get_default(call_default_factory=False)
    shown = "" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
    return Variable(name, allowed(field), shown, field.description or "")


def allowed(field: FieldInfo) -> str:
    """What a field accepts, in words: choices, or a type with its limits."""
    limits = [_limit(rule) for rule in field.metadata]
    return ", ".join([_kind(field.annotation), *(limit for limit in limits if limit)])


def _kind(annotation: Any) -> str:
    """A type in an operator's words."""
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(annotation))
    if get_origin(annotation) is Annotated:
        return _kind(get_args(annotation)[0])
    if get_args(annotation) and (
        get_origin(annotation) is Union or str(get_origin(annotation)).endswith("UnionType'>")
    ):
        return " or ".join(_kind(part) for part in get_args(annotation) if part is not type(None))
    words = {"bool": "`true` or `false`", "int": "whole number", "float": "number", "Path": "path"}
    words |= {"str": "text", "HttpUrl": "http or https address", "SecretStr": "secret text"}
    return words[annotation.__name__]


def _limit(rule: Any) -> str:
    """One validation rule in words."""
    for attribute, words in (
        ("ge", "at least {}"),
        ("gt", "more than {}"),
        ("le", "at most {}"),
        ("min_length", "at least {} characters"),
        ("pattern", "in the form `{}`"),
    ):
        if (value := getattr(rule, attribute, None)) is not None:
            return words.format(value)
    return ""


def main() -> int:
    """Write or check both files; see the module's text."""
    parser = argparse.ArgumentParser(description="Write the settings page and .env.example.")
    parser.add_argument("--check", action="store_true", help="only compare")
    only_check = parser.parse_args().check
    stale = 0
    for path, text in ((PAGE, page()), (EXAMPLE, example())):
        if path.exists() and path.read_text("utf-8") == text:
            continue
        if only_check:
            sys.stderr.write(
                f"{path.name} is not what app/settings.py says: run python -m docs.write_settings\n"
            )
            stale = 1
        else:
            path.write_text(text, "utf-8")
    return stale


if __name__ == "__main__":
    raise SystemExit(main())
