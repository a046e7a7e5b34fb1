r"""First sentences that a reader finds best, to learn in place of the written ones.

    python -m models.training.best_firsts messages --output var/firsts/messages.jsonl
    python -m models.training.draw_replies var/firsts/messages.jsonl --most-tokens 48 --draws 0.3=1 0.8=9 \
        --adapter models/adapters/smollm2-supporter --output var/firsts/drawn.jsonl
    python -m models.training.score_firsts var/firsts/drawn.jsonl --output var/firsts/scored.jsonl \
        --reader models/heads/firsts-reader/reader.safetensors
    python -m models.training.best_firsts choose var/firsts/scored.jsonl --output var/firsts/best.jsonl

A model that goes on learning something else forgets how its first sentences were made better. So it draws
them itself, for the messages that it will learn from, and learns the best of each (rejection sampling, as in
Touvron et al. 2023, section 3.2.3) along with the rest (``finetune_chat --firsts``).
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.control_code import code_text
from models.message_kind import ADDRESSED, MessageReading
from models.training.closer_replies import light_talks
from models.training.rows import made_rows

LEAST_WORTH = 0.3
"""Chance that it fits less the chance that it misses; below, the written sentence is learned."""


def messages(seed: int) -> list[dict[str, Any]]:
    """Rows for ``draw_replies``: single messages of the light recipe, with the codes of their writers.

    Args:
        seed: That of the training.
    """
    parts = [talk.parts[0] for talk in light_talks(seed) if len(talk.parts) == 1]
    told = {one.said: one for one in parts if one.kind not in ADDRESSED}
    return [
        {"text": said, "codes": [code_text(MessageReading(one.kind, one.feel))], "source": one.kind}
        for said, one in told.items()
    ]


def best(rows: Iterable[Mapping[str, Any]], least: float = LEAST_WORTH) -> dict[str, str]:
    """The best first sentence of each message, where one is good enough.

    Args:
        rows: As ``score_firsts`` writes them.
        least: Worth that it must have.
    """
    found: dict[str, str] = {}
    for row in rows:
        replies = sorted(row["replies"], key=lambda reply: -float(reply["worth"]))
        if replies and float(replies[0]["worth"]) >= least:
            found[str(row["turns"][-1][1])] = str(replies[0]["first"])
    return found


def read_firsts(file: Path) -> dict[str, str]:
    """First sentences by message, as ``choose`` wrote them.

    Raises:
        ValueError: A row is bad; the message names it.
    """
    return dict(made_rows(file, lambda _, row: (str(row["text"]), str(row["first"]))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write messages, or choose."""
    parser = argparse.ArgumentParser(prog="python -m models.training.best_firsts", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    told = steps.add_parser("messages", help="that first sentences are to be drawn for")
    told.add_argument("--seed", type=int, default=7)
    choose = steps.add_parser("choose", help="the best of each message")
    choose.add_argument("file", type=Path, help="what score_firsts wrote")
    for one in (told, choose):
        one.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    if options.step == "messages":
        rows = messages(options.seed)
    else:
        try:
            firsts = best(made_rows(options.file, lambda _, row: row))
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"best_firsts: {error}")
        rows = [{"text": said, "first": first} for said, first in firsts.items()]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    sys.stdout.write(f"{len(rows)} rows in {options.output}\n")


if __name__ == "__main__":
    main()
