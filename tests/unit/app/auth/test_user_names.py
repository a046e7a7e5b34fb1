import pytest

from app.auth.user_names import fault


@pytest.mark.parametrize(
    "name",
    ["anna", "anna@example.org", "Jürgen O'Neil", "王小明", "é", "नेहा", "a_b-c.d+e", "a" * 64, " anna "],
)
def test_names_that_people_have_are_taken(name: str) -> None:
    assert fault(name) is None


UNSEEN = "\u202e\u2066\u200b\u200d\ufeff\u00ad\x00\x07\x7f\x85\u2028\ue000\u3164\u2800\ufe0f"


@pytest.mark.parametrize("mark", list(UNSEEN + "<>"))
def test_what_nobody_sees_or_a_page_could_take_for_html_is_odd(mark: str) -> None:
    assert fault(f"an{mark}na") == "odd_name"


@pytest.mark.parametrize(
    ("name", "wrong"), [("", "empty_name"), (" ", "empty_name"), ("a" * 65, "long_name")]
)
def test_empty_and_long_names_are_refused(name: str, wrong: str) -> None:
    assert fault(name) == wrong
