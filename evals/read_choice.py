"""Does the re-ranker choose replies that a reader finds fitting?

    python -m evals.read_choice evals/data/embedded_replies_read.jsonl --json evals/results/read_choice.json

Each message has several replies of the embedded model that readers judged one by one: ``fits``, ``partly`` or
``misses``. The table says which share of the replies chosen fits and misses: by chance, by predicted Q
alone, by the re-ranker without and with the head of answers (:mod:`models.answers`), and if the best one were
known; for all replies and for those drawn at each temperature. Messages that the head learned from are left
out.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from evals.provenance import provenance, write_results
from models.answers import VERDICTS, load_answers
from models.chat_model import ChatMessage, Role
from models.novelty import TacticHistory
from models.rerank import RankInput, RerankWeights, rerank
from models.scorer import ReplyScorer, load_scorer
from models.training.read_replies import SOURCES

WEIGHTS = {"plain": RerankWeights(unfit=0.0), "answers": RerankWeights()}
"""The re-ranker without and with the head of answers."""
Reply = dict[str, Any]
"""``text``, ``temperature``, ``verdict`` of one reply; ``quality`` and places once it is scored."""


def score(context: Sequence[ChatMessage], replies: Sequence[Reply], scorer: ReplyScorer) -> None:
    """Add ``quality`` (predicted Q, 1 to 5) and the place by each of :data:`WEIGHTS`, under its name."""
    earlier = [turn.content for turn in context if turn.role == "assistant"]
    features = scorer.features(context, [reply["text"] for reply in replies], earlier)
    group = [RankInput(i, one) for i, one in enumerate(features)]
    for name, weights in WEIGHTS.items():
        ranking = rerank(group, TacticHistory(()), weights)
        place = {index: number for number, index in enumerate(ranking.order)}
        for i, (reply, feature) in enumerate(zip(replies, features, strict=True)):
            reply["quality"], reply[name] = feature.quality, -place.get(i, len(replies))


def chosen(groups: Sequence[Sequence[Reply]], value: Callable[[Reply], float]) -> dict[str, float]:
    """Share of groups whose reply of the highest value fits, and misses; the first of equal ones counts."""
    best = [max(group, key=value)["verdict"] for group in groups]
    return {name: round(mean(one == name for one in best), 4) for name in ("fits", "misses")}


def table(groups: Sequence[Sequence[Reply]]) -> dict[str, Any]:
    """Each way to choose and what it gives; ``chance`` is the mean over all replies of a message."""
    return {
        "messages": len(groups),
        "replies": sum(map(len, groups)),
        "chance": {
            name: round(mean(mean(one["verdict"] == name for one in group) for group in groups), 4)
            for name in ("fits", "misses")
        },
        "quality": chosen(groups, lambda reply: reply["quality"]),
        "reranker": chosen(groups, lambda reply: reply["plain"]),
        "with answers": chosen(groups, lambda reply: reply["answers"]),
        "best": chosen(groups, lambda reply: VERDICTS.index(reply["verdict"])),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Score the replies and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.read_choice", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args(arguments)
    lines = [line for file in options.files for line in file.read_text("utf-8").splitlines()]
    rows = [row for row in map(json.loads, lines) if row["source"] not in SOURCES]
    scorer = load_scorer(answers=load_answers())
    for row in rows:
        turns: list[tuple[Role, str]] = row.get("turns") or [("user", row["message"])]
        score([ChatMessage(role, text) for role, text in turns], row["replies"], scorer)
    found = {"all": table([row["replies"] for row in rows])}
    for degree in sorted({reply["temperature"] for row in rows for reply in row["replies"]}):
        cut = [[one for one in row["replies"] if one["temperature"] == degree] for row in rows]
        found[f"temperature {degree}"] = table([group for group in cut if group])
    write_results(
        options.json,
        {"choices": found},
        provenance(seed=None, data=" ".join(file.name for file in options.files)),
    )
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
