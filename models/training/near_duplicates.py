"""Finds posts that were seen before, word for word or nearly, in one pass over any number of them.

Two texts are near duplicates when their sets of five-character shingles have a Jaccard similarity
J = |A ∩ B| / |A ∪ B| of at least 0.8, as MinHash estimates it: the share of 128 random hash functions
h(x) = (a·x + b) mod p, p = 2³¹ − 1, whose least value over A is that over B (Broder 1997, "On the resemblance
and containment of documents"). Only texts that agree on all rows of one of 16 bands of 8 are compared; a pair
with J = 0.8 shares a band with probability 1 − (1 − 0.8⁸)¹⁶ ≈ 0.947, one with J = 0.5 with 0.061.
"""

import zlib
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Seen = Literal["exact", "near"]
_HASHES, _BANDS, _ROWS = 128, 16, 8
_SHINGLE = 5
_PRIME = np.uint64((1 << 31) - 1)
"""Small enough that a·x + b fits 64 bits."""
_SEED = 20261129

Signature = NDArray[np.uint32]


class SeenPosts:
    """Remembers posts by their signatures: about 2 kB each, and no text.

    Args:
        similarity: Estimated Jaccard similarity from which a post counts as seen.
    """

    def __init__(self, similarity: float = 0.8) -> None:
        self._similarity = similarity
        random = np.random.default_rng(_SEED)
        self._a = random.integers(1, int(_PRIME), size=(_HASHES, 1), dtype=np.uint64)
        self._b = random.integers(0, int(_PRIME), size=(_HASHES, 1), dtype=np.uint64)
        self._whole: set[bytes] = set()
        self._signatures: list[Signature] = []
        self._bands: dict[tuple[int, bytes], list[int]] = {}

    def add(self, text: str) -> Seen | None:
        """Remember a text; tell whether it, or nearly it, was there before. What was is not kept again."""
        plain = plain_form(text)
        mark = zlib.crc32(plain.encode()).to_bytes(4, "big") + len(plain).to_bytes(4, "big")
        signature = self.signature(plain)
        whole = mark + signature.tobytes()
        if whole in self._whole:
            return "exact"
        keys = [(band, signature[band * _ROWS : (band + 1) * _ROWS].tobytes()) for band in range(_BANDS)]
        rivals = {index for key in keys for index in self._bands.get(key, ())}
        if any(similarity(signature, self._signatures[index]) >= self._similarity for index in rivals):
            return "near"
        self._whole.add(whole)
        for key in keys:
            self._bands.setdefault(key, []).append(len(self._signatures))
        self._signatures.append(signature)
        return None

    def signature(self, plain: str) -> Signature:
        """Least value of each hash function over the shingles, ``(128,)``."""
        shingles = {plain[i : i + _SHINGLE] for i in range(max(len(plain) - _SHINGLE + 1, 1))}
        hashed = np.array(sorted(zlib.crc32(one.encode()) for one in shingles), np.uint64) % _PRIME
        return ((self._a * hashed + self._b) % _PRIME).min(axis=1).astype(np.uint32)


def similarity(one: Signature, other: Signature) -> float:
    """Estimated Jaccard similarity of two signatures."""
    return float((one == other).mean())


def plain_form(text: str) -> str:
    """Letters and digits alone, in lower case: what two copies have in common."""
    return "".join(character for character in text.casefold() if character.isalnum())
