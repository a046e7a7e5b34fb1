"""How often the replies carry each tactic that the re-ranker itself chooses; no judge or tag is asked.

    python -m evals.tactic_shares ../shared/data/mint --write --json evals/results/tactic_shares.json

The return of a tactic moves stickiness by one over how often it was there to come back, and how often it is
there depends on what is chosen, by weights that depend on it. So conversations are rolled out, the tactics of
the chosen replies counted, and the weights made anew, until they stay. What counts are the tactics of the
replies that have a next one, by the tagger's own probabilities. ``--write`` puts the shares into
``models/tactics.yaml``.
"""

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

from evals.held_out import describe, measure
from evals.provenance import provenance, write_results
from evals.released_pool import pool_of
from evals.rollout import Pool, by_weights, roll_out
from models.encoder import load_encoder
from models.rerank import RerankWeights
from models.tactics import Tactic
from models.training.metrics import mean_of
from models.training.mint_data import read_mint

Shares = Mapping[Tactic, float]

STEPS = 12
STILL = 0.005
"""Largest change of a share at which the search ends."""
DEFINITIONS = Path(__file__).parents[1] / "models" / "tactics.yaml"


def settled_shares(pool: Pool, weights: RerankWeights, steps: int = STEPS) -> list[Shares]:
    """The shares after each step, the first those of all replies that could be chosen.

    Args:
        pool: Conversations, with the chances of a tagger.
        weights: How replies are chosen, but for ``chosen``.
        steps: Most steps.
    """
    found = [_shares(pool, [[i for turns in pool.conversations for turn in turns for i in turn]])]
    for _ in range(steps):
        choice = by_weights(pool, replace(weights, chosen=found[-1]))
        now = _shares(pool, [chosen[:-1] for chosen in roll_out(pool, choice)])
        # The geometric mean of both: a tactic that got cheap is chosen more often, and back it would go.
        found.append({tactic: sqrt(found[-1][tactic] * share) for tactic, share in now.items()})
        if max(abs(found[-1][t] - found[-2][t]) for t in Tactic) < STILL:
            break
    return found


def _shares(pool: Pool, chosen: Sequence[Sequence[int]]) -> Shares:
    chances = [pool.likely(index) for conversation in chosen for index in conversation]
    return {tactic: mean_of(one.get(tactic, 0.0) for one in chances) for tactic in Tactic}


def written(text: str, shares: Shares) -> str:
    """The definitions with these shares, everything else as it was."""
    for tactic, share in shares.items():
        text, count = re.subn(
            rf"^({tactic.value}:\n  chosen: )[0-9.]+$",
            rf"\g<1>{share:.2f}",
            text,
            count=1,
            flags=re.MULTILINE,
        )
        if not count:
            raise ValueError(f"no place for the share of {tactic.value}")
    return text


def main(arguments: Sequence[str] | None = None) -> None:
    """Search, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, help="file that keeps the Q of heads trained in folds")
    parser.add_argument("--write", action="store_true", help="put the shares into models/tactics.yaml")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    data, encoder = read_mint(options.data), load_encoder(options.encoder)
    measured = measure(data, encoder, options.cache, options.seed, options.kept)
    pool = pool_of(data, measured, data.systems, encoder, options.cache)
    weights = RerankWeights()
    found = settled_shares(pool, weights)
    for tactic in Tactic:
        print(f"{tactic.value:22}", *(f"{step[tactic]:.3f}" for step in found))
    if options.write:
        DEFINITIONS.write_text(written(DEFINITIONS.read_text("utf-8"), found[-1]), "utf-8")
    if options.json is not None:
        results = {
            "pool": describe(data, measured),
            "weights": {"reuse": weights.reuse, "max_quality_loss": weights.max_quality_loss},
            "steps": [{tactic.value: round(share, 4) for tactic, share in step.items()} for step in found],
        }
        about = provenance(seed=options.seed, data="mint-empathy release, replies")
        write_results(options.json, results, about)


if __name__ == "__main__":
    main()
