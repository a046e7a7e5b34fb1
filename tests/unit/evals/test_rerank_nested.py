from dataclasses import replace

import numpy as np
import pytest

from evals.rerank_nested import Roll, fifths, nested, shares_elsewhere
from evals.rollout import Pool, Wordings, by_weights, outcome, roll_out, turns_of
from models.failure_checks import FailureValues
from models.rerank import RerankWeights
from models.tactics import Tactic
from models.training.mint_data import MintReply

A, V = Tactic.ADVICE, Tactic.VALIDATION
CONVERSATIONS = 10


def reply(number: int, turn: int, system: str, tactic: Tactic, empathy: float) -> MintReply:
    ratings = (1.0,) * 6 + (empathy,)
    return MintReply((f"c{number}", turn), system, "Words.", ("Words.",), (frozenset({tactic}),), ratings)


@pytest.fixture
def pool() -> Pool:
    """Two turns a conversation; validating again is judged 4.8 and advising in place of it 4.5."""
    replies = [
        one
        for number in range(CONVERSATIONS)
        for one in (
            reply(number, 1, "x", V, 4.8),
            reply(number, 3, "x", V, 4.8),
            reply(number, 3, "y", A, 4.5),
        )
    ]
    return Pool(
        replies,
        [one.tactics for one in replies],
        [one.quality for one in replies],
        [()] * len(replies),
        Wordings(replies),
        turns_of(replies, ["x", "y"]),
        [np.eye(3, dtype=np.float32)[[0]]] * len(replies),
        np.zeros(3, np.float32),
        [FailureValues()] * len(replies),
    )


def sticky(pool: Pool) -> Roll:
    return Roll(RerankWeights(reuse=0.0), [[turns[0][0], turns[1][0]] for turns in pool.conversations])


def fresh(pool: Pool) -> Roll:
    return Roll(RerankWeights(reuse=0.9), [[turns[0][0], turns[1][1]] for turns in pool.conversations])


def test_every_conversation_is_measured_once_and_never_learned_on_then(pool: Pool) -> None:
    parts = list(fifths(pool, 0))
    assert sorted(i for _, rest in parts for i in rest) == list(range(CONVERSATIONS))
    assert all(sorted(learnt + rest) == list(range(CONVERSATIONS)) for learnt, rest in parts)


@pytest.mark.parametrize(("goal", "reuse"), [(4.6, 0.9), (4.7, 0.0), (4.9, 0.0), (None, 0.0)])
def test_the_least_sticky_weights_that_keep_the_wanted_empathy_are_taken(
    pool: Pool, goal: float | None, reuse: float
) -> None:
    # Fresh replies are judged 4.65 in the mean: over 4.6, under 4.7 and 0.15 below quality alone, 4.8.
    alone = sticky(pool)
    found, by = nested(pool, [alone, fresh(pool)], alone.chosen, 0, goal)
    assert [one["reuse"] for one in by["by_fold"]] == [reuse] * 5
    assert found.stickiness == (0.0 if reuse else 1.0)


def test_shares_come_from_the_other_conversations(pool: Pool) -> None:
    """Where all tactics are as rare, 0.4 points make the other one worth it.

    In the conversations themselves only validation is there to come back: it is no rare one, and stays.
    """
    weights = RerankWeights(reuse=0.4, novelty=0.0, conversation=0.0, validation=0.0, premature=0.0)
    even = replace(weights, chosen=dict.fromkeys(Tactic, 0.97))
    assert outcome(pool, roll_out(pool, by_weights(pool, even))).stickiness == 0.0
    assert shares_elsewhere(pool, even, 0).stickiness == 1.0
