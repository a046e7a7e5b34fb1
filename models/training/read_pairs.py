"""Makes pairs for DPO from replies of the embedded model that were read and judged one by one.

    python -m models.training.read_pairs evals/data/embedded_replies_read*.jsonl --output var/read/dpo.jsonl
    python -m models.training.dpo --config models/training/configs/dpo_read.yaml

The files are those of :mod:`models.training.read_replies`. A pair prefers a reply with the better verdict
to another one to the same message; pairs of a fitting reply and a missing one come first. Where only first
sentences were judged, both replies go on in the same words, composed anew as fine-tuning composes them, so
that nothing else is preferred; where none of them fits, the sentence that was written for the message
(``models/training/echoed``) is. Messages that something is measured on are left out: only the sources that
are named are learned from.
"""

import argparse
import json
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from models.answers import VERDICTS
from models.control_code import code_text
from models.training.echoed_file import Parts, read_echoed
from models.training.echoed_replies import coded_reply, read_pools
from models.training.read_replies import SOURCES, ReadMessage, read_messages
from models.training.sample_chat import CUT

_MOST = 8
"""Pairs of one message."""
Pair = tuple[str, str]


def pairs_of(
    replies: Sequence[tuple[str, int]],
    rng: random.Random,
    most: int = _MOST,
    allowed: Callable[[str, str], bool] = lambda _good, _bad: True,
) -> list[Pair]:
    """Pairs of better and worse replies to one message, those furthest apart first.

    Args:
        replies: Text and place of the verdict, the worst 0.
        rng: Mixes pairs that are equally far apart.
        most: Pairs kept.
        allowed: Whether one may be preferred to the other.
    """
    found = [
        (better - worse, good, bad)
        for (good, better), (bad, worse) in product(replies, replies)
        if better > worse and allowed(good, bad)
    ]
    rng.shuffle(found)
    found.sort(key=lambda pair: -pair[0])
    return [(good, bad) for _, good, bad in found[:most]]


def rows_of(
    files: Sequence[Path],
    sources: Sequence[str],
    seed: int,
    most: int = _MOST,
    longest: float = math.inf,
) -> list[dict[str, Any]]:
    """Rows as ``dpo.jsonl`` of an export has them.

    Args:
        files: Of :mod:`models.training.read_replies`.
        sources: Those that may be learned from.
        seed: Of the order, and of what is composed anew.
        most: Pairs of one message.
        longest: How many times as many words as the other one a preferred first sentence may have, and the
            other one as the preferred, so that length itself is not preferred. A reply that was cut is never
            preferred.

    Raises:
        ValueError: A row is bad; the message names it.
    """
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    written = {parts.said: parts for talk in read_echoed() for parts in talk.parts if parts.echo}
    pools = read_pools()

    def row(message: ReadMessage, chosen: str, rejected: str) -> dict[str, Any]:
        if not message.firsts:
            return _row(message, chosen, rejected, message.code)
        first, other = message.firsts[chosen], message.firsts[rejected]
        parts, reply, code = written.get(message.turns[-1].content), chosen, message.code
        if parts is not None:
            reply, reading = coded_reply(replace(parts, echo=first), pools, rng, set())
            code = code_text(reading)
        return _row(message, reply, other + reply.removeprefix(first), code)

    def alike(message: ReadMessage, good: str, bad: str) -> bool:
        sizes = [len(message.firsts.get(text, text).split()) for text in (good, bad)]
        return CUT not in good and max(sizes) <= longest * max(1, min(sizes))

    rows = [
        row(message, *pair)
        for file in files
        for message in (with_written(one, written) for one in read_messages(file, sources))
        for pair in pairs_of(message.replies, rng, most, partial(alike, message))
    ]
    rng.shuffle(rows)
    return rows


def with_written(message: ReadMessage, written: Mapping[str, Parts]) -> ReadMessage:
    """The message with a fitting reply that begins as was written for it, where no reply that was read fits.

    Args:
        message: Judged by first sentences; others stay as they are.
        written: What was written for each message, by its words.
    """
    parts = written.get(message.turns[-1].content)
    fits = VERDICTS.index("fits")
    if not message.firsts or parts is None or any(verdict == fits for _, verdict in message.replies):
        return message
    first = parts.echo
    text, _ = message.replies[0]
    reply = first + text.removeprefix(message.firsts[text])
    return replace(
        message, replies=(*message.replies, (reply, fits)), firsts={**message.firsts, reply: first}
    )


def _row(message: ReadMessage, chosen: str, rejected: str, code: str) -> dict[str, Any]:
    return {
        "session_id": message.group,
        "prompt": [{"role": turn.role, "content": turn.content} for turn in message.turns],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    } | ({"code": code} if code else {})


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.read_pairs", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sources", nargs="+", default=list(SOURCES))
    parser.add_argument("--most", type=int, default=_MOST, help="pairs of one message")
    parser.add_argument(
        "--longest", type=float, default=math.inf, help="times as many words as the other first sentence"
    )
    parser.add_argument("--pairs", type=int, help="at most so many, drawn at random; all without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        rows = rows_of(options.files, options.sources, options.seed, options.most, options.longest)
    except (OSError, ValueError) as error:
        sys.exit(f"read_pairs: {error}")
    if not rows:
        sys.exit(f"read_pairs: no pair with sources {', '.join(options.sources)}")
    rows = rows[: options.pairs]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    print(f"{len(rows)} pairs of {len({row['session_id'] for row in rows})} messages")


if __name__ == "__main__":
    main()
