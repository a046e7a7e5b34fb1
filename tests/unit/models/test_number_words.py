import pytest

from models.number_words import chinese_numbers, english_numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("nineteen years", [19]),
        ("forty one years and two days", [41, 2]),
        ("a hundred and twenty two", [122]),
        ("three thousand", [3000]),
        ("1,200 pounds for 2.5 days", [1200, 2.5]),
        ("one hundred and then two", [100, 2]),
        ("twenty thirty", [20, 30]),
        ("the third of a dozen", []),
    ],
)
def test_english_numbers_are_read_in_figures_and_words(text: str, values: list[float]) -> None:
    assert [value for value, _, _ in english_numbers(text.split())] == values


def test_ordinals_and_dozens_count_where_they_are_asked_for() -> None:
    found = english_numbers(["the", "third", "of", "a", "dozen"], ordinals=True)
    assert found == [(3, 1, 2), (12, 4, 5)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("十九年", [19]),
        ("二十五岁，两个月", [25, 2]),
        ("一百二十天", [120]),
        ("3万块，三千五百元", [30000, 3500]),
        ("两万三千", [23000]),
        ("12天", [12]),
    ],
)
def test_chinese_numbers_are_read_in_figures_and_words(text: str, values: list[float]) -> None:
    assert [value for value, _, _ in chinese_numbers(text)] == values
