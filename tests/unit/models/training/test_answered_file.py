"""Messages with a whole reply to each, as they are written and as they are shipped."""

import json
from pathlib import Path

import pytest

from evals.embedded_model import CONTEXTS, FRESH
from models.training.answered_file import read_answered
from models.training.sample_chat import read_contexts


def _write(folder: Path, *rows: object) -> None:
    (folder / "some.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_each_reply_is_an_example_and_a_row_is_one_group(tmp_path: Path) -> None:
    _write(tmp_path, {"turns": ["lost my job", "to a robot"], "replies": ["Oh no.", "A robot!"]})

    first, second = read_answered(tmp_path)

    assert first.group == second.group
    assert [turn.content for turn in second.turns] == ["lost my job", "Oh no.", "to a robot"]
    assert (second.reply, second.turns[-1].role) == ("A robot!", "user")


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"turns": [], "replies": []},
        {"turns": ["hi"], "replies": []},
        {"turns": ["hi"], "replies": [" "]},
        {"turns": [1], "replies": ["x"]},
    ],
)
def test_a_bad_row_is_named(row: object, tmp_path: Path) -> None:
    _write(tmp_path, {"turns": ["hi"], "replies": ["Hello."]}, row)

    with pytest.raises(ValueError, match="row 2"):
        read_answered(tmp_path)


def test_nothing_that_is_measured_on_is_learned_from() -> None:
    def plain(text: str) -> str:
        return text.lower().strip().rstrip(".!")

    measured = {plain(said) for file in (CONTEXTS, *FRESH) for talk in read_contexts(file) for said in talk}
    learned = {
        plain(turn.content)
        for example in read_answered()
        for turn in example.turns
        if turn.role == "user" and len(turn.content.split()) > 3
    }

    assert not measured & learned
