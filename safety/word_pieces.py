"""Short runs of words and of Chinese characters as numbers, for a linear model over them.

A sentence embedding knows what a sentence is about; which words it really holds ("the tub is full for my
toddler") is what tells a crisis from its everyday twin.
"""

import re
from itertools import pairwise
from zlib import crc32

BUCKETS = 1 << 14
"""Rows of the linear model; runs that share one are told apart by the others around them."""

_TOKEN = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]")


def piece_ids(text: str) -> list[int]:
    """Numbers of all single words, pairs, and runs of three that begin with a Chinese character; sorted.

    The number of a run depends on its letters only, so a trained table stays valid everywhere.
    """
    tokens = _TOKEN.findall(text)
    runs = set(tokens)
    runs |= {f"{a}_{b}" for a, b in pairwise(tokens)}
    runs |= {
        f"{a}_{b}_{c}" for a, b, c in zip(tokens, tokens[1:], tokens[2:], strict=False) if not a.isascii()
    }
    return sorted({crc32(run.encode()) % BUCKETS for run in runs})
