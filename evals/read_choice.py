"""Does the re-ranker choose replies that a reader finds fitting?

    python -m evals.read_choice evals/data/embedded_replies_read.jsonl --json evals/results/read_choice.json

Each message has several replies of the embedded model that readers judged one by one: ``fits``, ``partly`` or
``misses``. The table says which share of the replies chosen fits and misses: by chance, by predicted Q
alone, by the whole re-ranker, and if the best one were known; for all replies and for those drawn at each
temperature.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from evals.provenance import provenance, write_results
from models.answers import VERDICTS
from models.chat_model import ChatMessage
from models.novelty import TacticHistory
from models.rerank import RankInput, rerank
from models.scorer import ReplyScorer, load_scorer

Reply = dict[str, Any]
"""``text``, ``temperature``, ``verdict`` of one reply; ``quality`` and ``total`` once it is scored."""


def score(message: str, replies: Sequence[Reply], scorer: ReplyScorer) -> None:
    """Add ``quality`` (predicted Q, 1 to 5) and ``total`` (the re-ranker's value) to replies to a message."""
    features = scorer.features([ChatMessage("user", message)], [reply["text"] for reply in replies])
    ranking = rerank([RankInput(i, one) for i, one in enumerate(features)], TacticHistory(()))
    for reply, feature, place in zip(replies, features, ranking.explanations, strict=True):
        reply["quality"], reply["total"] = feature.quality, place.total


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
        "reranker": chosen(groups, lambda reply: reply["total"]),
        "best": chosen(groups, lambda reply: VERDICTS.index(reply["verdict"])),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Score the replies and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.read_choice", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args(arguments)
    rows = [json.loads(line) for line in options.file.read_text("utf-8").splitlines()]
    scorer = load_scorer()
    for row in rows:
        score(row["message"], row["replies"], scorer)
    found = {"all": table([row["replies"] for row in rows])}
    for degree in sorted({reply["temperature"] for row in rows for reply in row["replies"]}):
        cut = [[one for one in row["replies"] if one["temperature"] == degree] for row in rows]
        found[f"temperature {degree}"] = table([group for group in cut if group])
    write_results(options.json, {"choices": found}, provenance(seed=None, data=options.file.name))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
