"""Texts of both languages, and the choice between them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.texts import LOCALES, UnknownTextError, load_texts, pick_locale

TEXTS = load_texts()
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def test_both_languages_have_the_same_keys() -> None:
    assert TEXTS["en"].entries.keys() == TEXTS["zh"].entries.keys()


def test_both_languages_have_the_same_placeholders() -> None:
    differing = [
        key
        for key, text in TEXTS["en"].entries.items()
        if sorted(PLACEHOLDER.findall(text)) != sorted(PLACEHOLDER.findall(TEXTS["zh"].entries[key]))
    ]

    assert differing == []


def test_no_text_is_empty() -> None:
    assert [key for texts in TEXTS.values() for key, text in texts.entries.items() if not text.strip()] == []


def test_chinese_texts_are_chinese() -> None:
    latin_by_nature = {"page.title", "page.name", "page.leave_to", "card.whatsapp"}
    to_english = {"page.switch_language", "page.switch_language_label"}
    plain = [
        key
        for key, text in TEXTS["zh"].entries.items()
        if not re.search(r"[一-鿿]", text) and key not in latin_by_nature | to_english
    ]

    assert plain == []


def test_placeholders_are_filled_in() -> None:
    assert TEXTS["en"]("turn.queued", ahead=3) == "3 people are ahead of you"


def test_braces_in_a_value_are_left_alone() -> None:
    assert TEXTS["en"]("turn.replied", text="{text} {0}") == "Hearken replied: {text} {0}"


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(UnknownTextError):
        TEXTS["en"]("no.such.text")


def test_texts_below_a_prefix_lose_it() -> None:
    assert "premature_advice" in TEXTS["en"].below("feedback.reasons")


@pytest.mark.parametrize(
    ("chosen", "header", "locale"),
    [
        (None, None, "en"),
        (None, "", "en"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, "en-GB,en;q=0.9,zh;q=0.8", "en"),
        (None, "fr,zh;q=0.3,en;q=0.7", "en"),
        (None, "de-DE, de", "en"),
        (None, "zh;q=0, en", "en"),
        (None, "zh;q=nonsense, en;q=0.1", "en"),
        ("zh", "en", "zh"),
        ("xx", "zh", "zh"),
    ],
)
def test_choice_goes_before_the_browsers_languages(
    chosen: str | None, header: str | None, locale: str
) -> None:
    assert pick_locale(chosen, header) == locale


@given(st.text(), st.text())
def test_whatever_the_browser_sends_one_language_is_picked(chosen: str, header: str) -> None:
    assert pick_locale(chosen, header) in LOCALES
