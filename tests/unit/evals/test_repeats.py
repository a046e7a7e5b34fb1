"""How often a sentence is said again in a conversation."""

import pytest

from evals.repeats import difference, repeated, share


def test_a_later_sentence_counts_when_an_earlier_reply_has_it() -> None:
    replies = ["Your cat. It hurts. How are you?", "Your cat. It hurts. And now?", "So. How are you?"]
    assert repeated(replies) == (2, 5)


def test_a_sentence_twice_in_one_reply_is_no_repeat_of_an_earlier_one() -> None:
    assert repeated(["So. It hurts. It hurts."]) == (0, 2)
    assert repeated([]) == (0, 0)


def test_shares_are_of_all_sentences() -> None:
    assert share([(1, 2), (0, 8)]) == pytest.approx(0.1)
    assert share([(0, 0)]) == 0


def test_a_difference_has_an_interval_over_conversations() -> None:
    found = difference([(2, 10)] * 8, [(0, 10)] * 8, seed=0)
    assert found == {"mean": pytest.approx(-0.2), "low": pytest.approx(-0.2), "high": pytest.approx(-0.2)}
    mixed = difference([(2, 10), (0, 10)] * 8, [(0, 10), (1, 10)] * 8, seed=0)
    assert mixed["low"] < mixed["mean"] < mixed["high"]
