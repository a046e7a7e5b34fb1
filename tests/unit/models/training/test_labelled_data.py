import gzip
import json
from pathlib import Path

import pytest

from models.training.labelled_data import labelled_examples


def folder(tmp_path: Path, tsv: str, question: str = "I feel low all the time.") -> Path:
    (tmp_path / "goemotions").mkdir()
    (tmp_path / "goemotions" / "labels.txt").write_text("sadness\njoy\ncuriosity\n", "utf-8")
    with gzip.open(tmp_path / "goemotions" / "train.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.write(tsv)
    (tmp_path / "counselchat").mkdir()
    row = {"title": "t", "question": question, "topic": "depression", "answer": "a", "upvotes": 0}
    with gzip.open(tmp_path / "counselchat" / "answers.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")
    return tmp_path


def texts(tmp_path: Path, tsv: str) -> set[str]:
    return {e.turns[0].content for e in labelled_examples(folder(tmp_path, tsv), 0)}


def test_personal_texts_with_one_known_emotion_are_taken(tmp_path: Path) -> None:
    assert texts(tmp_path, "I miss my old home\t0\tid1\n") == {
        "I miss my old home",
        "I feel low all the time.",
    }


@pytest.mark.parametrize(
    "line",
    [
        "That movie was sad today\t0\tid",
        "I wonder what this means here\t2\tid",
        "I am happy and sad today\t0,1\tid",
        "I want to die right now\t0\tid",
        "I am\t0\tid",
    ],
)
def test_impersonal_mixed_risky_and_tiny_texts_are_left_out(tmp_path: Path, line: str) -> None:
    assert texts(tmp_path, line + "\n") == {"I feel low all the time."}


def test_questions_about_danger_are_left_out(tmp_path: Path) -> None:
    data = folder(tmp_path, "", question="I keep cutting and think about death.")
    assert labelled_examples(data, 0) == []


def test_a_malformed_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"train\.tsv\.gz"):
        labelled_examples(folder(tmp_path, "no columns\n"), 0)
