"""Does the re-ranker repeat less at the same empathy? Rolls released conversations out.

    python -m evals.rerank ../shared/data/mint --pool all --json evals/results/rerank_all.json

At each turn the replies of all systems of the pool to that context are the candidates; the tactic
history is that of the replies chosen before. Stickiness is taken from the authors' tags and empathy
from the judge's ratings of the chosen replies. ``oracle`` chooses by these instead of by the heads;
``nested`` takes its weights from other conversations than those it is measured on. With ``--reader`` Q and
the tactics are means with those of tuned language models (:mod:`models.training.reader_tune`), and with
``--stack`` Q is learned from all their predictions (:mod:`evals.stacked_quality`).
"""

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from evals.held_out import describe, measure
from evals.provenance import provenance, write_results
from evals.reader_mix import ReaderShare, with_readers
from evals.released_pool import pool_of
from evals.rerank_nested import FAILURE_TERMS, Roll, failure_weights, nested, shares_elsewhere
from evals.rollout import (
    Outcome,
    Pool,
    at_random,
    by_weights,
    mean_outcome,
    outcome,
    roll_out,
    systems_alone,
)
from models.encoder import load_encoder
from models.rerank import RerankWeights
from models.training.mint_data import MintData, read_mint

NOVELTY = (0.0, 0.05)
REUSE = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0)
TACTICS = (0.0, 0.03)
LOSSES = (0.3, 0.45, 0.6, 0.9)
GOAL = 4.65
"""Judged empathy that is wanted whatever quality alone has."""
RANDOM_ROLLS = 100


def evaluate(
    data: MintData,
    pool: str,
    encoder: str,
    cache: Path,
    seed: int,
    second: ReaderShare | None = None,
    kept: Path | None = None,
) -> dict[str, Any]:
    """All figures of one pool of systems.

    Args:
        data: The replies.
        pool: ``all``, or what the systems' names contain.
        encoder: A name; see :func:`models.encoder.load_encoder`.
        cache: Where vectors are stored.
        seed: Of the folds and of all choices.
        second: Predictions of language models to take the mean with.
        kept: Where the heads' Q is kept; see :func:`evals.held_out.measure`.
    """
    systems = [system for system in data.systems if pool == "all" or pool in system]
    reader = load_encoder(encoder)
    measured = measure(data, reader, cache, seed, kept)
    mixed: dict[str, Any] = {}
    if second is not None:
        measured, mixed["reader"] = with_readers(data, measured, reader, second, seed, pool)
    learned = pool_of(data, measured, systems, reader, cache)
    perfect = replace(
        learned,
        tactics=[reply.tactics for reply in data.replies],
        quality=[reply.quality for reply in data.replies],
        chances=None,
    )
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
        "failure_weights": _described(*failure_weights(learned, default, seed)),
        "shares_elsewhere": _row(shares_elsewhere(learned, default, seed)),
        "nested": _described(*nested(learned, rolled, alone, seed)),
        "nested_goal": _described(*nested(learned, rolled, alone, seed, goal=GOAL)),
        "frontier": _frontier(learned, rolled),
        "oracle_frontier": _frontier(perfect, _rolls(perfect, default, only_reuse=True)),
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


def _rolls(pool: Pool, weights: RerankWeights, only_reuse: bool = False) -> list[Roll]:
    """What the weights of the grid choose, or the default weights with each weight of ``reuse``."""
    grid = [
        replace(weights, novelty=novelty, reuse=again, tactics=many, max_quality_loss=loss)
        for loss, novelty, again, many in product(LOSSES, NOVELTY, REUSE, TACTICS)
    ]
    if only_reuse:
        grid = [replace(weights, reuse=again) for again in REUSE]
    return [Roll(one, roll_out(pool, by_weights(pool, one))) for one in grid]


def _frontier(pool: Pool, rolls: Sequence[Roll]) -> list[dict[str, float]]:
    return [{**roll.varied(), **_row(outcome(pool, roll.chosen))} for roll in rolls]


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


def _described(one: Outcome, by: Mapping[str, Any]) -> dict[str, Any]:
    return {**_row(one), **by}


def _weights(weights: RerankWeights) -> dict[str, float]:
    names = [field.name for field in fields(weights) if field.name not in ("penalties", "chosen")]
    return {name: getattr(weights, name) for name in names}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    parser.add_argument("--pool", choices=("all", "4B", "1.7B"), default="all")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, help="file that keeps the Q of heads trained in folds")
    parser.add_argument(
        "--reader", type=Path, nargs="+", default=(), help="mint_held_out.npz of models.training.reader_tune"
    )
    parser.add_argument("--reader-weight", type=float, default=0.5, help="the readers' part of Q's mean")
    parser.add_argument("--reader-tag-weight", type=float, default=0.5, help="their part of the tags' mean")
    parser.add_argument("--stack", action="store_true", help="learn Q from all predictions of the readers")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    data = read_mint(options.data)
    second = None
    if options.reader:
        second = ReaderShare(
            tuple(options.reader), options.reader_weight, options.reader_tag_weight, options.stack
        )
    results = evaluate(data, options.pool, options.encoder, options.cache, options.seed, second, options.kept)
    print(f"{'':36} stickiness  empathy  words  openings  wording")
    for name in (
        "default",
        "without_failures",
        "failure_weights",
        "without_wording",
        "shares_elsewhere",
        "nested",
        "nested_goal",
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
