from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evals.rollout import Pool, Wordings, turns_of
from evals.tactic_shares import settled_shares, written
from models.failure_checks import FailureValues
from models.rerank import RerankWeights
from models.tactics import Tactic, load_definitions
from models.training.mint_data import MintReply

A, V = Tactic.ADVICE, Tactic.VALIDATION
FILE = Path(__file__).parents[3] / "models" / "tactics.yaml"


def reply(turn: int, system: str, tactic: Tactic) -> MintReply:
    return MintReply(("c", turn), system, "Words.", ("Words.",), (frozenset({tactic}),), (4.0,) * 7)


def pool(qualities: list[float]) -> Pool:
    """Three turns; at each one reply validates and the other advises."""
    replies = [reply(turn, name, tactic) for turn in (1, 3, 5) for name, tactic in (("x", V), ("y", A))]
    return Pool(
        replies,
        [one.tactics for one in replies],
        qualities,
        [()] * 6,
        Wordings(replies),
        turns_of(replies, ["x", "y"]),
        [np.eye(6, dtype=np.float32)[[number]] for number in range(6)],
        np.zeros(6, np.float32),
        [FailureValues()] * 6,
    )


def test_the_search_begins_with_all_candidates_and_ends_with_what_is_chosen() -> None:
    # Quality decides: validation, advice, and a last turn that has none after it.
    steps = settled_shares(pool([5.0, 1.0, 1.0, 5.0, 5.0, 1.0]), RerankWeights(reuse=0.0), steps=1)
    assert steps[0][A] == steps[0][V] == 0.5
    assert steps[-1][A] == steps[-1][V] == 0.5
    steps = settled_shares(pool([5.0, 1.0, 5.0, 1.0, 1.0, 5.0]), RerankWeights(reuse=0.0))
    assert steps[1][V] == pytest.approx(0.5**0.5)
    assert steps[1][A] == 0.0
    assert steps[-1][V] == pytest.approx(1.0, abs=0.01)
    assert len(steps) < 12


def test_a_likely_tactic_counts_by_its_chance() -> None:
    unsure = replace(pool([4.0] * 6), chances=[{V: 0.5}] * 6)
    assert settled_shares(unsure, RerankWeights())[-1] == {**dict.fromkeys(Tactic, 0.0), V: 0.5}


def test_shares_are_written_and_nothing_else_changes() -> None:
    text = FILE.read_text("utf-8")
    shares = {tactic: one.chosen for tactic, one in load_definitions().items()}
    assert written(text, shares) == text
    changed = written(text, {**shares, A: 0.123}).splitlines()
    assert [line for line in changed if line not in text.splitlines()] == ["  chosen: 0.12"]
    assert changed[changed.index("advice:") + 1] == "  chosen: 0.12"


def test_a_tactic_without_a_place_for_its_share_is_named() -> None:
    with pytest.raises(ValueError, match="advice"):
        written("validation:\n  chosen: 0.5\n", {V: 0.5, A: 0.5})
