"""Makes pairs for DPO from replies of the embedded model that were read and judged one by one.

    python -m models.training.read_pairs evals/data/embedded_replies_read.jsonl --output var/read/dpo.jsonl
    python -m models.training.dpo --config models/training/configs/dpo_read.yaml

A row of the input holds ``message``, ``source`` and ``replies``, each with ``text`` and ``verdict``
(``fits``, ``partly`` or ``misses``). A pair prefers a reply with the better verdict to another one to the
same message; pairs of a fitting reply and a missing one come first. Messages that something is measured on
are left out: only the sources that are named are learned from.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

VERDICTS = ("misses", "partly", "fits")
"""From the worst to the best."""
SOURCES = ("read_messages",)
"""Messages that were written to be learned from."""
_MOST = 8
"""Pairs of one message."""
Pair = tuple[str, str]


def pairs_of(replies: Sequence[dict[str, Any]], rng: random.Random, most: int = _MOST) -> list[Pair]:
    """Pairs of better and worse replies to one message, those furthest apart first.

    Args:
        replies: Each with ``text`` and ``verdict``.
        rng: Mixes pairs that are equally far apart.
        most: Pairs kept.

    Raises:
        ValueError: A verdict has another name.
    """
    ranked = [(VERDICTS.index(one["verdict"]), one["text"]) for one in replies]
    found = [
        (better - worse, good, bad)
        for (better, good), (worse, bad) in product(ranked, ranked)
        if better > worse
    ]
    rng.shuffle(found)
    found.sort(key=lambda pair: -pair[0])
    return [(good, bad) for _, good, bad in found[:most]]


def rows_of(file: Path, sources: Sequence[str], seed: int) -> list[dict[str, Any]]:
    """Rows as ``dpo.jsonl`` of an export has them.

    Raises:
        ValueError: A row is bad; the message names it.
    """
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            if row["source"] not in sources:
                continue
            found = pairs_of(row["replies"], rng)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}, row {number}: {error}") from error
        rows += [_row(f"read-{number}", row["message"], *pair) for pair in found]
    rng.shuffle(rows)
    return rows


def _row(group: str, message: str, chosen: str, rejected: str) -> dict[str, Any]:
    return {
        "session_id": group,
        "prompt": [{"role": "user", "content": message}],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.read_pairs", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--sources", nargs="+", default=list(SOURCES))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        rows = rows_of(options.file, options.sources, options.seed)
    except (OSError, ValueError) as error:
        sys.exit(f"read_pairs: {error}")
    if not rows:
        sys.exit(f"read_pairs: no pair in {options.file} with sources {', '.join(options.sources)}")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    print(f"{len(rows)} pairs of {len({row['session_id'] for row in rows})} messages")


if __name__ == "__main__":
    main()
