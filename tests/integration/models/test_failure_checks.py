"""The shipped checks for failures on the real encoder."""

from dataclasses import asdict

import pytest

from models.chat_model import ChatMessage
from models.scorer import ReplyScorer, load_scorer
from models.training.failure_pairs import FAILURES, read_pairs

GOAL = 0.85


@pytest.fixture(scope="module")
def scorer() -> ReplyScorer:
    made = load_scorer()
    made.warm_up()
    return made


@pytest.mark.parametrize("failure", FAILURES)
def test_on_pairs_kept_apart_the_failed_reply_gets_the_larger_value(
    scorer: ReplyScorer, failure: str
) -> None:
    pairs = [pair for pair in read_pairs(failure) if pair.kept_apart]
    right = 0
    for pair in pairs:
        failed, fine = scorer.features(pair.turns, (pair.failed, pair.fine))
        right += asdict(failed.failures)[failure] > asdict(fine.failures)[failure]
    assert right / len(pairs) >= GOAL


@pytest.mark.parametrize(
    ("message", "failed", "fine", "failure"),
    [
        (
            "My parrot Kiwi flew out of the window on Monday.",
            "I'm so sorry for your loss. Losing a pet is hard, so be gentle with yourself.",
            "Since Monday you must be looking up at every tree for Kiwi.",
            "generic",
        ),
        (
            "我的鹦鹉周一从窗户飞走了。",
            "失去宠物总是难过的，慢慢会好起来的，照顾好自己。",
            "从周一到现在，你看见树就会抬头找那只鹦鹉吧。",
            "generic",
        ),
    ],
)
def test_a_reply_that_takes_up_what_was_told_is_less_generic(
    scorer: ReplyScorer, message: str, failed: str, fine: str, failure: str
) -> None:
    worse, better = scorer.features([ChatMessage("user", message)], (failed, fine))
    assert asdict(worse.failures)[failure] > 0.5 > asdict(better.failures)[failure]
