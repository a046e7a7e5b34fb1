"""Replies that were read, packed for tuning an encoder."""

import json
from pathlib import Path

import pytest

from models.answers import VERDICTS
from models.training.answer_pack import main
from models.training.tuning_data import load


def test_labels_places_and_what_is_learned_from(tmp_path: Path) -> None:
    file, output = tmp_path / "read.jsonl", tmp_path / "out" / "tuning.npz"
    turns = [["user", "lost my job"], ["assistant", "Oh no."], ["user", "to a robot"]]
    replies = [{"text": "A robot!", "verdict": "fits"}, {"text": "My cat.", "verdict": "misses"}]
    rows = [
        {"source": "talk_a", "turns": turns, "replies": replies},
        {"source": "fresh", "message": "hello", "replies": [{"text": "Hi.", "verdict": "partly"}]},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    main([str(file), "--layers", "1", "--output", str(output)])

    arrays = load(output).arrays
    assert [VERDICTS[label] for label in arrays["label"]] == ["fits", "misses", "partly"]
    assert arrays["conversation"].tolist() == [0, 0, 1]
    assert arrays["train"].tolist() == [True, True, False]
    assert arrays["sentences"].tolist() == [2, 2, 2]
    assert arrays["place"][:, 1].tolist() == [0.0, 0.0, 1.0]


def test_a_bad_row_ends_kindly(tmp_path: Path) -> None:
    file = tmp_path / "read.jsonl"
    file.write_text("{}\n")

    with pytest.raises(SystemExit, match="row 1"):
        main([str(file), "--output", str(tmp_path / "tuning.npz")])
