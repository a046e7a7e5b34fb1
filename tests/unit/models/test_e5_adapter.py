from pathlib import Path

import numpy as np
import pytest

from models.e5_adapter import Adapter, AdapterError, read_adapter, write_adapter

TENSORS = {"l0.ao.a": np.array([[1.0, 2.0]], np.float32), "l0.ao.b": np.array([[1.0], [3.0]], np.float32)}


def adapter() -> Adapter:
    return Adapter("tuned", 1, 0, 2.0, TENSORS, {"data": "none"})


def test_the_product_is_added_to_the_weight() -> None:
    assert adapter().merged(0, "ao", np.eye(2, dtype=np.float32)).tolist() == [[3.0, 4.0], [6.0, 13.0]]


def test_a_written_adapter_is_read_again(tmp_path: Path) -> None:
    write_adapter(tmp_path / "a.safetensors", adapter())
    found = read_adapter(tmp_path / "a.safetensors")
    assert (found.name, found.layers, found.first, found.scale) == ("tuned", 1, 0, 2.0)
    assert found.tensors["l0.ao.b"].tolist() == [[1.0], [3.0]]


def test_a_layer_that_is_not_in_it_is_named() -> None:
    with pytest.raises(AdapterError, match=r"l3\.fi"):
        adapter().merged(3, "fi", np.eye(2, dtype=np.float32))


def test_another_shape_is_refused() -> None:
    with pytest.raises(AdapterError, match="does not fit"):
        adapter().merged(0, "ao", np.zeros((1, 2), np.float32))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match=r"none\.safetensors"):
        read_adapter(tmp_path / "none.safetensors")
