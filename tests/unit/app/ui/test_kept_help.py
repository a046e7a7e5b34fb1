"""Help that the page holds without a connection."""

import re

import pytest

from app.ui.kept_help import kept_help
from app.ui.texts import LOCALES, load_texts
from safety.helplines import load_directory

TEXTS = load_texts()
DIRECTORY = load_directory()


def _kept(country: str | None, locale: str) -> dict[str, str]:
    return kept_help(country, DIRECTORY, TEXTS.__getitem__)[locale]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("country", [code for code, _ in DIRECTORY.countries()])
def test_the_emergency_number_of_every_country_is_kept(country: str, locale: str) -> None:
    kept = _kept(country, locale)

    assert re.search(r'href="tel:\d+" aria-label="[^"]*(?:the emergency number|紧急电话)"', kept["menu"])
    assert re.search(r'href="tel:\d+" aria-label="[^"]*(?:the emergency number|紧急电话)"', kept["steps"])


@pytest.mark.parametrize("country", [code for code, _ in DIRECTORY.countries()])
def test_what_stands_beside_a_lost_connection_needs_no_internet(country: str) -> None:
    hrefs = re.findall(r'<a [^>]*?href="([^"]+)"', _kept(country, "en")["steps"])

    assert [href for href in hrefs if not href.startswith(("tel:", "sms:"))] == []


def test_a_line_to_talk_to_stands_beside_the_emergency_number() -> None:
    steps = _kept("GB", "en")["steps"]

    assert steps.index("tel:999") < steps.index("Samaritans") < steps.index("tel:116123")


@pytest.mark.parametrize(
    ("locale", "words"), [("en", "your local emergency number"), ("zh", "当地的紧急电话")]
)
def test_another_country_has_words_in_place_of_numbers(locale: str, words: str) -> None:
    kept = _kept(None, locale)

    assert words in kept["menu"]
    assert words in kept["steps"]


def test_the_dialog_is_in_the_language_of_the_page() -> None:
    assert TEXTS["zh"]("card.menu_message") in _kept("CN", "zh")["menu"]
