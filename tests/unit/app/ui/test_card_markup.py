"""The helpline card."""

import re

import pytest

from app.ui.card_markup import card_inside, card_view
from app.ui.texts import load_texts
from safety.helplines import load_directory
from safety.levels import RiskCategory, RiskLevel

TEXTS = load_texts()
DIRECTORY = load_directory()


def _inside(country: str | None, level: RiskLevel = RiskLevel.MODERATE, locale: str = "en") -> str:
    card = DIRECTORY.card(country, level, RiskCategory.SUICIDE, locale)
    return card_inside(card, DIRECTORY.countries(locale), TEXTS[locale], picker_id="picker")


def test_a_number_can_be_called_by_a_tap() -> None:
    assert 'href="tel:988"' in _inside("US")


def test_a_keyword_line_can_be_texted_by_a_tap() -> None:
    html = _inside("US")

    assert 'href="sms:741741?&amp;body=HOME"' in html
    assert "Text HOME to 741741" in html


def test_the_emergency_number_comes_first_when_danger_is_imminent() -> None:
    html = _inside("US", RiskLevel.IMMINENT)

    assert html.index("tel:911") < html.index("tel:988")


def test_the_chosen_country_is_selected() -> None:
    assert re.search(r'<option value="GB" selected>', _inside("GB"))


def test_an_unknown_country_selects_the_last_resort() -> None:
    assert re.search(r'<option value="" selected>', _inside(None))


@pytest.mark.parametrize("code", [code for code, _ in DIRECTORY.countries()])
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_each_line_of_each_country_can_be_reached(code: str, locale: str) -> None:
    html = _inside(code, RiskLevel.IMMINENT, locale)

    for line in html.split("<li>")[1:]:
        assert re.search(r'href="(tel|sms|https?):', line)


@pytest.mark.parametrize("code", [code for code, _ in DIRECTORY.countries()])
def test_each_language_of_a_line_has_a_name(code: str) -> None:
    card = DIRECTORY.card(code, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    codes = {language for line in card.lines for language in line.languages}

    assert {language for language in codes if not TEXTS["zh"].has(f"languages.{language}")} == set()


def test_the_card_is_announced_with_its_numbers() -> None:
    card = DIRECTORY.card("US", RiskLevel.IMMINENT, RiskCategory.SUICIDE)

    assert "988 Suicide & Crisis Lifeline 988" in card_view(card, DIRECTORY.countries(), TEXTS["en"]).spoken


def test_a_higher_level_is_another_card() -> None:
    views = [
        card_view(DIRECTORY.card("US", level, RiskCategory.SUICIDE), DIRECTORY.countries(), TEXTS["en"])
        for level in (RiskLevel.MODERATE, RiskLevel.IMMINENT)
    ]

    assert views[0].id != views[1].id


@pytest.mark.parametrize("category", [RiskCategory.ABUSE, RiskCategory.CHILD_SAFETY])
def test_the_quick_exit_stands_before_the_lines_where_somebody_may_come_in(category: RiskCategory) -> None:
    card = DIRECTORY.card("US", RiskLevel.MODERATE, category, "en")
    html = card_view(card, DIRECTORY.countries("en"), TEXTS["en"]).html

    assert html.index("tel:911") < html.index("data-leave") < html.index("hk-lines")


@pytest.mark.parametrize("country", ["GB", "CN"])
@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
@pytest.mark.parametrize("category", list(RiskCategory))
def test_numbers_stand_before_all_words_of_the_card(
    country: str, locale: str, level: RiskLevel, category: RiskCategory
) -> None:
    card = DIRECTORY.card(country, level, category, locale)
    html = card_view(card, DIRECTORY.countries(locale), TEXTS[locale]).html
    ahead = html[: html.index("hk-card-message")]

    assert [number for number in card.emergency_hrefs if f'href="{number}"' not in ahead] == []
    assert any(line.call_href and f'href="{line.call_href}"' in ahead for line in card.lines)


@pytest.mark.parametrize(
    ("locale", "words"), [("en", "your local emergency number"), ("zh", "当地的紧急电话")]
)
def test_without_a_country_the_card_says_whom_to_call_in_danger(locale: str, words: str) -> None:
    html = _inside(None, RiskLevel.IMMINENT, locale)

    assert words in html[: html.index("hk-card-message")]
    assert "tel:" not in html


def test_a_whatsapp_link_has_the_country_code() -> None:
    assert "https://wa.me/390240117252" not in _inside("IT")
    assert "https://wa.me/393240117252" in _inside("IT")


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_folded_card_names_the_website_that_it_opens(locale: str) -> None:
    card = DIRECTORY.card(None, RiskLevel.IMMINENT, RiskCategory.SUICIDE, locale)
    brief = str(card_view(card, DIRECTORY.countries(locale), TEXTS[locale]).brief)

    assert card.lines[0].name in re.sub("<[^>]+>", "", brief)
