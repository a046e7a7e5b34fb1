"""Does the re-ranker repeat less at the same empathy? Rolls released conversations out.

    python -m evals.rerank ../shared/data/mint --pool all --json evals/results/rerank_all.json

At each turn the replies of all systems of the pool to that context are the candidates; the tactic
history is that of the replies chosen before. Stickiness is taken from the authors' tags and empathy
from the judge's ratings of the chosen replies. ``oracle`` chooses by these instead of by the heads;
``nested`` takes its weights from other conversations than those it is measured on. With ``--reader`` Q and
the tactics are means with those of a tuned language model (:mod:`models.training.reader_tune`).
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from evals.held_out import FOLDS, describe, measure
from evals.provenance import provenance, write_results
from evals.reader_mix import ReaderShare, with_reader
from evals.released_failures import released_failures
from evals.rollout import (
    Outcome,
    Pool,
    Wordings,
    at_random,
    by_weights,
    mean_outcome,
    outcome,
    roll_out,
    systems_alone,
    turns_of,
)
from models.cleanup import clean_reply
from models.encoder import load_encoder
from models.rerank import RerankWeights
from models.training.folds import conversation_folds
from models.training.mint_data import MintData, read_mint

NOVELTY = (0.0, 0.05, 0.2)
REUSE = (0.0, 0.15, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7)
TACTICS = (0.0, 0.03, 0.06)
LOSSES = (0.3, 0.45, 0.6, 0.9)
GIVEN_UP = 0.05
"""Judged empathy that may be lost against quality alone, where weights are chosen."""
RANDOM_ROLLS = 100
FAILURE_TERMS = {
    "premature": (0.0, 0.1, 0.2),
    "validation": (0.0, 0.05),
    "generic": (0.0, 0.05),
    "tone": (0.0, 0.1),
    "invented": (0.0, 0.6),
}
"""Terms of the checks for failures and the weights that are tried."""


def evaluate(
    data: MintData, pool: str, encoder: str, cache: Path, seed: int, second: ReaderShare | None = None
) -> dict[str, Any]:
    """All figures of one pool of systems.

    Args:
        data: The replies.
        pool: ``all``, or what the systems' names contain.
        encoder: A name; see :func:`models.encoder.load_encoder`.
        cache: Where vectors are stored.
        seed: Of the folds and of all choices.
        second: A language model's predictions to take the mean with.
    """
    systems = [system for system in data.systems if pool == "all" or pool in system]
    reader = load_encoder(encoder)
    measured = measure(data, reader, cache, seed)
    mixed: dict[str, Any] = {}
    if second is not None:
        measured, mixed["reader"] = with_reader(data, measured, reader, second, seed, pool)
    parts = (
        [clean_reply(reply.text).penalties for reply in data.replies],
        Wordings(data.replies),
        turns_of(data.replies, systems),
        measured.vectors,
        measured.center,
        released_failures(data, measured, reader, cache),
    )
    quality = [float(q) for q in measured.quality]
    learned = Pool(data.replies, measured.tactics, quality, *parts, measured.chances)
    judged = [reply.quality for reply in data.replies]
    perfect = Pool(data.replies, [reply.tactics for reply in data.replies], judged, *parts)
    default = RerankWeights()
    rolls = [
        outcome(learned, roll_out(learned, at_random(random.Random(seed + number))))  # noqa: S311
        for number in range(RANDOM_ROLLS)
    ]
    rolled = _rolls(learned, default)
    chosen = roll_out(learned, by_weights(learned, default))
    alone = roll_out(learned, by_weights(learned, _quality_only(default)))
    return {
        "pool": {"name": pool, "systems": len(systems), **describe(data, measured)},
        **mixed,
        "weights": _weights(default),
        "default": _row(outcome(learned, chosen)),
        "without_failures": _row(_chosen(learned, replace(default, **dict.fromkeys(FAILURE_TERMS, 0.0)))),
        "without_wording": _row(
            _chosen(learned, replace(default, repetition=0.0, restated=0.0, opening=0.0))
        ),
        "quality_only": _row(outcome(learned, alone)),
        "random": _row(mean_outcome(rolls)),
        "oracle": _row(_chosen(perfect, default)),
        "oracle_quality_only": _row(_chosen(perfect, _quality_only(default))),
        "systems": {name: _row(one) for name, one in systems_alone(learned, systems).items()},
        "failure_weights": _failure_weights(learned, default, seed),
        "nested": _nested(learned, rolled, alone, seed),
        "frontier": _frontier(learned, rolled),
        "oracle_frontier": _frontier(perfect, _rolls(perfect, default)),
        "bootstrap": _bootstrap(learned, chosen, alone, seed),
    }


def _chosen(pool: Pool, weights: RerankWeights) -> Outcome:
    return outcome(pool, roll_out(pool, by_weights(pool, weights)))


def _quality_only(weights: RerankWeights) -> RerankWeights:
    return replace(
        weights,
        novelty=0.0,
        conversation=0.0,
        reuse=0.0,
        tactics=0.0,
        repetition=0.0,
        restated=0.0,
        opening=0.0,
        premature=0.0,
        validation=0.0,
        missed=0.0,
        invented=0.0,
        generic=0.0,
        tone=0.0,
    )


@dataclass(frozen=True, slots=True)
class _Roll:
    """What some weights choose in each conversation."""

    weights: RerankWeights
    chosen: Sequence[Sequence[int]]


def _rolls(pool: Pool, weights: RerankWeights) -> list[_Roll]:
    grid = [
        replace(weights, novelty=novelty, reuse=again, tactics=many, max_quality_loss=loss)
        for loss, novelty, again, many in product(LOSSES, NOVELTY, REUSE, TACTICS)
    ]
    return [_Roll(one, roll_out(pool, by_weights(pool, one))) for one in grid]


def _frontier(pool: Pool, rolls: Sequence[_Roll]) -> list[dict[str, float]]:
    return [{**_varied(roll.weights), **_row(outcome(pool, roll.chosen))} for roll in rolls]


def _varied(weights: RerankWeights) -> dict[str, float]:
    return {name: getattr(weights, name) for name in ("novelty", "reuse", "tactics", "max_quality_loss")}


def _nested(pool: Pool, rolls: Sequence[_Roll], alone: Sequence[Sequence[int]], seed: int) -> dict[str, Any]:
    """Weights chosen on four fifths of the conversations and measured on the rest.

    Chosen are the weights with the least stickiness whose judged empathy is at most ``GIVEN_UP`` below that
    of quality alone.
    """
    names = [pool.replies[turns[0][0]].context[0] for turns in pool.conversations]
    folds = conversation_folds(names, FOLDS, seed)
    picked: list[Sequence[int]] = []
    by_fold: list[dict[str, float]] = []
    for number in range(FOLDS):
        learnt = [i for i, name in enumerate(names) if folds[name] != number]
        floor = outcome(pool, [alone[i] for i in learnt]).empathy - GIVEN_UP
        found = [(roll, outcome(pool, [roll.chosen[i] for i in learnt])) for roll in rolls]
        fine = [(roll, one) for roll, one in found if one.empathy >= floor] or found
        best = min(fine, key=lambda pair: pair[1].stickiness)[0]
        by_fold.append(_varied(best.weights))
        picked += [best.chosen[i] for i, name in enumerate(names) if folds[name] == number]
    return {**_row(outcome(pool, picked)), "by_fold": by_fold, "given_up_at_most": GIVEN_UP}


def _failure_weights(pool: Pool, default: RerankWeights, seed: int) -> dict[str, Any]:
    """Weights of the checks with the most empathy less stickiness on four fifths, measured on the rest."""
    grid = [dict(zip(FAILURE_TERMS, values, strict=True)) for values in product(*FAILURE_TERMS.values())]
    rolls = [roll_out(pool, by_weights(pool, replace(default, **one))) for one in grid]
    names = [pool.replies[turns[0][0]].context[0] for turns in pool.conversations]
    folds = conversation_folds(names, FOLDS, seed)
    chosen: list[Sequence[int]] = []
    by_fold: list[dict[str, float]] = []
    for number in range(FOLDS):
        learnt = [i for i, name in enumerate(names) if folds[name] != number]
        found = [outcome(pool, [roll[i] for i in learnt]) for roll in rolls]
        best = max(range(len(grid)), key=lambda i: found[i].empathy - found[i].stickiness)
        by_fold.append(grid[best])
        chosen += [rolls[best][i] for i, name in enumerate(names) if folds[name] == number]
    return {**_row(outcome(pool, chosen)), "by_fold": by_fold}


def _bootstrap(
    pool: Pool,
    default: Sequence[Sequence[int]],
    alone: Sequence[Sequence[int]],
    seed: int,
    samples: int = 1000,
) -> dict[str, Any]:
    """95 % intervals of default minus quality alone, conversations drawn with replacement."""
    rng = np.random.default_rng(seed)
    gains: list[tuple[float, float]] = []
    for _ in range(samples):
        drawn = [int(i) for i in rng.integers(len(default), size=len(default))]
        a = outcome(pool, [default[i] for i in drawn])
        b = outcome(pool, [alone[i] for i in drawn])
        gains.append((a.stickiness - b.stickiness, a.empathy - b.empathy))
    low, high = np.percentile(np.array(gains), [2.5, 97.5], axis=0)
    return {
        "stickiness_default_minus_quality_only": [round(float(low[0]), 3), round(float(high[0]), 3)],
        "empathy_default_minus_quality_only": [round(float(low[1]), 3), round(float(high[1]), 3)],
    }


def _row(one: Outcome) -> dict[str, float]:
    return {name: round(value, 4) for name, value in asdict(one).items()}


def _weights(weights: RerankWeights) -> dict[str, float]:
    names = [field.name for field in fields(weights) if field.name != "penalties"]
    return {name: getattr(weights, name) for name in names}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    parser.add_argument("--pool", choices=("all", "4B", "1.7B"), default="all")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", type=Path, help="mint_held_out.npz of models.training.reader_tune")
    parser.add_argument("--reader-weight", type=float, default=0.5, help="its part of Q's mean")
    parser.add_argument("--reader-tag-weight", type=float, default=0.5, help="its part of the tags' mean")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    data = read_mint(options.data)
    second = None
    if options.reader is not None:
        second = ReaderShare(options.reader, options.reader_weight, options.reader_tag_weight)
    results = evaluate(data, options.pool, options.encoder, options.cache, options.seed, second)
    print(f"{'':36} stickiness  empathy  words  openings  wording")
    for name in (
        "default",
        "without_failures",
        "failure_weights",
        "without_wording",
        "nested",
        "quality_only",
        "random",
        "oracle",
        "oracle_quality_only",
    ):
        _print_row(name, results[name])
    for name, row in results["systems"].items():
        _print_row(name, row)
    for name, row in results.get("reader", {}).get("quality", {}).items():
        print(f"Q of {name:12} spearman {row['spearman']:.4f}, first choice {row['first_choice']:.4f}")
    if options.json is not None:
        about = provenance(seed=options.seed, data="mint-empathy release, replies and judge's ratings")
        write_results(options.json, results, about)


def _print_row(name: str, row: dict[str, float]) -> None:
    values = f"{row['stickiness']:10.3f} {row['empathy']:8.3f} {row['words']:6.1f}"
    print(f"{name:36} {values} {row['repeated_openings']:9.3f} {row['wording']:8.3f}")


if __name__ == "__main__":
    main()
