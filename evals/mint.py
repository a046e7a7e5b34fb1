r"""What the released replies of the MINT work say: repetition, empathy and reward of each system.

    python -m evals.mint ../shared/data/mint --json evals/results/mint.json \
        --csv evals/results/mint.csv --plot evals/results/mint.svg

DATA holds ``replies.jsonl.gz`` and ``contexts.jsonl.gz``. Tags are the authors', ratings the judge's.
Definitions (those of the authors' analysis; docs/reranking.md): turns of a conversation are those the
human supporter (``gold``) answered, in order; stickiness pools all pairs of a turn and the next over all
conversations, once with the human's previous turn and once with the system's own.
"""

import argparse
import csv
import sys
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from evals.chart import Point, check_kind, write_scatter
from evals.mint_reward import quality_of, rewards
from evals.mint_rows import Release, SystemReplies, read_release
from evals.provenance import provenance, write_results
from models.novelty import pooled_stickiness
from models.tactics import Tactic, TacticCounts
from models.training.metrics import mean_of
from models.training.mint_data import HUMAN, ContextKey

Figures = dict[str, float | int | None]
Pairs = Sequence[tuple[ContextKey, ContextKey]]
COLUMNS = (
    "stickiness_gold",
    "stickiness_own",
    "empathy",
    "tactics_per_turn",
    "words",
    "reward",
    "reward_own",
)


def evaluate(release: Release) -> dict[str, Figures]:
    """Figures of each system, sorted by name; ``None`` where a figure can't be had."""
    pairs = _pairs(release)
    gold = release.systems.get(HUMAN, {})
    reward = _mean_rewards(release, pairs, own=False)
    reward_own = _mean_rewards(release, pairs, own=True)
    return {
        name: {
            "stickiness_gold": _stickiness(pairs, gold, own),
            "stickiness_own": _stickiness(pairs, own, own),
            "empathy": _mean(reply.ratings.get("aggregated_empathy") for reply in own.values()),
            "tactics_per_turn": _mean(float(len(_present(reply.counts))) for reply in own.values()),
            "words": _mean(float(len(reply.text.split())) for reply in own.values()),
            "reward": reward.get(name),
            "reward_own": reward_own.get(name),
            "replies": len(own),
        }
        for name, own in sorted(release.systems.items())
    }


def _pairs(release: Release) -> list[tuple[ContextKey, ContextKey]]:
    """Each turn and the next of the same conversation: those the human answered, else all contexts."""
    conversations: dict[str, list[ContextKey]] = {}
    for key in sorted(release.systems.get(HUMAN, release.contexts)):
        conversations.setdefault(key[0], []).append(key)
    return [pair for turns in conversations.values() for pair in pairwise(turns)]


def _stickiness(pairs: Pairs, previous: SystemReplies, current: SystemReplies) -> float | None:
    return pooled_stickiness(
        (_present(previous[before].counts), _present(current[after].counts))
        for before, after in pairs
        if before in previous and after in current
    )


def _present(counts: TacticCounts) -> frozenset[Tactic]:
    return frozenset(tactic for tactic, count in counts.items() if count)


def _mean_rewards(release: Release, pairs: Pairs, *, own: bool) -> dict[str, float | None]:
    """Mean reward of each system; groups are the replies of all systems to one context."""
    before = {after: previous for previous, after in pairs}
    gold = release.systems.get(HUMAN, {})
    found: dict[str, list[float]] = {}
    for key in sorted(release.contexts):
        group = [
            (name, replies, replies[key], quality)
            for name, replies in release.systems.items()
            if key in replies and (quality := quality_of(replies[key].ratings)) is not None
        ]
        last = before.get(key)
        history = [_counts_at(replies if own else gold, last) for _, replies, _, _ in group]
        values = rewards([(reply.text, reply.counts, q) for _, _, reply, q in group], history)
        for (name, _, _, _), value in zip(group, values, strict=True):
            found.setdefault(name, []).append(value)
    return {name: _mean(values) for name, values in found.items()}


def _counts_at(replies: SystemReplies, key: ContextKey | None) -> TacticCounts:
    reply = None if key is None else replies.get(key)
    return {} if reply is None else reply.counts


def _mean(values: Any) -> float | None:
    mean = mean_of(values)
    return None if mean != mean else mean


def main(arguments: Sequence[str] | None = None) -> None:
    """Compute, print the table and write the files that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m evals.mint", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    parser.add_argument("--json", type=Path, help="write all figures with their provenance")
    parser.add_argument("--csv", type=Path, help="write the table")
    parser.add_argument("--plot", type=Path, help="draw stickiness and empathy (.svg or .png)")
    options = parser.parse_args(arguments)
    try:
        if options.plot is not None:
            check_kind(options.plot)
        release = read_release(options.data)
    except (ValueError, EOFError, zlib.error) as error:
        sys.exit(f"evals.mint: {error}")
    systems = evaluate(release)
    print_table(systems)
    if options.csv is not None:
        write_table(options.csv, systems)
    if options.plot is not None:
        write_plot(options.plot, systems)
    if options.json is not None:
        about = provenance(seed=None, data="mint-empathy release, replies, tags and judge's ratings")
        sizes = {"conversations": len({c for c, _ in release.contexts}), "contexts": len(release.contexts)}
        write_results(options.json, {**sizes, "systems": {n: _rounded(r) for n, r in systems.items()}}, about)


def print_table(systems: Mapping[str, Figures]) -> None:
    """Print one line a system."""
    print(f"{'':40}" + "".join(f"{column:>17}" for column in COLUMNS))
    for name, row in systems.items():
        print(f"{name:40}" + "".join(f"{_shown(row[column]):>17}" for column in COLUMNS))


def write_table(file: Path, systems: Mapping[str, Figures]) -> None:
    """Write one line a system as CSV; an empty field where a figure can't be had."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as lines:
        table = csv.DictWriter(lines, ["system", *COLUMNS, "replies"], lineterminator="\n")
        table.writeheader()
        table.writerows({"system": name, **_rounded(row)} for name, row in systems.items())


def write_plot(file: Path, systems: Mapping[str, Figures]) -> None:
    """Draw each system's stickiness against its own previous turn and its empathy."""
    points = [
        Point(row["stickiness_own"], row["empathy"], name, name == HUMAN or name.startswith("ours1"))
        for name, row in systems.items()
        if row["stickiness_own"] is not None and row["empathy"] is not None
    ]
    if not points:
        sys.exit("evals.mint: no system has both stickiness and empathy, so there is nothing to plot")
    write_scatter(
        file,
        points,
        "Released replies: repetition and empathy",
        "stickiness against own previous turn (lower repeats less)",
        "judged empathy, 1–5",
    )


def _rounded(row: Figures) -> Figures:
    return {name: round(v, 6) if isinstance(v, float) else v for name, v in row.items()}


def _shown(value: float | int | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
