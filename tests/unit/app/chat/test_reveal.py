from hypothesis import given
from hypothesis import strategies as st

from app.chat.reveal import reveal_steps


@given(st.text(min_size=1, max_size=300))
def test_each_step_is_a_beginning_of_the_text_and_the_last_is_all_of_it(text: str) -> None:
    steps = list(reveal_steps(text))
    assert steps[-1] == text
    assert all(text.startswith(step) for step in steps)
    assert [len(step) for step in steps] == sorted(len(step) for step in steps)


def test_words_are_not_cut() -> None:
    assert list(reveal_steps("one two three four five", 2)) == [
        "one two",
        "one two three four",
        "one two three four five",
    ]


def test_chinese_appears_by_characters() -> None:
    assert list(reveal_steps("我在听你说", 2)) == ["我在", "我在听你", "我在听你说"]
