"""A bad row is refused with its file and number, and without its text."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from models.training.multi_task_rows import (
    DialogueRow,
    EmotionRow,
    SafetyRow,
    StrategyRow,
    load_rows,
    write_rows,
)
from models.training.raw_rows import read_labelled_lines

GOOD: dict[str, Any] = {"source": "s", "group": "g", "split": "train"}
TURNS = [{"role": "user", "content": "hi"}]


def file_of(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    file = tmp_path / "rows.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return file


@pytest.mark.parametrize(
    ("kind", "good", "bad", "problem"),
    [
        (EmotionRow, {"text": "a", "labels": [0, 26]}, {"labels": [27]}, "labels: .*from 0 to 26"),
        (EmotionRow, {"text": "a", "labels": []}, {"labels": [3, 3]}, "labels: .*different"),
        (EmotionRow, {"text": "a", "labels": []}, {"split": "all"}, "split: "),
        (StrategyRow, {"context": "", "text": "a", "label": 7}, {"label": 8}, "label: .*less than 8"),
        (SafetyRow, {"text": "a", "risk_level": 3}, {"risk_level": 4}, "risk_level: "),
        (SafetyRow, {"text": "a"}, {"text": ""}, "text: "),
        (SafetyRow, {"text": "a"}, {"note": "secret"}, "note: Extra"),
        (DialogueRow, {"turns": TURNS, "reply": "b"}, {"reply": ""}, "reply: "),
        (
            DialogueRow,
            {"turns": TURNS, "reply": "b"},
            {"turns": [*TURNS, {"role": "assistant", "content": "secret"}]},
            "turns: .*the person's",
        ),
    ],
)
def test_a_bad_row_is_refused_with_its_number(
    tmp_path: Path, kind: type[Any], good: dict[str, Any], bad: dict[str, Any], problem: str
) -> None:
    file = file_of(tmp_path, GOOD | good, GOOD | good | bad)
    with pytest.raises(ValueError, match=rf"rows\.jsonl\.gz, row 2: {problem}") as caught:
        load_rows(kind, file)
    assert "secret" not in str(caught.value)


def test_a_line_that_is_no_json_is_refused_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    file.write_bytes(gzip.compress(b"{\n"))
    with pytest.raises(ValueError, match="row 1: not JSON"):
        load_rows(SafetyRow, file)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rows"):
        load_rows(SafetyRow, file_of(tmp_path))


def test_written_rows_are_read_back_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    rows = [EmotionRow(source="s", group="g", split="valid", text="schön", labels=(1, 2))]
    digest = write_rows(rows, tmp_path / "a.gz")
    assert digest == write_rows(load_rows(EmotionRow, tmp_path / "a.gz"), tmp_path / "b.gz")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize("line", ["text\t1", "text\tx\tid", "text\t28\tid", " \t1\tid"])
def test_a_bad_labelled_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    file = tmp_path / "train.tsv.gz"
    file.write_bytes(gzip.compress(f"good\t1,2\tid\n{line}\n".encode()))
    with pytest.raises(ValueError, match=r"train\.tsv\.gz, row 2: "):
        read_labelled_lines(file, 28)
