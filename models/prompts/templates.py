"""Prompt files: named blocks of text with named placeholders, checked when they are read.

A file consists of blocks, each headed by ``[[name]]`` on a line of its own. Lines that begin with
``#`` before the first block are comments. Placeholders are written ``{name}``; ``{{`` and ``}}``
stand for braces. An operator's file must have the same blocks with the same placeholders as the
built-in one of that name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from string import Formatter

from models.chat_model import ChatMessage

TEMPLATE_NAMES = (
    "mint",
    "mindchat",
    "plain",
    "language",
    "emotion",
    "style_en",
    "style_zh",
    "memory_en",
    "memory_zh",
    "crisis_en",
    "crisis_zh",
    "crisis_plain",
)

OPTIONAL_BLOCKS: Mapping[str, frozenset[str]] = {"mint": frozenset({"definitions"})}
"""Blocks that the built-in files leave out and an operator's file may have."""

_HEADING = re.compile(r"^\[\[([a-z_]+)\]\][ \t]*$", re.MULTILINE)
_FILE_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """The blocks of one prompt file.

    Attributes:
        name: One of :data:`TEMPLATE_NAMES`.
        blocks: Text of each block, stripped.
    """

    name: str
    blocks: Mapping[str, str]

    def fill(self, block: str, values: Mapping[str, str | int] | None = None) -> str:
        """A block's text with its placeholders filled; values are inserted as they are."""
        return self.blocks[block].format_map(dict(values or {}))


def parse_template(name: str, text: str) -> PromptTemplate:
    """Read a prompt file's text and compare it with the built-in file of that name.

    Args:
        name: Which built-in file it stands in for.
        text: The whole file.

    Raises:
        ValueError: Naming the block or placeholder that is missing, unknown or malformed.
    """
    template = PromptTemplate(name, _split_blocks(name, text))
    builtin = _builtin(name)
    optional = OPTIONAL_BLOCKS.get(name, frozenset())
    _compare(f"prompt {name}: block", set(builtin.blocks), set(template.blocks) - optional)
    for block, wording in template.blocks.items():
        given = placeholders(f"prompt {name}, block {block}", wording)
        _compare(f"prompt {name}, block {block}: placeholder", _expected(builtin, block), given)
    return template


def load_template(name: str, source: Path | None = None) -> PromptTemplate:
    """The template ``name``, from an operator's folder or file when it holds one.

    Args:
        name: One of :data:`TEMPLATE_NAMES`.
        source: ``None`` for the built-in text; a folder that may hold ``NAME.txt``; or one
            file ``NAME.txt``, which replaces the template it is named after.

    Raises:
        ValueError: The source does not exist, can't be read, or fails :func:`parse_template`.
    """
    file = _replacement(name, source)
    return _builtin(name) if file is None else parse_template(name, _read(name, file))


def check_templates(source: Path) -> tuple[str, ...]:
    """Read every template an operator replaced and return their names, for the start of the application.

    Raises:
        ValueError: See :func:`load_template`; also when nothing in the source has a known name.
    """
    files = sorted(source.glob("*.txt")) if source.is_dir() else [source]
    if not files:
        msg = f"{source}: no file named {_file_names()}"
        raise ValueError(msg)
    for file in files:
        _refuse_unknown_name(file)
        parse_template(file.stem, _read(file.stem, file))
    return tuple(file.stem for file in files)


def placeholders(where: str, text: str) -> set[str]:
    """Names of the placeholders of a text.

    Raises:
        ValueError: A brace has no partner, or a placeholder is more than a plain name.
    """
    try:
        fields = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text)]
    except ValueError as error:
        msg = f"{where}: {error}; write {{{{ and }}}} for braces that are meant as text"
        raise ValueError(msg) from None
    names: set[str] = set()
    for name, spec, conversion in fields:
        if name is None:
            continue
        if spec or conversion or not name.isidentifier():
            msg = f"{where}: placeholder {{{name}}} must be a plain name"
            raise ValueError(msg)
        names.add(name)
    return names


def system_message(*sections: str) -> ChatMessage:
    """One system message from the sections that are not empty."""
    return ChatMessage("system", "\n\n".join(section for section in sections if section))


def _replacement(name: str, source: Path | None) -> Path | None:
    """The operator's file for a template, if there is one."""
    if source is None:
        return None
    if source.is_dir():
        file = source / f"{name}.txt"
        return file if file.exists() else None
    _refuse_unknown_name(source)
    return source if source.stem == name else None


def _refuse_unknown_name(file: Path) -> None:
    if file.stem not in TEMPLATE_NAMES:
        msg = f"{file}: a prompt file must be named {_file_names()}"
        raise ValueError(msg)


def _file_names() -> str:
    return " or ".join(f"{name}.txt" for name in TEMPLATE_NAMES)


@cache
def _builtin(name: str) -> PromptTemplate:
    text = resources.files("models.prompts").joinpath(f"{name}.txt").read_text("utf-8")
    return PromptTemplate(name, _split_blocks(name, text))


def _expected(builtin: PromptTemplate, block: str) -> set[str]:
    return placeholders(block, builtin.blocks[block]) if block in builtin.blocks else set()


def _split_blocks(name: str, text: str) -> dict[str, str]:
    parts = _HEADING.split(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    preamble, rest = parts[0], parts[1:]
    if any(line.strip() and not line.startswith("#") for line in preamble.splitlines()):
        msg = f"prompt {name}: text before the first [[block]]"
        raise ValueError(msg)
    names = rest[0::2]
    twice = {block for block in names if names.count(block) > 1}
    if twice:
        msg = f"prompt {name}: block {', '.join(sorted(twice))} occurs twice"
        raise ValueError(msg)
    return {block: body.strip() for block, body in zip(names, rest[1::2], strict=True)}


def _read(name: str, file: Path) -> str:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"prompt {name}: {file} can't be read as UTF-8 text ({type(error).__name__})"
        raise ValueError(msg) from None
    if len(text) > _FILE_CHARS:
        msg = f"prompt {name}: {file} is longer than {_FILE_CHARS} characters"
        raise ValueError(msg)
    return text


def _compare(what: str, expected: set[str], given: set[str]) -> None:
    missing, unknown = sorted(expected - given), sorted(given - expected)
    if missing:
        msg = f"{what} {', '.join(missing)} is missing"
        raise ValueError(msg)
    if unknown:
        msg = f"{what} {', '.join(unknown)} is unknown; known: {', '.join(sorted(expected)) or 'none'}"
        raise ValueError(msg)
