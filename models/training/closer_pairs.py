"""Makes pairs for DPO in which a sentence that was chosen for the message stands against one that was not.

    python -m models.training.closer_pairs --output var/closer/dpo.jsonl
    python -m models.training.dpo --config models/training/configs/dpo_closer.yaml

Both replies of a pair are the same but for one sentence (:mod:`models.training.closer_replies`). The other
one was chosen for another message of the same kind, as often as it was chosen there: a model that says what
is said most often learns to look at the message.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from models.control_code import code_text
from models.message_kind import MessageReading
from models.training.closer_replies import Closer, closer_reply, read_closer
from models.training.echoed_file import Parts, read_echoed
from models.training.echoed_replies import Pools, read_pools

_PAIRS = 3
"""Of one message."""
_TRIES = 20


def closer_rows(seed: int, most: int = _PAIRS) -> list[dict[str, Any]]:
    """Rows as ``dpo.jsonl`` of an export has them, in random order.

    Args:
        seed: Of what is drawn.
        most: Pairs of one message.
    """
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    pools, closer = read_pools(), read_closer()
    first = [(talk.place, talk.parts[0]) for talk in read_echoed() if talk.parts[0].fits]
    chosen = {kind: [parts.fits for _, parts in first if parts.kind == kind] for kind in closer}
    rows = [
        _row(f"echoed:{place}", parts, *pair)
        for place, parts in first
        for _ in range(most)
        if (pair := _pair(place, parts, chosen[parts.kind], pools, closer, rng))
    ]
    rng.shuffle(rows)
    return rows


def _pair(
    place: str,
    parts: Parts,
    others: Sequence[Sequence[str]],
    pools: Pools,
    closer: Closer,
    rng: random.Random,
) -> tuple[str, str] | None:
    """A reply and the same with one sentence exchanged; ``None`` where no other one is found."""
    known = closer[parts.kind]
    reply = closer_reply(place, replace(parts, question=""), pools, closer, rng, set())
    said = [name for name in parts.fits if known[name] in reply]
    if not said:
        return None
    name = rng.choice(said)
    for _ in range(_TRIES):
        other = rng.choice(rng.choice(others))
        if other[0] == name[0] and other not in parts.fits:
            return reply, reply.replace(known[name], known[other], 1)
    return None


def _row(group: str, parts: Parts, chosen: str, rejected: str) -> dict[str, Any]:
    return {
        "session_id": group,
        "prompt": [{"role": "user", "content": parts.said}],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
        "code": code_text(MessageReading(parts.kind, parts.feel)),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(prog="python -m models.training.closer_pairs", description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--most", type=int, default=_PAIRS, help=f"pairs of one message, default {_PAIRS}")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rows = closer_rows(options.seed, options.most)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    options.output.write_text(lines, "utf-8")
    sys.stdout.write(f"{len(rows)} pairs of {len({row['session_id'] for row in rows})} messages\n")


if __name__ == "__main__":
    main()
