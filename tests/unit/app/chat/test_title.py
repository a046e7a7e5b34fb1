"""Titles of conversations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat.title import title_of


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I feel lost", "I feel lost"),
        ("  two\n\nlines ", "two lines"),
        ("word " * 20, "word word word word word word word word word word word word…"),
        ("长" * 80, "长" * 60 + "…"),
    ],
)
def test_a_title_is_the_beginning_on_one_line(text: str, title: str) -> None:
    assert title_of(text) == title


@given(st.text())
def test_a_title_is_short_and_has_no_line_end(text: str) -> None:
    assert len(title_of(text)) <= 61
    assert "\n" not in title_of(text)
