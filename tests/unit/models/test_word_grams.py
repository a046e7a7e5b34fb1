import numpy as np
import pytest

from models.word_grams import BUCKETS, gram_weights, word_grams


def test_up_to_three_words_and_question_marks_are_counted() -> None:
    # you, ok, ?, and: you ok, ok ?, you ok ?
    assert sum(word_grams("You OK?").values()) == 6


def test_case_and_kind_of_apostrophe_do_not_matter() -> None:
    assert word_grams("It’s Hard") == word_grams("it's hard")


def test_buckets_do_not_depend_on_the_process() -> None:
    # crc32(b"hello") is 907060870.
    assert dict(word_grams("hello")) == {907060870 % BUCKETS: 1}


def test_weights_have_length_one_and_rare_buckets_none() -> None:
    idf = np.ones(BUCKETS, np.float32)
    places, weights = gram_weights("so so sad", idf)
    assert np.linalg.norm(weights) == pytest.approx(1.0)
    assert gram_weights("so so sad", np.zeros(BUCKETS, np.float32))[1].tolist() == [0.0] * len(places)


def test_an_empty_text_has_no_weights() -> None:
    places, weights = gram_weights("...", np.ones(BUCKETS, np.float32))
    assert len(places) == len(weights) == 0
