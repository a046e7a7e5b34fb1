"""A reply's words and word pairs as counts in numbered buckets, without a stored vocabulary."""

import re
from collections import Counter
from collections.abc import Mapping
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from models.head_file import Array

BUCKETS = 2**15
LONGEST = 3
"""Words of the longest n-gram."""

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!]")


def word_grams(text: str) -> Mapping[int, int]:
    """How often each bucket's n-grams of 1 to 3 words (and ``?``, ``!``) occur in a text.

    Two n-grams can share a bucket; with so many buckets that costs little (Weinberger et al. 2009,
    "Feature Hashing for Large Scale Multitask Learning").
    """
    tokens = _TOKEN.findall(text.lower().replace("’", "'"))
    return Counter(
        crc32(" ".join(tokens[start : start + size]).encode()) % BUCKETS
        for size in range(1, LONGEST + 1)
        for start in range(len(tokens) - size + 1)
    )


def gram_weights(text: str, idf: Array) -> tuple[NDArray[np.int64], Array]:
    """Buckets of a text and their tf-idf weights, brought to length 1; tf is ``1 + ln(count)``.

    Args:
        text: A reply.
        idf: Weight of each bucket, ``(BUCKETS,)``; 0 leaves a bucket out.

    Returns:
        Bucket numbers and weights, both ``(n,)``.
    """
    counts = word_grams(text)
    places = np.fromiter(counts, np.int64, len(counts))
    weights = (1.0 + np.log(np.fromiter(counts.values(), np.float32, len(counts)))) * idf[places]
    length = float(np.linalg.norm(weights))
    return places, (weights / length if length else weights).astype(np.float32)
