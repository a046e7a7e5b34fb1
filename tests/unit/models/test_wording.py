import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.wording import opening, read_wording, repeats_opening


def similarity(a: str, b: str) -> float:
    return read_wording(a).similarity(read_wording(b))


def test_the_same_text_is_wholly_repeated() -> None:
    assert similarity("I hear how hard it is.", "I hear how hard it is.") == pytest.approx(1.0)


def test_case_and_apostrophes_do_not_matter() -> None:
    assert similarity("It’s HARD now", "it's hard now") == pytest.approx(1.0)


def test_similarity_by_hand() -> None:
    # Pairs: {i hear, hear you} and {i hear, hear him}: one of two shared.
    assert similarity("I hear you", "I hear him") == pytest.approx(0.5)


def test_chinese_is_compared_by_characters() -> None:
    # 我在 / 在这 / 这里 and 我在 / 在家: one shared, norms √3 and √2.
    assert similarity("我在这里", "我在家") == pytest.approx(1 / 6**0.5)


def test_an_empty_text_repeats_nothing() -> None:
    assert similarity("", "I hear you") == 0.0


def test_the_same_first_words_are_a_repeated_opening() -> None:
    past = [read_wording("It sounds like you care."), read_wording("Hm.")]
    assert repeats_opening(read_wording("It sounds like a lot."), past)


def test_two_replies_too_short_to_open_alike() -> None:
    assert not repeats_opening(read_wording("Hm."), [read_wording("Hm.")])


@given(st.text(max_size=60), st.text(max_size=60))
def test_similarity_is_a_share(a: str, b: str) -> None:
    assert 0.0 <= similarity(a, b) <= 1.0 + 1e-9


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("It sounds like you are tired.", "it sounds like"),
        ("“It sounds like…”", "it sounds like"),
        ("I’m so sorry", "i'm so sorry"),
        ("听起来你很累", "听 起 来 你"),
        ("Oh no.", ""),
        ("", ""),
    ],
)
def test_opening_words(reply: str, words: str) -> None:
    assert opening(reply) == words
