"""Makes pairs for DPO from replies of the embedded model that were read and judged one by one.

    python -m models.training.read_pairs evals/data/embedded_replies_read*.jsonl --output var/read/dpo.jsonl
    python -m models.training.dpo --config models/training/configs/dpo_read.yaml

The files are those of :mod:`models.training.read_replies`. A pair prefers a reply with the better verdict to
another one to the same message; pairs of a fitting reply and a missing one come first. Messages that
something is measured on are left out: only the sources that are named are learned from.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from models.training.read_replies import SOURCES, ReadMessage, read_messages

_MOST = 8
"""Pairs of one message."""
Pair = tuple[str, str]


def pairs_of(replies: Sequence[tuple[str, int]], rng: random.Random, most: int = _MOST) -> list[Pair]:
    """Pairs of better and worse replies to one message, those furthest apart first.

    Args:
        replies: Text and place of the verdict, the worst 0.
        rng: Mixes pairs that are equally far apart.
        most: Pairs kept.
    """
    found = [
        (better - worse, good, bad)
        for (good, better), (bad, worse) in product(replies, replies)
        if better > worse
    ]
    rng.shuffle(found)
    found.sort(key=lambda pair: -pair[0])
    return [(good, bad) for _, good, bad in found[:most]]


def rows_of(
    files: Sequence[Path], sources: Sequence[str], seed: int, most: int = _MOST
) -> list[dict[str, Any]]:
    """Rows as ``dpo.jsonl`` of an export has them.

    Raises:
        ValueError: A row is bad; the message names it.
    """
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    rows = [
        _row(message, *pair)
        for file in files
        for message in read_messages(file, sources)
        for pair in pairs_of(message.replies, rng, most)
    ]
    rng.shuffle(rows)
    return rows


def _row(message: ReadMessage, chosen: str, rejected: str) -> dict[str, Any]:
    return {
        "session_id": message.group,
        "prompt": [{"role": turn.role, "content": turn.content} for turn in message.turns],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.read_pairs", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sources", nargs="+", default=list(SOURCES))
    parser.add_argument("--most", type=int, default=_MOST, help="pairs of one message")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        rows = rows_of(options.files, options.sources, options.seed, options.most)
    except (OSError, ValueError) as error:
        sys.exit(f"read_pairs: {error}")
    if not rows:
        sys.exit(f"read_pairs: no pair with sources {', '.join(options.sources)}")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    print(f"{len(rows)} pairs of {len({row['session_id'] for row in rows})} messages")


if __name__ == "__main__":
    main()
