"""Thresholds of the mean are chosen on messages that neither member has learned from."""

import numpy as np

from evals.crisis_examples import Example
from evals.crisis_mean import choosing_rows, chosen_limits
from evals.crisis_split import HAND_WRITTEN
from evals.crisis_thresholds import Judged, limit_facts
from safety.crisis_head import CrisisLimits
from safety.levels import RiskCategory, RiskLevel


def _example(group: str, level: RiskLevel = RiskLevel.NONE) -> Example:
    return Example("a text", level, RiskCategory.NONE, group, HAND_WRITTEN)


def test_new_sources_and_ordinary_messages_choose_and_only_unseen_rows_of_them() -> None:
    groups = (
        "guarded_english:1",
        "far_english:1",
        "crisis_idioms_set:7",
        "guarded_chinese:2",
        "supportive:x",
    )
    assert choosing_rows([_example(group) for group in groups], [1, 2, 3, 4]) == [2, 3, 4]


def test_ordinary_messages_count_against_half_of_their_limit() -> None:
    ordinary = [_example(f"supportive:{i}") for i in range(100)]
    cards = np.where(np.arange(100) < 2, 0.5, 0.1).astype(np.float32)
    english = np.zeros(100, bool)
    calm = Judged(ordinary, english, np.zeros(100, np.float32))
    assert chosen_limits(Judged(ordinary, english, cards), calm)[0].card == 0.51


def test_each_language_has_the_lowest_threshold_that_keeps_the_limits() -> None:
    calm = [_example(f"guarded_english:{i}") for i in range(20)]
    chinese = np.arange(20) >= 10
    cards = np.where(chinese, 0.3, 0.2).astype(np.float32)
    everyday = Judged(calm, chinese, np.where(chinese, 0.1, 0.5).astype(np.float32))
    limits, facts = chosen_limits(Judged(calm, chinese, cards), everyday)
    assert (limits.card, limits.chinese) == (0.51, 0.31)
    assert facts["validation_en"]["everyday"] == 0


def test_limits_are_read_as_they_are_written() -> None:
    limits = CrisisLimits(0.4, 0.6, 0.7, 0.5)
    assert CrisisLimits.of_facts(limit_facts(limits)) == limits
