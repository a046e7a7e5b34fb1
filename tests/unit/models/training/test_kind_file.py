"""Messages with nothing but their kind, and all known messages in one order."""

import json
from pathlib import Path

import pytest

from evals.embedded_model import CONTEXTS, FRESH
from models.message_kind import KINDS
from models.training.echoed_file import read_echoed
from models.training.kind_file import kind_examples, read_kinds
from models.training.kind_pack import FEWEST, known_feelings
from models.training.kind_rows import KnownMessage, kind_rows
from models.training.sample_chat import read_contexts


def _write(folder: Path, *rows: object) -> Path:
    (folder / "some.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_a_row_becomes_a_prompt_whose_codes_are_learned(tmp_path: Path) -> None:
    folder = _write(tmp_path, {"text": " we won ", "kind": "good", "feel": ["proud", "happy", "tired"]})
    (example,) = kind_examples(folder)
    assert example.turns[-1].content == "we won"
    assert example.code == "Kind of message: good. Feelings: proud and happy."
    assert example.learn_code
    assert example.reply == ""


@pytest.mark.parametrize(
    "row",
    [{}, {"text": "a", "kind": "odd", "feel": []}, {"text": " ", "kind": "good", "feel": []}, {"text": "a"}],
)
def test_a_bad_row_is_named(row: object, tmp_path: Path) -> None:
    folder = _write(tmp_path, {"text": "a", "kind": "good", "feel": []}, row)
    with pytest.raises(ValueError, match="row 2"):
        read_kinds(folder)


def test_all_known_messages_are_in_one_order() -> None:
    rows = kind_rows()
    echoed = sum(len(talk.parts) for talk in read_echoed())
    assert len(rows) == echoed + len(read_kinds())
    assert {row.kind for row in rows} == set(KINDS)
    assert len({row.group for row in rows}) == rows[-1].group + 1
    assert 0.1 < sum(row.apart for row in rows) / len(rows) < 0.2


def test_a_conversation_is_apart_as_a_whole() -> None:
    sides: dict[int, set[bool]] = {}
    for row in kind_rows():
        sides.setdefault(row.group, set()).add(row.apart)
    assert all(len(found) == 1 for found in sides.values())


def test_feelings_must_be_voiced_often_enough() -> None:
    rows = [KnownMessage((str(i),), "low", ("sad",), i, apart=False) for i in range(FEWEST)]
    rows += [KnownMessage(("x",), "low", ("odd",), 99, apart=False)]
    assert known_feelings(rows) == ("sad",)


def test_nothing_that_is_measured_on_is_learned_from() -> None:
    def plain(text: str) -> str:
        return text.lower().strip().rstrip(".!")

    measured = {plain(said) for file in (CONTEXTS, *FRESH) for talk in read_contexts(file) for said in talk}
    learned = {plain(row.text) for row in read_kinds()}
    assert not {text for text in measured & learned if len(text.split()) > 3}
