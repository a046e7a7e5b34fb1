import math

import numpy as np
import pytest

from models.exchange import Exchange, Said
from models.failure_checks import SIGNS, Check, FailureChecks, FailureValues, load_failure_checks
from models.read_text import read_text
from models.tactics import Tactic

EMPTY = Said(read_text(""), read_text(""), np.zeros((1, 8), np.float32), np.zeros(8, np.float32))


def counted(name: str, text: str) -> int:
    return read_text(text).count(name)


def test_a_value_is_the_probability_of_its_signs() -> None:
    assert Check(-1.0, {"a": 2.0, "b": 0.5}).value({"a": 1.0, "b": 2.0, "c": 9.0}) == pytest.approx(
        1 / (1 + math.exp(-2.0))
    )


def test_without_a_message_or_a_reply_nothing_is_found() -> None:
    hello = read_text("Hello.")
    checks = FailureChecks({name: Check(9.0, {}) for name in SIGNS})
    words = (frozenset[Tactic](),)
    assert (
        checks.values(Exchange(EMPTY, hello, ("Hello.",), words, np.ones((1, 8), np.float32), 0.0))
        == FailureValues()
    )
    said = Said(hello, hello, EMPTY.vectors, EMPTY.center)
    assert (
        checks.values(Exchange(said, read_text(""), (), (), np.zeros((0, 8), np.float32), 0.0))
        == FailureValues()
    )


def test_inventions_are_passed_on_as_they_were_found() -> None:
    said = Said(read_text("I cried."), read_text("I cried."), EMPTY.vectors, EMPTY.center)
    exchange = Exchange(
        said, read_text("Hello."), ("Hello.",), (frozenset[Tactic](),), np.ones((1, 8), np.float32), 0.0, 0.5
    )
    assert FailureChecks({}).values(exchange) == FailureValues(invented=0.5)


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
    assert counted("slang", "LOL, that lollipop") == 1
    assert counted("stock", "One day at a time.") == 1
    assert counted("stock", "You’ve got this!") == 1
    assert counted("validating", "你的感受是可以理解的") == 2


def test_a_star_stands_for_any_ending() -> None:
    assert counted("clinical", "The diagnosis names a symptom; symptoms vary.") == 3


def test_a_list_is_counted_in_the_texts_own_language() -> None:
    assert counted("stock", "加油") == 1
    assert counted("stock", "加油，加油！") == 2
