"""A country is guessed from the browser's own words, and left open when they say too little."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.country_guess import guess_country


@pytest.mark.parametrize(
    ("language", "timezone", "country"),
    [
        ("en-US,en;q=0.9", "Australia/Sydney", "AU"),
        ("en-US", "Asia/Calcutta", "IN"),
        ("en", "Europe/Kiev", "UA"),
        ("de", "Europe/Stockholm", "SE"),
        ("zh-CN,zh;q=0.9", None, "CN"),
        ("zh-Hant-TW", None, "TW"),
        ("en-GB", "Etc/UTC", "GB"),
        ("ja", "", "JP"),
        ("fr-CA", "America/Toronto", "CA"),
    ],
)
def test_a_country_is_guessed(language: str, timezone: str | None, country: str) -> None:
    assert guess_country(language, timezone) == country


@pytest.mark.parametrize(
    ("language", "timezone"), [(None, None), ("en", "UTC"), ("zh", ""), ("*", None), ("x" * 9999, "../etc")]
)
def test_doubt_gives_no_country(language: str | None, timezone: str | None) -> None:
    assert guess_country(language, timezone) is None


@given(language=st.text(max_size=80), timezone=st.text(max_size=40))
def test_any_header_is_survived(language: str, timezone: str) -> None:
    guess = guess_country(language, timezone)
    assert guess is None or len(guess) == 2
