r"""Puts a tuned reader of first or of later sentences in its place.

    python -m models.training.verdict_install firsts-reader var/reader/answers/reader_all.safetensors \
        --metrics var/reader/answers/metrics_apart.json

Both are what ``reader_tune`` wrote for the task ``answers``: the reader that learned from all messages, and
what the one that learned from four fifths said of the rest.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from models.head_file import HeadError
from models.training.reader_answers import CONTEXT_TOKENS
from models.training.reader_install_file import write_reader
from models.verdict_file import FIRSTS, SENTENCES, VerdictFacts, read_verdict_facts, verdict_file
from models.weights import EMBEDDED_NAME

_DATA = {
    FIRSTS: "first sentences of the embedded model, read and judged",
    SENTENCES: "sentences that the embedded model knows by heart, judged behind messages",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the reader with its facts, and read it again; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.verdict_install", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("kind", choices=list(_DATA))
    parser.add_argument("reader", type=Path)
    parser.add_argument("--metrics", type=Path, required=True)
    parser.add_argument("--output", type=Path, help="file, if not the shipped one")
    options = parser.parse_args(arguments)
    output = options.output or verdict_file(options.kind)
    try:
        measured: dict[str, Any] = json.loads(options.metrics.read_text("utf-8"))
        facts = VerdictFacts(
            head=options.kind,
            base=EMBEDDED_NAME,
            rank=int(measured["plan"]["rank"]),
            context_tokens=CONTEXT_TOKENS,
            data=_DATA[options.kind],
            licence="Apache-2.0",
            kept_apart={
                **{key: measured[key] for key in ("rows", "accuracy", "macro_f1", "plan")},
                "choice": measured["firsts" if options.kind == FIRSTS else "whole"],
            },
        )
        write_reader(options.reader, output, facts)
        read_verdict_facts(options.kind, output)
    except (HeadError, OSError, KeyError, ValueError, SafetensorError) as error:
        print(f"not installed: {error}", file=sys.stderr)
        return 1
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
