"""Which replies go on well."""

from dataclasses import replace

import pytest

from models.chat_model import SamplingParams
from models.rest_choice import FEWEST, TEMPERATURE, best, drawing, drawn, later_sentences

WORTHS = {"Good.": 0.8, "Fine.": 0.2, "Bad.": -0.9}
PARAMS = SamplingParams(temperature=0.3, max_tokens=128)


def test_more_are_drawn_than_are_wanted() -> None:
    assert (drawn(1), drawn(2), drawn(4), drawn(8)) == (FEWEST, 4, 8, 16)


def test_they_are_drawn_warmer_but_not_where_nothing_is_to_be_drawn() -> None:
    assert drawing(PARAMS).temperature == TEMPERATURE
    assert drawing(replace(PARAMS, temperature=0.9)).temperature == 0.9
    assert drawing(replace(PARAMS, temperature=0.0)).temperature == 0.0
    assert drawing(PARAMS).max_tokens == PARAMS.max_tokens


def test_the_first_sentence_is_not_among_the_later_ones() -> None:
    assert later_sentences("Oh. Good. Fine.") == ["Good.", "Fine."]
    assert later_sentences("Oh.") == []


@pytest.mark.parametrize(
    ("replies", "n", "places"),
    [
        (["Oh. Bad.", "Oh. Good.", "Oh. Fine."], 1, [1]),
        (["Oh. Bad.", "Oh. Good.", "Oh. Fine."], 2, [1, 2]),
        (["Oh. Good. Bad.", "Oh. Fine."], 1, [1]),
        (["Oh.", "Oh. Fine."], 1, [1]),
        (["Oh.", "Oh. Bad."], 1, [1]),
        (["Oh. Good.", "Oh. Good.", "Oh. Fine."], 2, [0, 2]),
        (["Oh. Good.", "Oh. Good.", "Oh. Good."], 2, [0, 1]),
        (["", "Oh."], 2, [0, 1]),
    ],
)
def test_those_whose_sentences_suit_on_average_are_kept_and_differ(
    replies: list[str], n: int, places: list[int]
) -> None:
    assert best(replies, WORTHS, n) == places
