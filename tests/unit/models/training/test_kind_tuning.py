"""Packing, tuning and installing a reader of kinds, with a tiny network and made-up messages."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import torch as safetensors_torch

from models.encoder import KINDS_ENCODER
from models.head_file import read_head
from models.kinds_file import read_kinds_facts
from models.message_kind import HEAVY, KINDS
from models.reader_file import BIAS, FIRST, OUTPUT, SECOND
from models.training import kind_install, pair_tune
from models.training.kind_pack import pack
from models.training.kind_rows import KnownMessage
from models.training.tuning_data import TuningData, save
from tests.fakes.reader_file import LAYER
from tests.unit.models.training.test_tuning import pairs

ROWS = 130


@pytest.fixture
def data() -> TuningData:
    """Pairs of two sentences whose second begins with a token that tells the kind and the feeling."""
    label = np.arange(ROWS) % len(KINDS)
    return pairs(
        label,
        KINDS,
        conversation=np.arange(ROWS),
        train=np.ones(ROWS, np.bool_),
        encoder=np.array(KINDS_ENCODER),
        marks=np.stack([label < len(HEAVY), label >= len(HEAVY)], axis=1).astype(np.float32),
        mark_names=np.array(["sad", "happy"]),
        apart=np.arange(ROWS) % 4 == 0,
    )


@pytest.fixture
def tuned(data: TuningData, tmp_path: Path) -> Path:
    save(data, tmp_path / "tuning.npz")
    command = [str(tmp_path / "tuning.npz"), "--output", str(tmp_path / "tuned"), "--device", "cpu"]
    assert pair_tune.main([*command, "--trials", "0:4:2e-2:3:1"]) == 0
    return tmp_path / "tuned"


def test_a_trial_keeps_the_rows_apart_that_the_file_names(tuned: Path, data: TuningData) -> None:
    with np.load(tuned / "outputs.npz") as file:
        assert file["rows"].tolist() == np.flatnonzero(data.arrays["apart"]).tolist()
        assert file["outputs"].shape == (33, len(KINDS) + 2)


def _install(tuned: Path, tmp_path: Path, rows: np.ndarray, rank: int = 2) -> Path:
    reader, out = tmp_path / "reader", tmp_path / "installed"
    shapes = {
        LAYER + FIRST: (2, 8),
        LAYER + SECOND: (6, 2),
        OUTPUT: (len(KINDS) + 2, 8),
        BIAS: (len(KINDS) + 2,),
    }
    reader.mkdir()
    outputs = np.zeros((len(rows), len(KINDS) + 2), np.float32)
    np.savez(reader / "strategies_apart.npz", rows=rows, outputs=outputs)
    metrics = {"rows": len(rows), "accuracy": 0.5, "macro_f1": 0.4, "plan": {"rank": rank}}
    (reader / "metrics_apart.json").write_text(json.dumps(metrics), "utf-8")
    tensors: dict[str, Any] = {
        name: torch.zeros(shape, dtype=torch.bfloat16) for name, shape in shapes.items()
    }
    files: Any = safetensors_torch
    files.save_file(tensors, reader / "reader_all.safetensors", metadata={"rank": "2"})
    data = ["--data", str(tmp_path / "tuning.npz"), "--output", str(out)]
    kind_install.main([str(tuned), str(reader), *data])
    return out


def test_installing_chooses_share_temperature_and_thresholds(tuned: Path, tmp_path: Path) -> None:
    out = _install(tuned, tmp_path, np.arange(0, ROWS, 4))
    facts = read_head(out / "head.safetensors", KINDS_ENCODER).facts
    assert facts["names"] == list(KINDS)
    assert facts["marks"] == ["sad", "happy"]
    assert len(facts["thresholds"]) == 2
    assert facts["opinion_share"] in kind_install.SHARES
    assert {"encoder", "language_model", "both", "feelings"} == set(facts["kept_apart"])
    reader = read_kinds_facts(out / "reader.safetensors")
    assert (reader.names, reader.marks) == (KINDS, ("sad", "happy"))
    assert (out / "adapter.safetensors").read_bytes() == (tuned / "adapter.safetensors").read_bytes()


def test_a_reader_of_other_messages_is_refused(tuned: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="other messages"):
        _install(tuned, tmp_path, np.arange(1, ROWS, 4))


def test_weights_of_another_rank_are_refused(tuned: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no changes of rank 3"):
        _install(tuned, tmp_path, np.arange(0, ROWS, 4), rank=3)


def test_the_better_reader_has_the_larger_share() -> None:
    labels = np.arange(40) % len(KINDS)
    good = np.full((40, len(KINDS)), 0.01, np.float32)
    good[np.arange(40), labels] = 0.75
    bad = np.full((40, len(KINDS)), 1 / len(KINDS), np.float32)
    assert kind_install.best_share(good, bad, labels) == 0.0
    assert kind_install.best_share(bad, good, labels) == max(kind_install.SHARES)


def test_pain_told_for_joy_is_counted() -> None:
    good, hurt, small = (KINDS.index(kind) for kind in ("good", "hurt", "small"))
    labels = np.array([good, hurt, small, good])
    chances = np.full((4, len(KINDS)), 0.001, np.float32)
    for row, told in enumerate((hurt, hurt, good, good)):
        chances[row, told] = 0.97
    found = kind_install.told_figures(chances, labels)
    assert found == {"right": 0.5, "less": 0.0, "pain_for_joy_or_joy_for_pain": 0.25}


def test_a_feeling_is_named_from_where_enough_names_are_right() -> None:
    chances = np.array([[0.9, 0.9], [0.8, 0.8], [0.3, 0.7]], np.float32)
    marks = np.array([[1, 0], [1, 0], [0, 0]], np.float32)
    least = kind_install.thresholds(chances, marks)
    assert least == [pytest.approx(0.8), 1.0]
    figures = kind_install.feeling_figures(chances, marks, least)
    assert figures == {"precision": 1.0, "recall": 1.0, "messages_with_one": pytest.approx(2 / 3, abs=1e-4)}


def test_messages_are_packed_behind_the_one_before() -> None:
    from models.e5_file import find_file, read_file

    rows = [
        KnownMessage(("hello",), "hello", (), 0, apart=False),
        KnownMessage(("hello", "my cat died"), "grief", ("sad",), 0, apart=True),
    ]
    arrays = pack(rows, read_file(find_file()), 1).arrays
    assert [KINDS[label] for label in arrays["label"]] == ["hello", "grief"]
    assert arrays["sentences"].tolist() == [2, 2]
    assert arrays["apart"].tolist() == [False, True]
    assert arrays["marks"].shape == (2, 0)


def test_the_shipped_reader_seldom_takes_pain_for_joy() -> None:
    facts = read_head(kind_install.FOLDER / "head.safetensors", KINDS_ENCODER).facts["kept_apart"]
    assert facts["both"]["accuracy"] > max(facts["encoder"]["accuracy"], facts["language_model"]["accuracy"])
    assert facts["both"]["pain_for_joy_or_joy_for_pain"] < 0.07
    assert json.dumps(facts)
