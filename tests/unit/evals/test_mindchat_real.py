"""Replies to real conversations, gathered for grading."""

import gzip
import json
import random
from pathlib import Path

import pytest

from evals.mindchat_real import COUNSELLOR, SYSTEMS, chinese, english, main
from evals.mindchat_rows import read_replies


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three conversations with two contexts each, and two dialogues."""

    def write(name: str, rows: list[object]) -> None:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(file, "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    places = [(f"c{i}", turn) for i in range(3) for turn in (1, 3)]
    write(
        "mint/contexts.jsonl.gz",
        [
            {"conversation_id": c, "turn_index": t, "history": [{"role": "user", "content": f"{c} said {t}"}]}
            for c, t in places
        ],
    )
    write(
        "mint/replies.jsonl.gz",
        [
            {"conversation_id": c, "turn_index": t, "system": system, "reply": f"{system} to {c} {t}"}
            for c, t in places
            for system in (*SYSTEMS, "another system")
        ],
    )
    roles = ("user", "assistant")
    long = [{"role": roles[i % 2], "content": f"第{i}句"} for i in range(12)]
    write("chinese/smilechat_400.jsonl.gz", [long, long[:3]])
    return tmp_path


def test_each_chosen_conversation_has_the_reply_of_every_system(data: Path) -> None:
    rows = list(english(data, 2, random.Random(0)))  # noqa: S311  # repeatable, not secret
    assert len({row["conversation"] for row in rows}) == 2
    assert len(rows) == 2 * len(SYSTEMS)
    assert {row["configuration"] for row in rows} == set(SYSTEMS.values())
    assert all(row["context"][-1]["content"].startswith(row["conversation"]) for row in rows)


def test_a_counsellors_reply_stands_behind_what_it_answers(data: Path) -> None:
    (row,) = chinese(data, 5, random.Random(0))  # noqa: S311  # repeatable, not secret
    assert row["configuration"] == COUNSELLOR
    said = int(row["context"][-1]["content"][1:-1])
    assert row["reply"] == f"第{said + 1}句"
    assert row["context"][0]["role"] == "user"
    assert len(row["context"]) <= 6


def test_the_file_is_one_that_is_graded(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "out" / "replies.jsonl"
    main(["--data", str(data), "--no-models", "--output", str(output)])
    replies = read_replies(output)
    assert len(replies) == 3 * len(SYSTEMS) + 1
    assert {reply.language for reply in replies} == {"en", "zh"}
