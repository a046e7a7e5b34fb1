"""Runs of words become the same numbers everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from safety.word_pieces import BUCKETS, piece_ids


def test_words_and_pairs_of_a_sentence_are_counted_once() -> None:
    assert len(piece_ids("the tub the tub")) == 4


def test_chinese_characters_also_form_runs_of_three() -> None:
    assert len(piece_ids("不想活")) == 6


def test_the_numbers_do_not_depend_on_the_process() -> None:
    assert piece_ids("tub") == [5209]


def test_signs_alone_have_no_pieces() -> None:
    assert piece_ids("… !!") == []


@given(st.text(max_size=200))
def test_all_numbers_are_rows_of_the_table(text: str) -> None:
    assert all(0 <= number < BUCKETS for number in piece_ids(text))
