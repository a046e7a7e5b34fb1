"""Cases for :mod:`evals.crisis`: labelled files and the everyday texts of the shared data folder."""

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.smilechat import SMILECHAT, turns_of
from safety.levels import RiskLevel

_SELF_HARM_PROMPTS = 20
"""The first rows of SimpleSafetyTests are about suicide, self-harm and eating disorders."""


@dataclass(frozen=True, slots=True)
class Case:
    """A message or a conversation; a label is ``None`` for everyday text of unknown label."""

    source: str
    id: str
    lang: str
    turns: tuple[str, ...]
    labels: tuple[RiskLevel | None, ...]
    kind: str | None = None
    """What a calm message is, where its set says so: ``idiom``, ``twin`` (of a crisis) or ``everyday``."""


def read_file(path: Path) -> list[Case]:
    """Read a JSONL file of messages (``text``, ``label``) or conversations (``turns``, ``labels``)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_case(path.stem, index, json.loads(line)) for index, line in enumerate(lines) if line.strip()]


def shared_cases(folder: Path) -> list[Case]:
    """Read every safety set and the everyday texts that are there; a missing file is left out."""
    readers: dict[str, Callable[[Path], Iterable[Case]]] = {
        "safety/crisis_cases.jsonl": read_file,
        "safety/crisis_conversations.jsonl": read_file,
        "safety/simple_safety_tests.csv": _simple_safety,
        "safety/xstest_prompts.csv": _xstest,
        "safety/openai_moderation.jsonl.gz": _moderation,
        "mint/contexts.jsonl.gz": _contexts,
        str(SMILECHAT): _smilechat,
    }
    present = [(folder / name, read) for name, read in readers.items() if (folder / name).exists()]
    return [case for path, read in present for case in read(path)]


def talk_cases(folder: Path) -> list[Case]:
    """Whole conversations of people who seek support, none of them labelled; a missing file is left out.

    What a message leaves behind in the session's risk shows only here.
    """
    smilechat, esconv = folder / SMILECHAT, folder / "esconv/valid.jsonl.gz"
    talks: list[tuple[str, str, list[str]]] = []
    if smilechat.exists():
        talks += [("smilechat_talks", "zh", turns) for turns in turns_of(smilechat, "user")]
    if esconv.exists():
        talks += [("esconv_talks", "en", _seeker(row)) for row in _json_lines(esconv)]
    return [
        Case(source, str(number), lang, tuple(turns), (None,) * len(turns))
        for number, (source, lang, turns) in enumerate(talks)
        if turns
    ]


def _seeker(row: dict[str, Any]) -> list[str]:
    """What the seeker says; messages in a row are sent one by one, as they were."""
    return [turn["text"] for turn in row["dialog"] if turn["speaker"] == "usr" and turn["text"].strip()]


def _case(source: str, index: int, row: dict[str, Any]) -> Case:
    turns = tuple(row["turns"]) if "turns" in row else (str(row["text"]),)
    labels = row.get("labels") or ([row["label"]] if "label" in row else [None] * len(turns))
    name, kind = str(row.get("id", index)), row.get("kind")
    return Case(source, name, row.get("lang", "?"), turns, tuple(map(_level, labels)), kind)


def _level(label: str | None) -> RiskLevel | None:
    return None if label is None else RiskLevel[label.split("-")[-1].upper()]


def _simple_safety(path: Path) -> Iterator[Case]:
    with path.open(encoding="utf-8", newline="") as file:
        for index, row in enumerate(csv.DictReader(file)):
            if index < _SELF_HARM_PROMPTS:
                yield Case(
                    "simple_safety_tests", row["id"], "en", (row["prompts_final"],), (RiskLevel.MODERATE,)
                )


def _xstest(path: Path) -> Iterator[Case]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["label"] == "safe":
                yield Case("xstest_safe", row["id"], "en", (row["prompt"],), (None,))


def _moderation(path: Path) -> Iterator[Case]:
    for index, row in enumerate(_json_lines(path)):
        if "SH" in row:
            source = f"moderation_self_harm_{row['SH']}"
            yield Case(source, str(index), "en", (row["prompt"],), (None,))


def _contexts(path: Path) -> Iterator[Case]:
    seen: set[str] = set()
    for index, row in enumerate(_json_lines(path)):
        for turn in row["history"]:
            if turn["role"] == "user" and turn["content"] not in seen:
                seen.add(turn["content"])
                yield Case("mint_contexts", f"{index}", "en", (turn["content"],), (None,))


def _smilechat(path: Path) -> Iterator[Case]:
    for index, turns in enumerate(turns_of(path, "user")):
        for number, text in enumerate(turns):
            yield Case("smilechat", f"{index}.{number}", "zh", (text,), (None,))


def _json_lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
