import pytest

from app.chat.limits import excerpt, normalise_text, rejection


@pytest.mark.parametrize(
    ("written", "stored"),
    [("  hi \r\nthere\r ", "hi \nthere"), ("a\x00b", "ab"), ("\ud800", "?"), ("\n \t", "")],
)
def test_text_is_stored_as_written_but_for_line_ends_and_what_no_database_takes(
    written: str, stored: str
) -> None:
    assert normalise_text(written) == stored


def test_empty_text_is_refused() -> None:
    assert rejection("", 10) == "empty"


def test_the_limit_itself_is_allowed() -> None:
    assert rejection("x" * 10, 10) is None
    assert rejection("x" * 11, 10) == "too_long"


def test_a_text_as_long_as_the_page_may_send_is_read_whole() -> None:
    longest = "x" * 28_000
    assert excerpt(longest, 4000) == longest


def test_of_a_longer_text_the_beginning_and_the_end_are_read() -> None:
    assert excerpt("a" * 14_000 + "b" * 9 + "c" * 14_000, 4000) == "a" * 14_000 + "\n" + "c" * 14_000
