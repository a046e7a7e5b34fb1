"""How often the embedded model says a sentence again: ``python -m evals.repeats DATA --json OUT``.

Replays what the persons of recorded conversations said, one candidate a turn, once with the list of sentences
of the shipped adapter (:mod:`models.later_sentences`) and once without it, each with its own history. Counted
are sentences behind the first of a reply that an earlier reply of the conversation has, word for word.
"""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.live_replay import Script, read_scripts
from evals.provenance import provenance, write_results
from models.chat_model import ChatMessage
from models.later_sentences import FILE
from models.local import LocalChatModel
from models.profiles import load_profiles
from models.prompts import build_prompt
from models.sentences import split_sentences
from models.weights import DEFAULT_ADAPTER

_DRAWS = 10_000
_PROFILE = "embedded"


def repeated(replies: Sequence[str]) -> tuple[int, int]:
    """Later sentences of one conversation that were said before, and all of them."""
    said: set[str] = set()
    again = every = 0
    for reply in replies:
        later = split_sentences(reply)[1:]
        again += sum(one in said for one in later)
        every += len(later)
        said.update(later)
    return again, every


def share(counts: Sequence[tuple[int, int]]) -> float:
    """Of all conversations."""
    return sum(again for again, _ in counts) / max(1, sum(every for _, every in counts))


def difference(
    one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], seed: int
) -> dict[str, float]:
    """Share of the second less that of the first, with a 95 % interval by bootstrap over conversations."""
    rng = np.random.default_rng(seed)
    rows = np.array([*zip(one, other, strict=True)], dtype=float)
    drawn = rows[rng.integers(0, len(rows), (_DRAWS, len(rows)))].sum(axis=1)
    shares = drawn[:, :, 0] / np.maximum(1.0, drawn[:, :, 1])
    low, high = np.quantile(shares[:, 1] - shares[:, 0], [0.025, 0.975])
    return {"mean": share(other) - share(one), "low": float(low), "high": float(high)}


async def _replay(scripts: Sequence[Script], adapter: Path, threads: int) -> tuple[list[list[str]], float]:
    """Replies of each conversation, and seconds a turn."""
    model = LocalChatModel(adapter=adapter, timeout_s=900.0, threads=threads)
    found: list[list[str]] = []
    try:
        while not (await model.check()).ready:
            await asyncio.sleep(0.5)
        started = time.perf_counter()
        for script in scripts:
            turns: list[ChatMessage] = []
            for said in script.messages:
                turns.append(ChatMessage("user", said))
                prompt = build_prompt(load_profiles()[_PROFILE], turns, [], 0, "en")
                (candidate,) = await model.sample(prompt, 1)
                turns.append(ChatMessage("assistant", candidate.text))
            found.append([turn.content for turn in turns if turn.role == "assistant"])
            sys.stdout.write(".")
            sys.stdout.flush()
        return found, (time.perf_counter() - started) / sum(len(one.messages) for one in scripts)
    finally:
        await model.close()


def _side(replies: Sequence[Sequence[str]], seconds: float) -> dict[str, Any]:
    counts = [repeated(one) for one in replies]
    return {
        "replies": sum(map(len, replies)),
        "later_sentences": sum(every for _, every in counts),
        "said_before": sum(again for again, _ in counts),
        "share": share(counts),
        "seconds_a_turn": round(seconds, 2),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Replay, print and write."""
    parser = argparse.ArgumentParser(prog="python -m evals.repeats", description=__doc__)
    parser.add_argument("data", type=Path, help="folder of the public data")
    parser.add_argument("--conversations", type=int, default=12)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    file = options.data / "mint" / "conversations_322.json.gz"
    scripts = read_scripts(file, options.conversations, options.turns)
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / DEFAULT_ADAPTER.name
        shutil.copytree(DEFAULT_ADAPTER, bare, ignore=shutil.ignore_patterns(FILE))
        without = asyncio.run(_replay(scripts, bare, options.threads))
        listed = asyncio.run(_replay(scripts, DEFAULT_ADAPTER, options.threads))
    table = {"without_list": _side(*without), "with_list": _side(*listed)}
    counts = [[repeated(one) for one in replies] for replies, _ in (without, listed)]
    results = {"sides": table, "difference": difference(counts[0], counts[1], options.seed)}
    sys.stdout.write("\n" + json.dumps(results, indent=1) + "\n")
    if options.json:
        about = provenance(seed=options.seed, data=f"{len(scripts)} conversations of {file.name}")
        write_results(options.json, results, about)


if __name__ == "__main__":
    main()
