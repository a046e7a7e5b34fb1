"""The emergency number in front belongs to the service that this kind of danger needs."""

import pytest

from app.ui.card_markup import card_view
from app.ui.texts import load_texts
from safety.helpline_file import read_helplines
from safety.helplines import HelplineDirectory
from safety.levels import RiskCategory, RiskLevel
from safety.spelling_tables import RULES_FOLDER

_HURT = (
    RiskCategory.MEDICAL_EMERGENCY,
    RiskCategory.SUBSTANCE,
    RiskCategory.SELF_HARM,
    RiskCategory.EATING_DISORDER,
)
_VIOLENCE = (RiskCategory.ABUSE, RiskCategory.CHILD_SAFETY, RiskCategory.HARM_TO_OTHERS)
_PLAIN = (
    RiskCategory.SUICIDE,
    RiskCategory.PSYCHOSIS,
    RiskCategory.GAMBLING,
    RiskCategory.THIRD_PARTY,
    RiskCategory.NONE,
)

# Country: ambulance, police, and the number for a danger that is neither yet.
_FIRST = {
    "US": ("911", "911", "911"),
    "GB": ("999", "999", "999"),
    "IE": ("112", "112", "112"),
    "CA": ("911", "911", "911"),
    "AU": ("000", "000", "000"),
    "NZ": ("111", "111", "111"),
    "IN": ("112", "112", "112"),
    "CN": ("120", "110", "110"),
    "HK": ("999", "999", "999"),
    "TW": ("119", "110", "119"),
    "SG": ("995", "999", "995"),
    "MY": ("999", "999", "999"),
    "PH": ("911", "911", "911"),
    "JP": ("119", "110", "119"),
    "KR": ("119", "112", "119"),
    "AT": ("144", "133", "112"),
    "CH": ("144", "117", "112"),
    "FR": ("15", "17", "112"),
    "NO": ("113", "112", "113"),
    "BR": ("192", "190", "192"),
    "DE": ("112", "110", "112"),
    "BE": ("112", "101", "112"),
    "LU": ("112", "113", "112"),
    "SI": ("112", "113", "112"),
    "LI": ("144", "117", "112"),
    "LV": ("113", "110", "112"),
    "CZ": ("155", "158", "112"),
    "SK": ("155", "158", "112"),
    "GR": ("166", "100", "112"),
    "MX": ("911", "911", "911"),
    "AR": ("107", "911", "911"),
    "ZA": ("112", "112", "112"),
}
_COUNTRIES = sorted(read_helplines(RULES_FOLDER.parent / "helplines.json").countries)
"""Those that are not in the table have 112 for everything."""


@pytest.mark.parametrize("code", _COUNTRIES)
@pytest.mark.parametrize(("service", "categories"), [(0, _HURT), (1, _VIOLENCE), (2, _PLAIN)])
def test_the_first_number_is_that_of_the_service_that_is_needed(
    directory: HelplineDirectory, code: str, service: int, categories: tuple[RiskCategory, ...]
) -> None:
    expected = _FIRST.get(code, ("112", "112", "112"))[service]
    for category in categories:
        card = directory.card(code, RiskLevel.IMMINENT, category)
        assert card.emergency[0] == expected
        assert expected in card.message


@pytest.mark.parametrize(
    ("code", "category", "number"),
    [
        ("CN", RiskCategory.MEDICAL_EMERGENCY, "120"),
        ("CN", RiskCategory.ABUSE, "110"),
        ("JP", RiskCategory.ABUSE, "110"),
        ("KR", RiskCategory.HARM_TO_OTHERS, "112"),
        ("NO", RiskCategory.CHILD_SAFETY, "112"),
    ],
)
def test_the_folded_card_has_that_number_alone(
    directory: HelplineDirectory, code: str, category: RiskCategory, number: str
) -> None:
    card = directory.card(code, RiskLevel.IMMINENT, category)
    brief = str(card_view(card, directory.countries(), load_texts()["en"]).brief)
    assert brief.startswith(f'<span class="hk-line-ways"><a class="hk-call" href="tel:{number}"')
    assert not any(f'"tel:{other}"' in brief for other in card.emergency[1:])


@pytest.mark.parametrize("code", ["US", "CN", "DE"])
def test_a_wish_to_die_folds_to_the_line_and_the_emergency_number(
    directory: HelplineDirectory, code: str
) -> None:
    card = directory.card(code, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    brief = str(card_view(card, directory.countries(), load_texts()["zh"]).brief)
    line = card.lines[0].call_href
    assert line
    assert brief.index(f'"{line}"') < brief.index(f'"tel:{card.emergency[0]}"')


@pytest.mark.parametrize("code", [*_COUNTRIES, None])
@pytest.mark.parametrize(("locale", "poisons"), [("en", "with poisons"), ("zh", "不管是中毒")])
def test_help_with_poisons_is_promised_only_where_a_line_knows_about_them(
    directory: HelplineDirectory, code: str | None, locale: str, poisons: str
) -> None:
    card = directory.card(code, RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY, locale)
    knows = any(RiskCategory.MEDICAL_EMERGENCY in line.categories for line in card.lines)

    assert (poisons in card.message) is knows


def test_an_overdose_in_britain_brings_the_line_for_medical_advice(directory: HelplineDirectory) -> None:
    card = directory.card("GB", RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY)

    assert card.lines[0].id == "gb-nhs111"
    assert "poisons" in (card.lines[0].note or "")
    assert "gb-samaritans" in {line.id for line in card.lines}
