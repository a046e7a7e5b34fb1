import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

from models.tactics import Tactic
from models.training.mint_data import by_context, read_human_tags, read_mint

RATINGS: dict[str, Any] = {
    "validating_emotions": 4,
    "encouraging_elaboration": 3,
    "demonstrating_understanding": 4,
    "advice_giving": 1,
    "self_oriented": None,
    "dismissing_emotions": 1,
    "aggregated_empathy": 4.2,
}


def write(file: Path, rows: list[dict[str, Any]]) -> None:
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = {"conversation_id": "c1", "turn_index": 1}
    reply = {
        "reply": "I hear you. Why?",
        "sentence_tactics": [["validation"], ["questioning", "paraphrasing"]],
        "ratings": RATINGS,
    }
    write(tmp_path / "contexts.jsonl.gz", [{**place, "history": [{"role": "user", "content": "I'm sad."}]}])
    write(
        tmp_path / "replies.jsonl.gz",
        [{**place, **reply, "system": "gold"}, {**place, **reply, "system": "a", "sentence_tactics": [[]]}],
    )
    return tmp_path


def test_replies_come_with_sentences_and_tags(folder: Path) -> None:
    reply = read_mint(folder).replies[0]
    assert reply.sentences == ("I hear you.", "Why?")
    assert reply.tactics[1] == {Tactic.QUESTIONING, Tactic.PARAPHRASING}
    assert reply.aligned


def test_tags_of_another_split_are_not_aligned(folder: Path) -> None:
    assert not read_mint(folder).replies[1].aligned


def test_a_missing_rating_is_not_a_number(folder: Path) -> None:
    ratings = read_mint(folder).replies[0].ratings
    assert math.isnan(ratings[4])
    assert ratings[-1] == 4.2


def test_the_human_is_no_system(folder: Path) -> None:
    assert read_mint(folder).systems == ["a"]


def test_replies_are_grouped_by_context(folder: Path) -> None:
    assert by_context(read_mint(folder).replies) == {("c1", 1): [0, 1]}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"contexts\.jsonl\.gz"):
        read_mint(tmp_path)


def test_wrongly_decoded_sentences_are_repaired(tmp_path: Path) -> None:
    row = {"sentence": "It‚Äôs hard. ", "response": "It’s hard.", "tactics": ["validation"]}
    (tmp_path / "human_tags.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert read_human_tags(tmp_path / "human_tags.jsonl")[0].sentence == "It’s hard."
