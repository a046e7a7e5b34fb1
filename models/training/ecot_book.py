"""Reads the phrase books of the small Chinese ECoT model (``models/training/ecot_book/``).

A file has blocks, each headed by ``== name``, of lines ``key: text``; lines that begin with ``#`` are
comments. A topic has what a person says (``open`` first, ``more`` later, ``test`` kept apart for
measuring), what a thought says of it (``scene``, ``motive``) and what an answer is made of (``reflect``,
``ask``, ``step``). What all topics share stands in ``shared.txt``, messages at risk in ``risk.txt``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.ecot_tags import pieces_of
from models.prompts.build import RISK_BLOCKS

FOLDER = Path(__file__).parent / "ecot_book"
_LONGEST = 120
_TOPIC_KEYS = ("open", "more", "test", "scene", "motive", "reflect", "ask", "step", "plan")
_SHARED = {
    "feelings": ("feeling",),
    "general": ("say", "test"),
    "unsaid": ("seen",),
    "need": ("need",),
    "turn": ("next",),
    "ask": ("plan",),
    "validate": ("plan", "line"),
    "stay": ("plan", "line"),
    "step": ("plan",),
    "strength": ("plan", "line"),
}
_NEEDED = ("open", "test", "scene", "motive", "reflect", "ask")

Lines = Mapping[str, tuple[str, ...]]


class BookError(ValueError):
    """A phrase book is missing or malformed; the text names file and line."""


@dataclass(frozen=True, slots=True)
class Feeling:
    """A feeling as the person says it, as the thought sees it and as the answer names it."""

    said: str
    seen: str
    named: str


@dataclass(frozen=True, slots=True)
class Book:
    """All that conversations are made of.

    Attributes:
        topics: Lines of each topic by key.
        greetings: Short exchanges that belong to no topic, likewise.
        risk: Lines of each risk level above 0.
        shared: Blocks of ``shared.txt``.
        feelings: Taken apart.
        unseen: Topics that nothing is trained on, only messages.
    """

    topics: Mapping[str, Lines]
    greetings: Mapping[str, Lines]
    risk: Mapping[int, Lines]
    shared: Mapping[str, Lines]
    feelings: tuple[Feeling, ...]
    unseen: Mapping[str, Lines]

    @property
    def texts(self) -> list[str]:
        """Every line that training may show, once, for a tokenizer."""
        blocks = [*self.topics.values(), *self.greetings.values(), *self.risk.values(), *self.shared.values()]
        return [text for block in blocks for key, lines in block.items() if key != "test" for text in lines]


def read_book(folder: Path = FOLDER) -> Book:
    """Read and check all files.

    Raises:
        BookError: With file and line.
    """
    topics = _blocks(folder / "topics.txt")
    shared = _blocks(folder / "shared.txt")
    greetings = {name: lines for name, lines in shared.items() if name not in _SHARED}
    risk = _blocks(folder / "risk.txt")
    for file, blocks in (("topics.txt", topics), ("shared.txt", greetings), ("risk.txt", risk)):
        for name, lines in blocks.items():
            _require(folder / file, name, lines, _NEEDED)
    for name, lines in topics.items():
        _require(folder / "topics.txt", name, lines, ("more", "step"))
    for name, keys in _SHARED.items():
        _require(folder / "shared.txt", name, shared.get(name, {}), keys)
    levels = {str(level): number for number, level in enumerate(RISK_BLOCKS) if level}
    if set(risk) != set(levels):
        raise BookError(f"{folder / 'risk.txt'}: expected the blocks {', '.join(levels)}")
    return Book(
        topics=topics,
        greetings=greetings,
        risk={levels[name]: lines for name, lines in risk.items()},
        shared={name: shared[name] for name in _SHARED},
        feelings=tuple(_feeling(folder / "shared.txt", one) for one in shared["feelings"]["feeling"]),
        unseen=_blocks(folder / "held_out.txt"),
    )


def _blocks(file: Path) -> dict[str, Lines]:
    try:
        rows = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"{file}: {type(error).__name__}") from None
    found: dict[str, dict[str, list[str]]] = {}
    seen: dict[str, int] = {}
    block: dict[str, list[str]] | None = None
    for number, row in enumerate(rows, 1):
        where = f"{file}, line {number}"
        if row.startswith("== "):
            name = row[3:].strip()
            if name in found:
                raise BookError(f"{where}: the block {name} is there twice")
            block = found.setdefault(name, {})
        elif row.strip() and not row.startswith("#"):
            if block is None:
                raise BookError(f"{where}: text before the first block")
            key, text = _line(where, row)
            if text in seen:
                raise BookError(f"{where}: the same text as in line {seen[text]}")
            seen[text] = number
            block.setdefault(key, []).append(text)
    if not found:
        raise BookError(f"{file}: no block")
    return {name: {key: tuple(texts) for key, texts in lines.items()} for name, lines in found.items()}


def _line(where: str, row: str) -> tuple[str, str]:
    key, colon, text = row.partition(": ")
    text = text.strip()
    known = {*_TOPIC_KEYS, *(key for keys in _SHARED.values() for key in keys)}
    if not colon or key not in known:
        raise BookError(f"{where}: expected one of {', '.join(sorted(known))}, a colon and a text")
    if not 1 <= len(text) <= _LONGEST:
        raise BookError(f"{where}: {len(text)} characters, expected 1 to {_LONGEST}")
    if pieces_of(text) != [text]:
        raise BookError(f"{where}: a tag in the text")
    return key, text


def _require(file: Path, name: str, lines: Lines, keys: tuple[str, ...]) -> None:
    missing = [key for key in keys if not lines.get(key)]
    if missing:
        raise BookError(f"{file}: block {name} has no {', '.join(missing)}")


def _feeling(file: Path, text: str) -> Feeling:
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 3 or not all(parts):
        raise BookError(f"{file}: {text!r}: expected said | seen | named")
    return Feeling(*parts)
