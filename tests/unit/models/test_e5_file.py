import struct
from pathlib import Path

import numpy as np
import pytest

from models.e5_file import E5FileError, read_file


def model_file(folder: Path) -> Path:
    """A file of the format with hidden size 32, two pieces, one mapped character and two tensors."""
    words = ["<s>", "▁ab"]
    text = "".join(words).encode()
    ends = np.cumsum([0, *(len(word.encode()) for word in words)])
    out = b"E5S1" + struct.pack("<I7i", 1, 32, 2, 4, 128, 2, 16, 1) + struct.pack("<fi", 1e-12, 32)
    out += struct.pack("<5i", 2, 0, 1, 1, 1) + struct.pack("<Q", len(text))
    out += struct.pack("<3I", *ends) + struct.pack("<2f", 0.0, -1.5) + text
    mapping = struct.pack("<IBI", ord("Ａ"), 1, ord("A"))
    out += struct.pack("<iI", 1, len(mapping)) + mapping
    floats = struct.pack("<3f", 1.0, 2.0, 3.0)
    # Row 0: scale 0.5, all halves 9 (weight 1); row 1: scale 2, low halves 0 (−8), high halves 8 (0).
    packed = struct.pack("<e", 0.5) + b"\x99" * 16 + struct.pack("<e", 2.0) + b"\x80" * 16
    names = (("eln", 0, 3, floats), ("emb.word", 1, 64, packed))
    size = len(out) + 4 + sum(2 + len(name) + 1 + 20 for name, *_ in names)
    out += struct.pack("<i", len(names))
    for name, kind, count, data in names:
        out += (
            struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, size, len(data))
        )
        size += len(data)
    file = folder / "model.bin"
    file.write_bytes(out + floats + packed)
    return file


def test_the_header_is_read(tmp_path: Path) -> None:
    file = read_file(model_file(tmp_path))
    assert (file.hidden, file.layers, file.heads, file.max_tokens) == (32, 2, 4, 16)


def test_pieces_come_with_their_scores(tmp_path: Path) -> None:
    assert list(read_file(model_file(tmp_path)).pieces) == [("<s>", 0.0), ("▁ab", -1.5)]


def test_characters_are_mapped(tmp_path: Path) -> None:
    assert read_file(model_file(tmp_path)).character_map == {ord("Ａ"): "A"}


def test_floats_are_read(tmp_path: Path) -> None:
    assert read_file(model_file(tmp_path)).floats("eln").tolist() == [1.0, 2.0, 3.0]


def test_four_bit_weights_are_unpacked(tmp_path: Path) -> None:
    matrix = read_file(model_file(tmp_path)).matrix("emb.word", 32)
    assert matrix[0].tolist() == [0.5] * 32
    assert matrix[1].tolist() == [-16.0] * 16 + [0.0] * 16


def test_only_the_wanted_embeddings_are_unpacked(tmp_path: Path) -> None:
    rows = read_file(model_file(tmp_path)).embeddings(np.array([1, 0, 1]))
    assert rows[:, 0].tolist() == [-16.0, 0.5, -16.0]


def test_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(E5FileError, match="no E5S1 file"):
        read_file(tmp_path / "x.bin")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    whole = model_file(tmp_path).read_bytes()
    (tmp_path / "x.bin").write_bytes(whole[:60])
    with pytest.raises(E5FileError, match="damaged"):
        read_file(tmp_path / "x.bin")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(E5FileError, match="cannot read"):
        read_file(tmp_path / "x.bin")
