"""Which first sentences replies begin with."""

from dataclasses import replace

import pytest

from models.chat_model import SamplingParams
from models.first_choice import MOST_TOKENS, TEMPERATURE, chosen, drawing, says_back
from models.local_engine import Begun
from models.message_kind import ADDRESSED, ANY_HEAVY, TOLD, UNSURE, MessageReading

A, B, C = (Begun((number,), text) for number, text in enumerate(("A.", "B.", "C.")))
PARAMS = SamplingParams(temperature=0.3, max_tokens=128)


def test_the_worthiest_begins_and_those_hardly_behind_it_take_turns() -> None:
    assert chosen([A, B, C], [0.2, 0.9, 0.85], 4) == [B, C, B, C]


def test_one_far_ahead_begins_all_of_them() -> None:
    assert chosen([A, B, C], [0.1, 0.9, 0.2], 3) == [B, B, B]


def test_no_more_begin_than_there_are_replies() -> None:
    assert chosen([A, B, C], [0.9, 0.88, 0.86], 2) == [A, B]


@pytest.mark.parametrize("kind", [*TOLD, ANY_HEAVY, UNSURE, "how"])
def test_what_is_told_is_said_back(kind: str) -> None:
    assert says_back(MessageReading(kind))


@pytest.mark.parametrize("reading", [None, *map(MessageReading, ADDRESSED)])
def test_what_is_said_to_the_listener_is_not(reading: MessageReading | None) -> None:
    assert not says_back(reading)


def test_first_sentences_are_short_and_differ() -> None:
    params = drawing(PARAMS)
    assert (params.temperature, params.max_tokens) == (TEMPERATURE, MOST_TOKENS)


def test_a_temperature_of_nought_or_a_high_one_stays() -> None:
    assert drawing(replace(PARAMS, temperature=0.0)).temperature == 0
    assert drawing(replace(PARAMS, temperature=1.1)).temperature == 1.1


def test_a_reply_shorter_than_a_sentence_stays_short() -> None:
    assert drawing(replace(PARAMS, max_tokens=8)).max_tokens == 8
