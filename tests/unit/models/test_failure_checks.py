import math

import numpy as np
import pytest

from models.exchange import Exchange, Said
from models.failure_checks import SIGNS, Check, FailureChecks, FailureValues, load_failure_checks
from models.tactics import Tactic
from models.word_lists import hits

EMPTY = Said("", "", np.zeros((1, 8), np.float32), np.zeros(8, np.float32))


def test_a_value_is_the_probability_of_its_signs() -> None:
    assert Check(-1.0, {"a": 2.0, "b": 0.5}).value({"a": 1.0, "b": 2.0, "c": 9.0}) == pytest.approx(
        1 / (1 + math.exp(-2.0))
    )


def test_without_a_message_or_a_reply_nothing_is_found() -> None:
    checks = FailureChecks({name: Check(9.0, {}) for name in SIGNS})
    words = (frozenset[Tactic](),)
    assert (
        checks.values(Exchange(EMPTY, ("Hm.",), words, np.ones((1, 8), np.float32), 0.0)) == FailureValues()
    )
    said = Said("Hello.", "Hello.", EMPTY.vectors, EMPTY.center)
    assert checks.values(Exchange(said, (), (), np.zeros((0, 8), np.float32), 0.0)) == FailureValues()


@pytest.mark.parametrize("encoder", ["e5", "minilm"])
def test_shipped_weights_are_never_negative(encoder: str) -> None:
    checks = load_failure_checks(encoder)
    assert checks is not None
    found = checks._checks  # pyright: ignore[reportPrivateUsage]
    assert set(found) == set(SIGNS)
    assert all(weight > 0 for check in found.values() for weight in check.weights.values())


def test_there_are_no_checks_for_an_unknown_encoder() -> None:
    assert load_failure_checks("fake") is None


def test_words_are_whole_and_phrases_count_once() -> None:
    assert hits("slang", "LOL, that lollipop") == 1
    assert hits("stock", "One day at a time.") == 1
    assert hits("stock", "You’ve got this!") == 1
    assert hits("validating", "你的感受是可以理解的") == 2


def test_a_star_stands_for_any_ending() -> None:
    assert hits("clinical", "The diagnosis names a symptom; symptoms vary.") == 3


def test_an_unknown_list_is_an_error() -> None:
    with pytest.raises(KeyError):
        hits("nothing", "text")
