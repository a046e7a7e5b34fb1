"""A head of answers in its place, and what choosing by it is worth."""

import json
from pathlib import Path

import numpy as np
import pytest

from models.answers import VERDICTS, load_answers
from models.encoder import ANSWERS
from models.head_file import read_head
from models.training import answer_install
from models.training.tuning_data import TuningData, save


def test_choices_are_counted_by_message() -> None:
    fits, misses = [0.0, 0.0, 5.0], [5.0, 0.0, 0.0]
    outputs = np.array([fits, misses, misses, fits, fits], np.float32)
    labels = np.array([2, 0, 2, 1, 0])
    messages = np.array([0, 0, 1, 1, 2])

    found = answer_install.choice_figures(outputs, labels, messages)

    assert found["messages"] == 2
    assert found["fits"] == {"chance": 0.5, "chosen": 0.5, "best": 1.0}
    assert found["misses"] == {"chance": 0.25, "chosen": 0.0}


def test_head_encoder_and_temperature_go_together(tmp_path: Path) -> None:
    tuned, rng = tmp_path / "tuned", np.random.default_rng(0)
    tuned.mkdir()
    labels = np.arange(30) % 3
    outputs = (np.eye(3)[labels] * 2 + rng.normal(size=(30, 3))).astype(np.float32)
    np.savez(tuned / "outputs.npz", rows=np.arange(30), outputs=outputs)
    np.savez(tuned / "head.npz", w0=np.zeros((770, 3), np.float32), b0=np.zeros(3, np.float32))
    (tuned / "adapter.safetensors").write_bytes(b"changes")
    (tuned / "metrics.json").write_text(json.dumps({"rows": 30, "plan": {"epochs": 1}, "trials": []}))
    arrays = {
        "label": labels.astype(np.int64),
        "conversation": np.arange(30) // 3,
        "data": np.array("made up"),
        "licence": np.array("none"),
    }
    save(TuningData(arrays, {}), tmp_path / "tuning.npz")

    out = tmp_path / "out"
    answer_install.main([str(tuned), "--data", str(tmp_path / "tuning.npz"), "--output", str(out)])

    facts = read_head(out / "head.safetensors", ANSWERS).facts
    assert facts["names"] == list(VERDICTS)
    assert facts["temperature"] > 0
    assert facts["kept_apart"]["messages"] == 10
    assert (out / "adapter.safetensors").read_bytes() == b"changes"


def test_the_shipped_head_chose_fitting_replies_more_often_than_chance() -> None:
    load_answers()
    found = read_head(answer_install.FOLDER / "head.safetensors", ANSWERS).facts["kept_apart"]
    assert found["fits"]["chance"] * 1.2 < found["fits"]["chosen"] < found["fits"]["best"]
    assert found["misses"]["chosen"] == pytest.approx(found["misses"]["chance"], abs=0.2)
    assert found["misses"]["chosen"] < found["misses"]["chance"]
