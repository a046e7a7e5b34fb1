"""How often the embedded model is told the right kind of message: ``python -m evals.kinds FILE --json OUT``.

A FILE is JSONL with ``text``, ``kind`` (one of :data:`models.message_kind.KINDS`) and ``feel``. Counted is
what the application would put into the prompt, by both shipped readers. ``evals/data/kinds_traffic.jsonl``
holds first messages as of an evening's traffic by two language models that knew nothing of the readers;
nothing learns from it.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals.provenance import provenance, write_results
from models.message_kind import ANY_HEAVY, HEAVY, UNSURE, MessageReading
from models.training.kind_file import KindRow, kind_row
from models.training.rows import made_rows
from models.training.shipped_kinds import ShippedKinds

Read = Callable[[Sequence[str]], MessageReading | None]
_PAIN, _JOY = (*HEAVY, ANY_HEAVY), ("good", "small")


def figures(rows: Sequence[KindRow], read: Read) -> dict[str, Any]:
    """Shares of messages whose kind is told rightly, left open, or told as the opposite.

    Args:
        rows: Messages and their kinds.
        read: Reads a person's messages.

    Returns:
        ``messages``; ``right``; ``heavy`` (pain told as pain without its kind), ``unsure``; ``crossed`` (pain
        told as joy or small talk, or joy as pain); ``kinds``, the share that is right of each.
    """
    counts: Counter[str] = Counter()
    own: dict[str, list[bool]] = {}
    for row in rows:
        reading = read([row.text])
        told = UNSURE if reading is None else reading.kind
        right = told == row.kind
        own.setdefault(row.kind, []).append(right)
        counts["right"] += right
        counts["heavy"] += told == ANY_HEAVY and row.kind in HEAVY
        counts["unsure"] += told == UNSURE
        counts["crossed"] += (row.kind in HEAVY and told in _JOY) or (row.kind == "good" and told in _PAIN)
    shares = {name: round(counts[name] / len(rows), 4) for name in ("right", "heavy", "unsure", "crossed")}
    kinds = {kind: round(sum(found) / len(found), 4) for kind, found in sorted(own.items())}
    return {"messages": len(rows), **shares, "kinds": kinds}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    try:
        rows = made_rows(options.file, lambda number, row: kind_row(options.file.stem, number, row))
    except (OSError, ValueError) as error:
        print(f"evals.kinds: {error}", file=sys.stderr)
        return 1
    about = provenance(seed=None, data=options.file.name)
    found = figures(rows, ShippedKinds().read)
    print(json.dumps(found, indent=1))
    if options.json is not None:
        write_results(options.json, found, about)
    return 0


if __name__ == "__main__":
    sys.exit(main())
