"""What becomes of the name that a person typed for a conversation."""

import pytest

from app.chat.conversation_name import MAX_NAME_CHARS, kept_name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  my\n new \x00 job ", "my new job"),
        ("", None),
        (" \n ", None),
        ("\u202esecret", "secret"),
        ("\u202dthe\u202c job", "the job"),
        ("\u202aa\u202bb", "ab"),
        ("\u2066a\u2067b\u2068c\u2069", "abc"),
        ("\u202e \u202c", None),
        ("\u200b\u200b", None),
        ("\u3164", None),
        ("\u2800 \ufeff", None),
        ("工作", "工作"),
        ("\u200fעבודה", "\u200fעבודה"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("…", "…"),
    ],
)
def test_a_name_is_one_line_that_is_seen_as_it_was_written(typed: str, kept: str | None) -> None:
    assert kept_name(typed) == kept


def test_a_long_name_is_cut() -> None:
    assert kept_name("x" * (MAX_NAME_CHARS + 1)) == "x" * MAX_NAME_CHARS


def test_what_is_taken_out_does_not_count() -> None:
    assert kept_name("\u202e" * MAX_NAME_CHARS + "seen") == "seen"
