import random
from dataclasses import replace

import numpy as np
import pytest

from evals.rerank import _quality_only  # pyright: ignore[reportPrivateUsage]
from evals.rollout import Pool, Wordings, at_random, by_weights, outcome, roll_out, systems_alone, turns_of
from models.failure_checks import FailureValues
from models.rerank import RerankWeights
from models.tactics import Tactic
from models.training.mint_data import MintReply

A, V = Tactic.ADVICE, Tactic.VALIDATION


def reply(
    turn: int, system: str, tactic: Tactic, empathy: float, text: str = "Some words here."
) -> MintReply:
    return MintReply(("c", turn), system, text, (text,), (frozenset({tactic}),), (1.0,) * 6 + (empathy,))


REPLIES = [
    reply(1, "x", V, 4.0),
    reply(1, "y", A, 3.0),
    reply(3, "x", V, 4.0),
    reply(3, "y", A, 3.9),
]


def pool() -> Pool:
    tactics = [r.tactics for r in REPLIES]
    return Pool(
        REPLIES,
        tactics,
        [r.quality for r in REPLIES],
        [()] * 4,
        Wordings(REPLIES),
        turns_of(REPLIES, ["x", "y"]),
        [np.eye(4, dtype=np.float32)[[number]] for number in range(4)],
        np.zeros(4, np.float32),
        [FailureValues()] * 4,
    )


def test_turns_come_in_order_with_all_systems() -> None:
    assert turns_of(REPLIES, ["x", "y"]) == [[[0, 1], [2, 3]]]


def test_replies_without_a_rating_are_left_out() -> None:
    assert turns_of([*REPLIES, reply(3, "y", A, float("nan"))], ["y"]) == [[[1], [3]]]


def test_quality_alone_repeats_itself() -> None:
    weights = _quality_only(RerankWeights())
    assert roll_out(pool(), by_weights(pool(), weights)) == [[0, 2]]


def test_with_own_history_the_next_turn_differs() -> None:
    assert roll_out(pool(), by_weights(pool(), RerankWeights(novelty=0.5, reuse=0.5))) == [[0, 3]]


def test_a_failure_is_weighed_in_the_roll_out() -> None:
    first_is_generic = replace(pool(), failures=[FailureValues(generic=1.0), *[FailureValues()] * 3])
    weights = replace(_quality_only(RerankWeights()), generic=2.0, max_quality_loss=4.0)
    assert roll_out(first_is_generic, by_weights(first_is_generic, weights)) == [[1, 2]]


def test_the_outcome_by_hand() -> None:
    found = outcome(pool(), [[0, 3], [0, 2]])
    assert found.stickiness == 0.5
    assert found.empathy == pytest.approx((4.0 + 3.9 + 4.0 + 4.0) / 4)
    assert found.words == 3.0
    assert found.repeated_openings == 1.0
    assert found.wording == pytest.approx(1.0)


def test_a_system_alone_is_judged_on_its_own_replies() -> None:
    assert systems_alone(pool(), ["x"])["x"].stickiness == 1.0


def test_random_choice_follows_its_seed() -> None:
    rolls = [roll_out(pool(), at_random(random.Random(7))) for _ in range(2)]  # noqa: S311
    assert rolls[0] == rolls[1]
