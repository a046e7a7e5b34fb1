"""Exports are read whole or refused with the numbers of the bad rows."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.chat_model import ChatMessage
from models.training.preference_config import read_preference_config
from models.training.preference_rows import (
    LabelledExample,
    PreferenceDataError,
    read_labelled,
    read_pairs,
)
from models.training.preferences import curves, label_weights, split, with_codes
from models.weights import DEFAULT_ADAPTER

CONFIGS = Path("models/training/configs")
USER = {"role": "user", "content": "I am sad"}
REPLY = {"role": "assistant", "content": "I hear you.\u2028Go on."}
GOOD = {"prompt": [USER], "completion": [REPLY], "label": True, "session_id": "s1", "message_id": "m"}
BAD = GOOD | {"label": False, "session_id": "s2"}
PAIR = {"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY | {"content": "No."}], "session_id": "s"}


def written(folder: Path, *rows: Any) -> Path:
    file = folder / "rows.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def test_labelled_replies_are_read_with_their_conversation(tmp_path: Path) -> None:
    first, second = read_labelled(written(tmp_path, GOOD, "", BAD))
    assert first == LabelledExample("s1", (ChatMessage("user", "I am sad"),), "I hear you.\u2028Go on.", True)
    assert (second.group, second.good) == ("s2", False)


def test_pairs_are_read(tmp_path: Path) -> None:
    (pair,) = read_pairs(written(tmp_path, PAIR))
    assert (pair.chosen, pair.rejected) == ("I hear you.\u2028Go on.", "No.")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"label": 1}, "label is not true or false"),
        ({"label": None}, "label is not true or false"),
        ({"session_id": ""}, "session_id is missing"),
        ({"prompt": []}, "prompt is no list"),
        ({"prompt": "I am sad"}, "prompt is no list"),
        ({"prompt": [REPLY]}, "from user to user in turns"),
        ({"prompt": [USER, USER]}, "from user to user in turns"),
        ({"prompt": [USER, REPLY]}, "from user to user in turns"),
        ({"prompt": [{"role": "system", "content": "x"}, USER]}, "lacks a role"),
        ({"prompt": [USER | {"content": " "}]}, "lacks a role"),
        ({"completion": [USER]}, "completion is not one message of the assistant"),
        ({"completion": [REPLY, REPLY]}, "completion is not one message of the assistant"),
    ],
)
def test_a_bad_row_is_refused_with_its_number(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    with pytest.raises(PreferenceDataError, match=rf"rows\.jsonl: row 3: .*{problem}"):
        read_labelled(written(tmp_path, GOOD, BAD, GOOD | change))


def test_lines_that_are_no_json_are_told_with_all_other_problems(tmp_path: Path) -> None:
    with pytest.raises(PreferenceDataError, match=r"row 1: no JSON .*; row 2: expected keys and values"):
        read_pairs(written(tmp_path, "{", "[]", PAIR))


def test_a_pair_of_equal_replies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PreferenceDataError, match="row 1: chosen and rejected are the same"):
        read_pairs(written(tmp_path, PAIR | {"rejected": [REPLY]}))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PreferenceDataError, match="there is no row"):
        read_pairs(written(tmp_path))


def test_kto_needs_both_labels(tmp_path: Path) -> None:
    with pytest.raises(PreferenceDataError, match="all labels are the same"):
        read_labelled(written(tmp_path, GOOD, GOOD))


@pytest.mark.parametrize("name", ["kto", "kto_tiny", "dpo", "dpo_tiny"])
def test_committed_configurations_can_be_read(name: str) -> None:
    config = read_preference_config(CONFIGS / f"{name}.yaml")
    assert config.data.name == f"{name.removesuffix('_tiny')}.jsonl"


def test_no_conversation_is_learned_from_and_measured_on() -> None:
    examples = [LabelledExample(f"s{n % 20}", (), str(n), True) for n in range(60)]
    parts = split(examples, 0.3, seed=1)
    assert not {one.group for one in parts.train} & {one.group for one in parts.valid}
    assert sorted(parts.train + parts.valid, key=lambda one: int(one.reply)) == examples
    assert parts == split(examples, 0.3, seed=1)


def test_a_single_conversation_can_not_be_split() -> None:
    with pytest.raises(PreferenceDataError, match="too few conversations"):
        split([LabelledExample("s", (), "x", True)] * 5, 0.3, seed=1)


@pytest.mark.parametrize(("good", "bad", "weights"), [(6, 2, (1, 3)), (2, 6, (3, 1)), (4, 4, (1, 1))])
def test_the_rarer_label_is_raised_until_both_count_alike(
    good: int, bad: int, weights: tuple[float, float]
) -> None:
    rows = [{"label": True}] * good + [{"label": False}] * bad
    assert label_weights(rows, balance=True) == weights
    assert label_weights(rows, balance=False) == (1, 1)


def test_curves_hold_what_was_measured_by_step() -> None:
    history = [
        {"step": 1, "loss": 0.7, "rewards/margins": 0.1},
        {"step": 2, "eval_loss": 0.5, "eval_rewards/margins": float("nan")},
        {"step": 2, "train_runtime": 3.0},
    ]
    assert curves(history) == {
        "loss, train": [(1.0, 0.7)],
        "reward margin, train": [(1.0, 0.1)],
        "loss, valid": [(2.0, 0.5)],
    }


def test_rows_get_the_codes_of_an_adapter_that_knows_them(tmp_path: Path) -> None:
    given = PAIR | {"code": "Kind of message: hurt. Feelings: sad."}
    examples = split(read_pairs(written(tmp_path, PAIR, given | {"session_id": "t"})), 0.5, 0)
    config = read_preference_config(CONFIGS / "dpo_read.yaml", [])
    plain = with_codes(examples, config.model_copy(update={"adapter": None}))
    assert plain is examples
    coded = with_codes(examples, config.model_copy(update={"adapter": DEFAULT_ADAPTER}))
    codes = {example.group: example.code for example in (*coded.train, *coded.valid)}
    assert codes["t"] == given["code"]
    assert codes["s"].startswith("Kind of message: ")


def test_a_code_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PreferenceDataError, match="code is no text"):
        read_pairs(written(tmp_path, PAIR | {"code": 3}))
