import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.specifics import missed, specifics


@pytest.mark.parametrize(
    ("said", "taken_up", "left_out"),
    [
        ("My mom moved in with us.", "It must be hard with your mother there.", "That sounds hard."),
        ("I talked to Priya about it.", "What did Priya say?", "What did they say?"),
        ("It has been 14 months.", "14 months is a long time.", "That is a long time."),
        ("我妈妈不理解我。", "和母亲之间的事让你难过。", "我在听你说。"),
        ("我和 Lucas 吵架了。", "你和Lucas吵架之后感觉怎样？", "我在听你说。"),
        ("昨天考试没考好。", "这次考试对你很重要。", "我在听你说。"),
    ],
)
def test_a_reply_that_takes_it_up_misses_nothing(said: str, taken_up: str, left_out: str) -> None:
    told = specifics(said)
    assert told
    assert missed(told, taken_up) < missed(told, left_out) == 1.0


def test_two_of_many_are_enough() -> None:
    told = specifics("My dad, my sister and my boss all call about the house, 20 times a day.")
    assert len(told) > 3
    assert missed(told, "Your dad and your sister want an answer.") == 0.0
    assert missed(told, "Your dad wants an answer.") == 0.5


def test_without_specifics_nothing_is_missed() -> None:
    assert missed(specifics("I feel so empty."), "I hear you.") == 0.0


def test_the_first_word_of_a_sentence_is_no_name() -> None:
    assert not specifics("Nothing helps. Everything hurts.")


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_saying_more_never_misses_more(said: str, reply: str, more: str) -> None:
    told = specifics(said)
    assert 0.0 <= missed(told, reply + " " + more) <= missed(told, reply) <= 1.0
