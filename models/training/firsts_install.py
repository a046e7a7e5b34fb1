r"""Puts a tuned reader of first sentences in its place.

    python -m models.training.firsts_install var/reader/answers/reader_all.safetensors \
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

from models.first_file import FIRSTS_FILE, FirstsFacts, read_firsts_facts
from models.head_file import HeadError
from models.training.reader_answers import CONTEXT_TOKENS
from models.training.reader_install_file import write_reader
from models.weights import EMBEDDED_NAME


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the reader with its facts, and read it again; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.firsts_install", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("reader", type=Path)
    parser.add_argument("--metrics", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=FIRSTS_FILE)
    options = parser.parse_args(arguments)
    try:
        measured: dict[str, Any] = json.loads(options.metrics.read_text("utf-8"))
        facts = FirstsFacts(
            base=EMBEDDED_NAME,
            rank=int(measured["plan"]["rank"]),
            context_tokens=CONTEXT_TOKENS,
            data="first sentences of the embedded model, read and judged",
            licence="Apache-2.0",
            kept_apart={
                **{key: measured[key] for key in ("rows", "accuracy", "macro_f1", "plan")},
                "choice": measured["firsts"],
            },
        )
        write_reader(options.reader, options.output, facts)
        read_firsts_facts(options.output)
    except (HeadError, OSError, KeyError, ValueError, SafetensorError) as error:
        print(f"not installed: {error}", file=sys.stderr)
        return 1
    print(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
