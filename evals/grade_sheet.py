"""Judges that no endpoint reaches: a sheet of what there is to grade, and files of their grades.

A line of a sheet is one question: ``id``, ``language``, ``dialogue`` (turns with ``role`` and ``content``),
``reply_to_judge`` and ``items``, the wording of each. It is what a judge with an endpoint sees, and it does
not tell which configuration wrote the reply. A line of grades is ``{"id": ID, "grades": {ITEM: 1..5}}``; of
one file the lines with the same id are repetitions of one judge.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, cast

from evals.mindchat_rows import Reply, keyed_subject
from models.judge import Verdict
from models.judge_rubrics import Rubric
from models.judged_text import Subject
from models.training.rows import made_rows

MISSING = "missing"
"""The failure of a judge whose file has no line for a reply."""
_ROLES = {"person": "user", "supporter": "assistant"}

Row = dict[str, Any]


def sheet_rows(replies: Sequence[Reply], rubric: Rubric, *, most_chars: int, seed: int) -> list[Row]:
    """One row a question, in an order that tells nothing about the configurations.

    Args:
        replies: What is to be graded; replies with the same key are one question.
        rubric: With the items.
        most_chars: Characters of dialogue that a judge gets to see.
        seed: Of the order, which does not depend on that of the replies.
    """
    rows: dict[str, Row] = {}
    for reply in replies:
        key, subject = keyed_subject(reply, most_chars)
        rows[key] = {
            "id": key,
            "language": reply.language,
            "dialogue": _turns(subject),
            "reply_to_judge": subject["reply_to_judge"],
            "items": {item.name: item.wording[reply.language] for item in rubric.items},
        }
    keys = sorted(rows)
    Random(seed).shuffle(keys)  # noqa: S311
    return [rows[key] for key in keys]


def write_sheet(rows: Sequence[Row], file: Path) -> None:
    """Write a sheet as JSON lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def read_grades(named: Sequence[str], keys: Collection[str], rubric: Rubric) -> dict[str, dict[str, Verdict]]:
    """What each judge said of every key.

    Args:
        named: A judge each, as ``NAME=FILE``.
        keys: Of the replies; one that a file does not have is that judge's failure ``missing``.
        rubric: With the items and their scale.

    Raises:
        ValueError: A judge has no name or file, or the name of another; a file is missing; a row has an id
            of no reply, lacks an item or is off the scale. The text names file and row.
    """
    found: dict[str, dict[str, Verdict]] = {}
    for one in named:
        name, _, file = one.partition("=")
        if not name or not file:
            raise ValueError(f"--grades {one}: NAME=FILE is needed")
        if name in found:
            raise ValueError(f"--grades: two judges are named {name}")
        found[name] = _verdicts(Path(file), keys, rubric)
    return found


def _verdicts(file: Path, keys: Collection[str], rubric: Rubric) -> dict[str, Verdict]:
    given: dict[str, list[dict[str, int]]] = {key: [] for key in keys}

    def read(_: int, row: Row) -> None:
        if row.get("id") not in given:
            raise ValueError("no reply has this id")
        given[row["id"]].append(_grades(row.get("grades"), rubric))

    made_rows(file, read)
    return {key: Verdict(tuple(own), () if own else (MISSING,)) for key, own in given.items()}


def _grades(raw: Any, rubric: Rubric) -> dict[str, int]:
    grades = rubric.grades(cast("Mapping[str, Any]", raw)) if isinstance(raw, dict) else None
    if grades is None:
        names = ", ".join(item.name for item in rubric.items)
        raise ValueError(f"grades needs a whole number, {rubric.low} to {rubric.high}, for each of {names}")
    return grades


def _turns(subject: Subject) -> list[dict[str, str]]:
    """The dialogue of a subject with the roles of a chat; ``note`` is where turns were left out."""
    turns = cast("list[dict[str, str]]", subject["dialogue"])
    return [{"role": _ROLES.get(turn["who"], turn["who"]), "content": turn["text"]} for turn in turns]
