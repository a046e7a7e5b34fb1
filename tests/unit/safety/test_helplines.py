"""The right lines, dialled as people dial them, and none of the known traps."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from safety.helpline_file import HelplineFile, LineEntry, read_helplines
from safety.helplines import MAX_LINES, HelplineDirectory, call_href, load_directory, text_href
from safety.levels import RiskCategory, RiskLevel
from safety.reply_check import check_reply

_FILE = Path(__file__).parents[3] / "safety" / "helplines.json"
_CATEGORIES = list(RiskCategory)
_COVERED = (
    *("US", "GB", "IE", "CA", "AU", "NZ", "IN", "ZA", "CN", "HK", "TW", "SG", "MY", "JP", "KR"),
    *("DE", "AT", "CH", "FR", "ES", "PT", "IT", "NL", "BE", "SE", "NO", "DK", "FI", "PL", "BR", "AR"),
)
"""Countries with a line on abuse and one for children."""


def _lines() -> list[tuple[str, LineEntry]]:
    data = read_helplines(_FILE)
    return [(code, line) for code, entry in data.countries.items() for line in entry.lines]


def _numbers(code: str) -> set[str]:
    found = {
        re.sub(r"\D", "", number)
        for country, line in _lines()
        if country == code
        for number in (line.call, line.text, *line.alternatives)
        if number
    }
    return found


def test_the_schema_beside_the_data_is_the_one_that_is_checked() -> None:
    committed = json.loads(_FILE.with_name("helplines.schema.json").read_text(encoding="utf-8"))
    assert committed == HelplineFile.model_json_schema()


@pytest.mark.parametrize(
    ("country", "line"),
    [
        ("GB", "gb-childline"),
        ("NL", "nl-kinder"),
        ("BE", "be-awel"),
        ("CN", "cn-12355"),
        ("us", "us-childhelp"),
    ],
)
def test_young_people_are_sent_to_a_line_of_their_own(country: str, line: str) -> None:
    assert load_directory().for_young(country).id == line


@pytest.mark.parametrize("country", [None, "ZZ", "SG", "HU"])
def test_lines_that_take_reports_are_no_lines_for_young_people(country: str | None) -> None:
    assert load_directory().for_young(country).id == "zz-find"


def test_every_line_for_young_people_knows_about_children_in_danger() -> None:
    assert {
        line.id for _, line in _lines() if line.young and RiskCategory.CHILD_SAFETY not in line.categories
    } == set()


@pytest.mark.parametrize(
    ("code", "obsolete"),
    [
        ("KR", "1393"),
        ("TW", "0800788995"),
        ("CA", "18334564566"),
        ("CA", "45645"),
        ("IT", "199284284"),
        ("BR", "141"),
        ("DE", "113"),
        ("IN", "18005990019"),
        ("US", "18009312237"),
        ("GB", "08456341414"),
        ("SE", "020505050"),
        ("NL", "09000113"),
        ("FR", "0810037037"),
        ("CN", "12320"),
    ],
)
def test_an_obsolete_or_foreign_number_is_not_listed(code: str, obsolete: str) -> None:
    assert obsolete not in _numbers(code)


def test_113_is_dutch() -> None:
    assert "113" in _numbers("NL")


def test_113_is_the_ambulance_in_norway_and_no_line_there() -> None:
    assert read_helplines(_FILE).countries["NO"].emergency[0] == "113"
    assert "113" not in _numbers("NO")


def test_142_is_for_distress_in_austria_and_for_victims_in_switzerland() -> None:
    about = {code: line.categories for code, line in _lines() if line.call == "142"}
    assert RiskCategory.SUICIDE in about["AT"]
    assert about["CH"] == (RiskCategory.ABUSE,)


def test_a_number_belongs_to_one_line_of_a_country() -> None:
    listed = [
        (code, re.sub(r"\D", "", number))
        for code, line in _lines()
        for number in {line.call, *line.alternatives}
        if number
    ]
    assert len(listed) == len(set(listed))


def test_the_us_line_does_not_name_press_3() -> None:
    notes = [line.note.en for code, line in _lines() if code == "US" and line.note]
    assert not any("3" in note for note in notes)


def test_12356_is_not_called_a_day_and_night_line() -> None:
    line = next(line for code, line in _lines() if line.call == "12356")
    assert "24" not in line.hours.en
    assert "24" not in line.hours.zh


@pytest.mark.parametrize(("code", "line"), _lines(), ids=lambda value: getattr(value, "id", value))
def test_numbers_are_national(code: str, line: LineEntry) -> None:
    assert code
    assert not (line.call or "").startswith("+")
    assert not (line.text or "").startswith("+")


@pytest.mark.parametrize(
    ("number", "href"),
    [
        ("988", "tel:988"),
        ("13 11 14", "tel:131114"),
        ("116 123", "tel:116123"),
        ("1-767", "tel:1767"),
        ("0800 111 0 111", "tel:08001110111"),
        ("+65 6669 1771", "tel:+6566691771"),
    ],
)
def test_a_call_link_keeps_the_dial_string(number: str, href: str) -> None:
    assert call_href(number) == href


def test_a_text_link_fills_in_the_first_word() -> None:
    assert text_href("741741", "HOME") == "sms:741741?&body=HOME"


def test_a_text_link_without_a_word() -> None:
    assert text_href("1737") == "sms:1737"


def test_every_country_has_an_emergency_number() -> None:
    assert all(entry.emergency for entry in read_helplines(_FILE).countries.values())


def test_whatsapp_numbers_bear_their_country_code() -> None:
    numbers = [line.whatsapp for _, line in _lines() if line.whatsapp]
    assert numbers
    assert all(number.startswith("+") for number in numbers)


@pytest.mark.parametrize("code", [*_COVERED, "MX"])
def test_the_large_countries_have_a_line_on_abuse(code: str) -> None:
    assert any(RiskCategory.ABUSE in line.categories for country, line in _lines() if country == code)


@pytest.mark.parametrize("code", [*_COVERED, "PH"])
def test_the_large_countries_have_a_line_for_children(code: str) -> None:
    assert any(RiskCategory.CHILD_SAFETY in line.categories for country, line in _lines() if country == code)


def test_ids_are_unique() -> None:
    ids = [line.id for _, line in _lines()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("category", _CATEGORIES)
@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("country", ["US", "CN", "AT", "XX", None])
def test_every_card_has_words_and_somewhere_to_turn(
    directory: HelplineDirectory, country: str | None, locale: str, level: RiskLevel, category: RiskCategory
) -> None:
    card = directory.card(country, level, category, locale)
    assert card.title
    assert card.message
    assert "{" not in card.message
    assert card.lines


@pytest.mark.parametrize("country", ["US", "GB", "CN", "IT"])
def test_an_imminent_card_names_the_emergency_number(directory: HelplineDirectory, country: str) -> None:
    card = directory.card(country, RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    assert card.emergency[0] in card.message
    assert card.emergency_hrefs[0] == f"tel:{card.emergency[0]}"


def test_an_unknown_country_gets_directories_and_no_invented_number(directory: HelplineDirectory) -> None:
    card = directory.card("XX", RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    assert card.country == "ZZ"
    assert card.emergency == ()
    assert {line.url for line in card.lines} >= {"https://findahelpline.com/", "https://befrienders.org/"}


def test_an_eu_country_without_lines_gets_112(directory: HelplineDirectory) -> None:
    assert directory.card("RO", RiskLevel.IMMINENT, RiskCategory.SUICIDE).emergency == ("112",)


def test_a_moderate_card_about_eating_shows_no_emergency_buttons(directory: HelplineDirectory) -> None:
    assert directory.card("US", RiskLevel.MODERATE, RiskCategory.EATING_DISORDER).emergency == ()


def test_a_low_level_is_shown_as_moderate(directory: HelplineDirectory) -> None:
    assert directory.card("US", RiskLevel.LOW, RiskCategory.SUICIDE).level is RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("country", "category", "line"),
    [
        ("US", RiskCategory.ABUSE, "us-dv"),
        ("US", RiskCategory.CHILD_SAFETY, "us-childhelp"),
        ("US", RiskCategory.MEDICAL_EMERGENCY, "us-poison"),
        ("GB", RiskCategory.CHILD_SAFETY, "gb-childline"),
        ("CN", RiskCategory.ABUSE, "cn-12338"),
        ("AU", RiskCategory.ABUSE, "au-1800respect"),
        ("TW", RiskCategory.ABUSE, "tw-113"),
        ("IE", RiskCategory.ABUSE, "ie-womensaid"),
        ("IE", RiskCategory.CHILD_SAFETY, "ie-childline"),
        ("NZ", RiskCategory.MEDICAL_EMERGENCY, "nz-poison"),
        ("DE", RiskCategory.CHILD_SAFETY, "de-116111"),
        ("NL", RiskCategory.ABUSE, "nl-veiligthuis"),
        ("SG", RiskCategory.ABUSE, "sg-navh"),
        ("HK", RiskCategory.ABUSE, "hk-harmony"),
        ("CA", RiskCategory.EATING_DISORDER, "ca-nedic"),
        ("AT", RiskCategory.ABUSE, "at-frauen"),
        ("CH", RiskCategory.MEDICAL_EMERGENCY, "ch-145"),
        ("JP", RiskCategory.ABUSE, "jp-dvplus"),
        ("BR", RiskCategory.CHILD_SAFETY, "br-100"),
        ("IT", RiskCategory.EATING_DISORDER, "it-dca"),
    ],
)
def test_a_fitting_line_comes_first(
    directory: HelplineDirectory, country: str, category: RiskCategory, line: str
) -> None:
    assert directory.card(country, RiskLevel.IMMINENT, category).lines[0].id == line


_OWN_NUMBERS = {
    "DE": ("112", "110"),
    "AT": ("144", "133"),
    "CH": ("144", "117"),
    "LI": ("144", "117"),
    "FR": ("15", "17"),
    "BE": ("112", "101"),
    "LU": ("112", "113"),
    "NO": ("113", "112"),
    "CZ": ("155", "158"),
    "SK": ("155", "158"),
    "SI": ("112", "113"),
    "GR": ("166", "100"),
    "LV": ("113", "110"),
    "CN": ("120", "110"),
    "TW": ("119", "110"),
    "JP": ("119", "110"),
    "KR": ("119", "112"),
    "SG": ("995", "999"),
    "BR": ("192", "190"),
}
"""Where the ambulance and the police have numbers of their own."""


@pytest.mark.parametrize("country", _OWN_NUMBERS)
@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
def test_violence_shows_the_police_and_an_overdose_the_ambulance(
    directory: HelplineDirectory, country: str, level: RiskLevel
) -> None:
    ambulance, police = _OWN_NUMBERS[country]
    for category in (RiskCategory.ABUSE, RiskCategory.CHILD_SAFETY):
        assert directory.card(country, level, category).emergency[0] == police
    for category in (RiskCategory.MEDICAL_EMERGENCY, RiskCategory.SUBSTANCE):
        assert directory.card(country, level, category).emergency[0] == ambulance


def test_a_german_child_finds_a_line_about_sexual_abuse_and_one_for_the_night(
    directory: HelplineDirectory,
) -> None:
    lines = directory.card("DE", RiskLevel.MODERATE, RiskCategory.CHILD_SAFETY).lines
    assert [line.id for line in lines[:3]] == ["de-116111", "de-missbrauch", "de-ts"]
    assert lines[1].call == "0800 22 55 530"
    assert load_directory().for_young("DE").id == "de-116111"


@pytest.mark.parametrize("country", sorted({code for code, _ in _lines()}))
@pytest.mark.parametrize("category", _CATEGORIES)
def test_where_a_line_never_closes_no_card_with_room_has_only_lines_that_do(
    directory: HelplineDirectory, country: str, category: RiskCategory
) -> None:
    def never_closes(line: LineEntry) -> bool:
        return line.hours.en.startswith("24 hours, every day")

    lines = read_helplines(_FILE).countries[country].lines
    general = [line for line in lines if RiskCategory.SUICIDE in line.categories and not line.young]
    open_ids = {line.id for line in lines if never_closes(line)}
    shown = {line.id for line in directory.card(country, RiskLevel.MODERATE, category).lines}
    about_it = [line for line in lines if category in line.categories]
    if len(about_it) < 3 and any(never_closes(line) for line in general):
        assert shown & open_ids


def test_texts_come_in_the_persons_language(directory: HelplineDirectory) -> None:
    assert "你" in directory.card("CN", RiskLevel.IMMINENT, RiskCategory.SUICIDE, "zh-CN").message


def test_countries_are_named_in_the_persons_language(directory: HelplineDirectory) -> None:
    assert ("DE", "德国") in directory.countries("zh")
    assert ("DE", "Germany") in directory.countries()


def test_countries_stand_in_the_order_of_their_pinyin_in_chinese(directory: HelplineDirectory) -> None:
    names = [name for _, name in directory.countries("zh")]
    known = ["阿根廷", "爱尔兰", "德国", "加拿大", "美国", "日本", "希腊", "香港", "英国", "中国大陆"]
    assert [name for name in names if name in known] == known


def test_countries_stand_in_the_order_of_the_alphabet_in_english(directory: HelplineDirectory) -> None:
    names = [name for _, name in directory.countries()]
    assert names == sorted(names)


@pytest.mark.parametrize("place", ["CN", "HK", "TW"])
def test_lines_where_chinese_is_spoken_go_by_their_chinese_names_in_chinese(
    directory: HelplineDirectory, place: str
) -> None:
    names = [line.name for line in directory.lines(place, "zh")]
    assert [name for name in names if not re.search("[\u4e00-\u9fff]", name)] == []


def test_a_line_has_its_english_name_in_english(directory: HelplineDirectory) -> None:
    assert "Harmony House" in {line.name for line in directory.lines("HK")}
    assert "和諧之家" in {line.name for line in directory.lines("HK", "zh")}


def test_undated_and_old_entries_are_reported(directory: HelplineDirectory) -> None:
    stale = {line.id for line in directory.stale(date(2026, 11, 27))}
    assert "cn-12338" in stale
    assert "us-988" not in stale
    assert "gb-samaritans" not in stale


def test_everything_is_stale_after_two_years(directory: HelplineDirectory) -> None:
    assert len(directory.stale(date(2029, 1, 1))) == len(_lines()) + len(read_helplines(_FILE).fallback.lines)


_OWN_LINE = {
    "id": "at-own",
    "name": "Our own line",
    "call": "142",
    "hours": {"en": "always", "zh": "全天"},
    "categories": ["suicide"],
    "status": "operator",
    "source": "our staff",
    "checked_on": "2026-11-01",
}


def test_an_operator_adds_a_country(tmp_path: Path) -> None:
    own = {
        "schema_version": 1,
        "countries": {
            "AT": {"name": {"en": "Austria", "zh": "奥地利"}, "emergency": ["144"], "lines": [_OWN_LINE]}
        },
    }
    file = tmp_path / "own.json"
    file.write_text(json.dumps(own), encoding="utf-8")
    card = load_directory(file).card("AT", RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    assert card.lines[0].call_href == "tel:142"
    assert card.emergency == ("144",)


def test_an_operator_removes_a_line(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"schema_version": 1, "remove": ["us-ctl"]}), encoding="utf-8")
    lines = load_directory(file).card("US", RiskLevel.IMMINENT, RiskCategory.SUICIDE).lines
    assert "us-ctl" not in {line.id for line in lines}


@pytest.mark.parametrize(
    "change",
    [
        {"call": "call us"},
        {"checked_on": "yesterday"},
        {"call": None},
        {"url": "http://plain.example"},
        {"extra": 1},
    ],
)
def test_a_malformed_operator_file_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    line = {**_OWN_LINE, **change}
    own = {"schema_version": 1, "countries": {"AT": {"name": {"en": "A", "zh": "奥"}, "lines": [line]}}}
    file = tmp_path / "own.json"
    file.write_text(json.dumps(own), encoding="utf-8")
    with pytest.raises(ValidationError):
        load_directory(file)


@pytest.mark.parametrize("category", _CATEGORIES)
def test_card_words_promise_no_watching_human(directory: HelplineDirectory, category: RiskCategory) -> None:
    for locale in ("en", "zh"):
        message = directory.card(None, RiskLevel.IMMINENT, category, locale).message
        assert "human_claim" not in check_reply(message, RiskLevel.IMMINENT).reasons


@pytest.mark.parametrize(
    ("locale", "signs"),
    [("en", ("hurt yourself", "no longer feel safe")), ("zh", ("伤害自己", "不再安全"))],
)
def test_the_card_for_distress_names_the_danger_in_which_to_call(locale: str, signs: tuple[str, ...]) -> None:
    card = load_directory(None).card("US", RiskLevel.MODERATE, RiskCategory.SUICIDE, locale)

    assert all(sign in card.message for sign in signs)
    assert "911" in card.message


@pytest.mark.parametrize("country", sorted({code for code, line in _lines() if line.call}))
def test_a_poisoning_shows_a_line_for_who_wanted_to_die(directory: HelplineDirectory, country: str) -> None:
    lines = directory.card(country, RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY).lines
    assert any(line.call and RiskCategory.SUICIDE in line.categories for line in lines)


@pytest.mark.parametrize(
    ("locale", "words"), [("en", "feeling fine means nothing yet"), ("zh", "还好不代表没事")]
)
def test_the_card_for_an_emergency_says_not_to_wait(
    directory: HelplineDirectory, locale: str, words: str
) -> None:
    assert words in directory.card("GB", RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY, locale).message


_EU_AND_EEA = (
    *("AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IS", "IT"),
    *("LI", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK"),
)


@pytest.mark.parametrize("code", _EU_AND_EEA)
def test_each_country_of_the_eea_can_be_chosen_and_has_112(directory: HelplineDirectory, code: str) -> None:
    assert code in dict(directory.countries())
    assert "112" in read_helplines(_FILE).countries[code].emergency
    assert directory.card(code, RiskLevel.MODERATE, RiskCategory.SUICIDE).lines


def test_the_first_philippine_number_works_from_a_mobile(directory: HelplineDirectory) -> None:
    assert str(directory.card("PH", RiskLevel.MODERATE, RiskCategory.SUICIDE).lines[0].call).startswith("09")


@pytest.mark.parametrize("category", _CATEGORIES)
@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
def test_no_card_calls_all_its_lines_free(
    directory: HelplineDirectory, level: RiskLevel, category: RiskCategory
) -> None:
    for country in ("MX", "IT", "FI"):
        assert "free" not in directory.card(country, level, category).message
        assert "免费" not in directory.card(country, level, category, "zh").message


@pytest.mark.parametrize("country", ["GB", "US", "DE", "AU", "CN"])
@pytest.mark.parametrize("category", [RiskCategory.SUICIDE, RiskCategory.MEDICAL_EMERGENCY])
def test_a_young_person_sees_the_line_for_the_young_first(
    directory: HelplineDirectory, country: str, category: RiskCategory
) -> None:
    plain = directory.card(country, RiskLevel.MODERATE, category, "en")
    card = directory.card(country, RiskLevel.MODERATE, category, "en", young=True)
    assert card.lines[0].id == directory.for_young(country).id
    assert len({line.id for line in card.lines}) == len(card.lines) <= MAX_LINES
    assert card.emergency == plain.emergency


def test_where_no_line_is_for_the_young_the_card_is_the_same(directory: HelplineDirectory) -> None:
    plain = directory.card(None, RiskLevel.MODERATE, RiskCategory.SUICIDE, "en")
    assert directory.card(None, RiskLevel.MODERATE, RiskCategory.SUICIDE, "en", young=True) == plain
