"""Writes the sentences that may follow a first one into an adapter's folder.

    python -m models.training.write_sentences models/adapters/smollm2-supporter

They are those that the adapter was taught: ``models/training/echoed/sentences.yaml``, with
``--closer KIND …`` those of ``closer.yaml`` for these kinds as well. Run it again when these change.
"""

import argparse
import json
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from models.later_sentences import FILE
from models.message_kind import ADDRESSED, ANY_HEAVY
from models.training.closer_replies import CLOSER_KINDS, read_closer
from models.training.echoed_replies import read_pools


def sentences(closer_kinds: Collection[str] = ()) -> dict[str, list[str]]:
    """The sentences of each kind of message that is said back.

    Args:
        closer_kinds: Kinds with those of :mod:`models.training.closer_replies` as well.
    """
    closer = {kind: named for kind, named in read_closer().items() if kind in closer_kinds}
    found: dict[str, list[str]] = {}
    for kind, parts in read_pools().items():
        if kind in ADDRESSED or kind == ANY_HEAVY:
            continue
        texts = [text for pool in parts.values() for text in pool]
        found[kind] = list(dict.fromkeys((*texts, *closer.get(kind, {}).values())))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(prog="python -m models.training.write_sentences", description=__doc__)
    parser.add_argument("adapter", type=Path)
    parser.add_argument(
        "--closer", nargs="*", default=(), choices=CLOSER_KINDS, help="it learned closer sentences for these"
    )
    options = parser.parse_args(arguments)
    file = options.adapter / FILE
    book = sentences(options.closer)
    file.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", "utf-8")
    sys.stdout.write(f"{sum(map(len, book.values()))} sentences of {len(book)} kinds in {file}\n")


if __name__ == "__main__":
    main()
