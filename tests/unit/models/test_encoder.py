import numpy as np
import pytest

from models.encoder import CachedEncoder, EncoderError, LazyEncoder, load_encoder
from tests.fakes.encoder import FakeEncoder


def test_each_distinct_text_is_encoded_once() -> None:
    inner = FakeEncoder()
    cached = CachedEncoder(inner)
    cached.encode_sentences([["a", "b"], ["c"], ["a", "b"]])
    cached.encode_sentences([["c"], ["d"]])
    assert inner.asked == [("a", "b"), ("c",), ("d",)]


def test_the_cache_changes_no_vector() -> None:
    cached = CachedEncoder(FakeEncoder())
    for _ in range(2):
        rows = cached.encode_sentences([["Hello there.", "Yes."]])[0]
        assert np.array_equal(rows, FakeEncoder().encode_sentences([["Hello there.", "Yes."]])[0])


def test_no_more_vectors_are_held_than_allowed() -> None:
    cached = CachedEncoder(FakeEncoder(), max_vectors=6)
    for number in range(10):
        cached.encode_sentences([[f"one {number}", "two"]])
    assert cached.held == 6


def test_the_text_used_last_stays_longest() -> None:
    inner = FakeEncoder()
    cached = CachedEncoder(inner, max_vectors=4)
    for text in ("a", "b", "a", "c", "a"):
        cached.encode_sentences([[text]])
    assert inner.asked == [("a",), ("b",), ("c",)]


def test_a_cache_of_nothing_still_encodes() -> None:
    cached = CachedEncoder(FakeEncoder(), max_vectors=0)
    assert cached.encode(["a", "b"]).shape == (2, 8)


def test_no_text_gives_no_vector() -> None:
    assert CachedEncoder(FakeEncoder()).encode([]).shape == (0, 8)


def test_a_lazy_encoder_loads_at_its_first_use_and_once() -> None:
    loaded: list[FakeEncoder] = []

    def load() -> FakeEncoder:
        loaded.append(FakeEncoder())
        return loaded[-1]

    lazy = LazyEncoder("fake", 8, load)
    before = len(loaded)
    lazy.encode(["a"])
    lazy.encode_sentences([["a"]])
    assert (before, len(loaded)) == (0, 1)


def test_an_unknown_encoder_is_named() -> None:
    with pytest.raises(EncoderError, match="word2vec"):
        load_encoder("word2vec")
