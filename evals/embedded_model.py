"""What fine-tuning did to the embedded model: predicted quality, length and variety, before and after.

    python -m evals.embedded_model --json evals/results/embedded_model.json

plays the messages of ``evals/contexts/everyday.txt`` (no recipe learns from them) against the plain and
the fine-tuned model on this machine. ``--drawn before=FILE --drawn after=FILE`` reads replies that
``models.training.finetune_chat --contexts`` drew on another machine instead; the contexts held out by the
recipe are then measured as well. A FILE that ends in ``.jsonl`` is one of ``models.training.draw_replies``.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from evals.provenance import provenance, write_results
from models.chat_model import ChatMessage
from models.local import LocalChatModel
from models.prompts import build_prompt
from models.scorer import ReplyScorer, load_scorer
from models.training.sample_chat import CUT, read_contexts

CONTEXTS = Path(__file__).parent / "contexts" / "everyday.txt"
FRESH = tuple(
    CONTEXTS.with_name(f"{name}.txt")
    for name in (
        "fresh",
        *(f"fresh_{nth}" for nth in ("two", "three", "four", "five", "six", "seven", "eight", "nine")),
    )
)
"""Written later by others who knew neither the model nor its failures, the newest last."""
SAMPLES = 4


@dataclass(frozen=True, slots=True)
class Drawn:
    """Replies drawn for one context."""

    source: str
    turns: tuple[ChatMessage, ...]
    replies: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure both models and write the table."""
    options = _parser().parse_args(arguments)
    files = dict(pair.split("=", 1) for pair in options.drawn)
    drawn = {
        side: read_drawn(Path(files[side])) if side in files else asyncio.run(draw(adapter))
        for side, adapter in (("before", "none"), ("after", "default"))
    }
    scorer = load_scorer(options.encoder)
    table = {side: measure_sources(found, scorer) for side, found in drawn.items()}
    about = provenance(seed=None, data="messages written for Hearken and contexts held out by the recipe")
    write_results(
        options.json, {"models": table, "samples": samples_of(drawn), "encoder": options.encoder}, about
    )
    print(json.dumps(table, indent=1))


def samples_of(drawn: Mapping[str, Sequence[Drawn]]) -> int:
    """Most replies to one message."""
    return max((len(one.replies) for found in drawn.values() for one in found), default=0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.embedded_model", description=__doc__)
    parser.add_argument("--drawn", action="append", default=[], metavar="SIDE=FILE")
    parser.add_argument("--encoder", default="e5", help="encoder of the quality score: e5 or minilm")
    parser.add_argument("--json", type=Path, required=True)
    return parser


def read_drawn(file: Path) -> list[Drawn]:
    """Replies in the form that ``finetune_chat --contexts`` writes.

    Scripted messages that are not (or no longer) in the files of everyday and fresh messages are left out.
    """
    if file.suffix == ".jsonl":
        return read_lines(file)
    rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    known = _known()
    return [
        Drawn(
            known[row["turns"][-1][1]] if row["source"].startswith("script") else row["source"],
            tuple(ChatMessage(role, content) for role, content in row["turns"]),
            tuple(row["replies"]),
        )
        for row in rows
        if not row["source"].startswith("script") or row["turns"][-1][1] in known
    ]


def _known() -> dict[str, str]:
    """Which file of everyday or fresh messages each of them stands in."""
    files = (CONTEXTS, *FRESH)
    return {said: file.stem for file in files for script in read_contexts(file) for said in script}


def read_lines(file: Path) -> list[Drawn]:
    """Replies as ``draw_replies`` writes them; only of messages that stand in the files of fresh ones."""
    known = _known()
    rows: list[dict[str, Any]] = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [
        Drawn(
            row["source"],
            tuple(ChatMessage(role, content) for role, content in row["turns"]),
            tuple(reply["text"] for reply in row["replies"]),
        )
        for row in rows
        if row["turns"][-1][1] in known
    ]


async def draw(adapter: Any) -> list[Drawn]:
    """Play the everyday messages against the model on this machine; the first sample goes on."""
    model = LocalChatModel(adapter=adapter, timeout_s=600.0)
    found: list[Drawn] = []
    try:
        for script in read_contexts(CONTEXTS):
            turns: list[ChatMessage] = []
            for said in script:
                turns.append(ChatMessage("user", said))
                prompt = build_prompt(model.profile, turns, [], 0, "en")
                candidates = await model.sample(prompt, SAMPLES)
                texts = tuple(c.text if c.finish_reason == "stop" else f"{c.text} {CUT}" for c in candidates)
                found.append(Drawn("everyday", tuple(turns), texts))
                turns.append(ChatMessage("assistant", texts[0]))
    finally:
        await model.close()
    return found


def measure_sources(found: Sequence[Drawn], scorer: ReplyScorer) -> dict[str, dict[str, float]]:
    """One row of figures for each source of contexts."""
    by_source: dict[str, list[Drawn]] = {}
    for item in found:
        by_source.setdefault(item.source, []).append(item)
    return {source: measure(items, scorer) for source, items in sorted(by_source.items())}


def measure(items: Sequence[Drawn], scorer: ReplyScorer) -> dict[str, float]:
    """Figures over contexts: the first sample stands for n = 1, the best by Q for n = 4."""
    qualities = [
        [features.quality for features in scorer.features(item.turns, list(item.replies))] for item in items
    ]
    firsts = [item.replies[0] for item in items]
    return {
        "contexts": len(items),
        "predicted_q_n1": round(mean(found[0] for found in qualities), 3),
        "predicted_q_best_of_4": round(mean(max(found) for found in qualities), 3),
        **wording(firsts),
    }


def wording(replies: Sequence[str]) -> dict[str, float]:
    """Length and variety of replies.

    Returns:
        Mean words, share that the token limit cut, share that begins with the most common three
        words, number of different openings, and different replies as a share of all.
    """
    openings = Counter(" ".join(reply.lower().split()[:3]) for reply in replies)
    return {
        "words": round(mean(len(reply.split()) for reply in replies), 1),
        "cut_share": round(mean(reply.endswith(CUT) for reply in replies), 3),
        "commonest_opening_share": round(openings.most_common(1)[0][1] / len(replies), 3),
        "openings": len(openings),
        "different_share": round(len(set(replies)) / len(replies), 3),
    }


if __name__ == "__main__":
    main()
