import pytest

from models.invention_lists import lists_of

BOTH = {name: family for language in ("en", "zh") for name, family in lists_of(language).families.items()}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_family_that_is_named_as_narrower_exists(language: str) -> None:
    named = {name for family in lists_of(language).families.values() for name in family.wider}
    assert named - set(BOTH) == set()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_word_names_two_families(language: str) -> None:
    words = [word for family in lists_of(language).families.values() for word in family.words]
    assert sorted(word for word in set(words) if words.count(word) > 1) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_are_in_lower_case_and_every_family_has_some(language: str) -> None:
    families = lists_of(language).families.values()
    assert [family.name for family in families if not family.words] == []
    assert [
        word for family in families for word in (*family.words, *family.hints) if word != word.lower()
    ] == []


def test_a_family_is_of_one_kind_and_sex_in_both_languages() -> None:
    english, chinese = lists_of("en").families, lists_of("zh").families
    shared = set(english) & set(chinese)
    assert [name for name in shared if english[name].kind != chinese[name].kind] == []
    assert [
        name for name in shared if (english[name].sex, chinese[name].sex) in (("m", "f"), ("f", "m"))
    ] == []
