"""How tactics are read as support strategies."""

import itertools

import pytest

from models.tactics import Tactic
from models.training.strategies import load_strategies


@pytest.mark.parametrize(
    ("tactics", "strategy"),
    [
        ((), "Others"),
        (("assistance",), "Others"),
        (("questioning", "paraphrasing"), "Question"),
        (("advice", "validation"), "Providing Suggestions"),
        (("paraphrasing",), "Restatement or Paraphrasing"),
        (("paraphrasing", "validation"), "Reflection of feelings"),
        (("empowerment", "paraphrasing", "validation"), "Affirmation and Reassurance"),
        (("emotional_expression",), "Affirmation and Reassurance"),
        (("self_disclosure", "questioning"), "Self-disclosure"),
        (("information",), "Information"),
    ],
)
def test_tactics_are_read_in_the_order_of_the_table(tactics: tuple[str, ...], strategy: str) -> None:
    assert load_strategies().of_tactics({Tactic(name) for name in tactics}) == strategy


def test_each_strategy_can_be_reached_and_each_single_tactic_has_one() -> None:
    table = load_strategies()
    pairs = itertools.chain.from_iterable(itertools.combinations(Tactic, size) for size in (0, 1, 2))
    assert {table.of_tactics(set(pair)) for pair in pairs} == set(table.names)
    assert len(table.names) == 8


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(ValueError, match="'Scolding' is not one of"):
        load_strategies().number("Scolding")
