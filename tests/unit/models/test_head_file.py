from pathlib import Path

import numpy as np
import pytest

from models.head_file import Head, HeadError, read_head, write_head

IDENTITY = {"mean": np.zeros(2, np.float32), "scale": np.ones(2, np.float32)}


def test_a_linear_head_by_hand() -> None:
    head = Head(
        {**IDENTITY, "w0": np.array([[1.0], [2.0]], np.float32), "b0": np.array([0.5], np.float32)}, {}
    )
    assert head.forward(np.array([[3.0, 4.0]], np.float32)).tolist() == [[11.5]]


def test_between_layers_negative_values_become_zero() -> None:
    tensors = {
        **IDENTITY,
        "w0": np.array([[1.0, -1.0], [0.0, 0.0]], np.float32),
        "b0": np.zeros(2, np.float32),
        "w1": np.array([[10.0], [100.0]], np.float32),
        "b1": np.zeros(1, np.float32),
    }
    assert Head(tensors, {}).forward(np.array([[2.0, 0.0]], np.float32)).tolist() == [[20.0]]


def test_inputs_are_standardised_and_cut() -> None:
    tensors = {
        "mean": np.array([1.0], np.float32),
        "scale": np.array([2.0], np.float32),
        "w0": np.ones((1, 1), np.float32),
        "b0": np.zeros(1, np.float32),
    }
    values = Head(tensors, {}).forward(np.array([[5.0], [1000.0]], np.float32))
    assert values.tolist() == [[2.0], [8.0]]


def test_a_head_reads_back_as_written(tmp_path: Path) -> None:
    file = tmp_path / "tactics-x" / "head.safetensors"
    write_head(file, {**IDENTITY, "w0": np.eye(2, dtype=np.float32)}, {"encoder": "x", "note": "ü"})
    head = read_head(file, "x")
    assert head.facts["note"] == "ü"
    assert np.array_equal(head.tensors["w0"], np.eye(2))


def test_a_head_of_another_encoder_is_refused(tmp_path: Path) -> None:
    write_head(tmp_path / "head.safetensors", IDENTITY, {"encoder": "x"})
    with pytest.raises(HeadError, match="trained for 'x'"):
        read_head(tmp_path / "head.safetensors", "y")


def test_a_missing_head_is_named(tmp_path: Path) -> None:
    with pytest.raises(HeadError, match="cannot read"):
        read_head(tmp_path / "head.safetensors", "x")


def test_a_damaged_head_is_named(tmp_path: Path) -> None:
    (tmp_path / "head.safetensors").write_bytes(b"no weights")
    with pytest.raises(HeadError, match="cannot read"):
        read_head(tmp_path / "head.safetensors", "x")
