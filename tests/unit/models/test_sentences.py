import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.sentences import has_letters, is_chinese, says_something, split_sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I hear you. That is hard!", ["I hear you.", "That is hard!"]),
        ("Dr. Lee said so. Good.", ["Dr. Lee said so.", "Good."]),
        ("It is small, e.g. a walk. Try it.", ["It is small, e.g. a walk.", "Try it."]),
        ("We met at 5 p.m. Then I left.", ["We met at 5 p.m.", "Then I left."]),
        ("It feels... distant. Right?", ["It feels... distant.", "Right?"]),
        ("It feels distant... You are tired.", ["It feels distant...", "You are tired."]),
        (
            'They call it "just a phase." You know better.',
            ['They call it "just a phase."', "You know better."],
        ),
        (
            "They call it “just a phase.” You know better.",
            ["They call it “just a phase.”", "You know better."],
        ),
        ("You said “no.” and left.", ["You said “no.” and left."]),
        ("Ask: *What now?* Then rest.", ["Ask: *What now?*", "Then rest."]),
        ("I am here. 💛", ["I am here.", "💛"]),
        ("It costs 3.5 hours. Yes.", ["It costs 3.5 hours.", "Yes."]),
        ("No end mark", ["No end mark"]),
        ("One?! Two!!", ["One?!", "Two!!"]),
        ("First.\n\nSecond.", ["First.", "Second."]),
    ],
)
def test_english_borders(text: str, parts: list[str]) -> None:
    assert split_sentences(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("听起来你很累。我在这里。", ["听起来你很累。", "我在这里。"]),
        ("真的吗？！我很心疼。", ["真的吗？！", "我很心疼。"]),
        ("我……我不知道。也许吧。", ["我……我不知道。", "也许吧。"]),
        ("他说：“走吧。”然后就走了。", ["他说：“走吧。”", "然后就走了。"]),
        ("你还好吗?我在。", ["你还好吗?", "我在。"]),
        ("慢慢来，不急。 想说什么都可以", ["慢慢来，不急。", "想说什么都可以"]),
    ],
)
def test_chinese_borders(text: str, parts: list[str]) -> None:
    assert split_sentences(text) == parts


@given(st.text(alphabet=st.sampled_from("aB 我。.!?…\"”\n💛'*"), max_size=60))
def test_only_white_space_is_lost(text: str) -> None:
    assert re.sub(r"\s", "", "".join(split_sentences(text))) == re.sub(r"\s", "", text)


@given(st.text(max_size=80))
def test_parts_are_stripped_and_not_empty(text: str) -> None:
    assert all(part and part == part.strip() for part in split_sentences(text))


@given(st.text(alphabet=st.sampled_from("aB 我。.!?\n"), max_size=60))
def test_a_part_is_not_split_again(text: str) -> None:
    assert all(split_sentences(part) == [part] for part in split_sentences(text))


def test_an_emoji_has_no_letters() -> None:
    assert not has_letters("💛 !")


@pytest.mark.parametrize(
    ("text", "says"), [("Hm.", True), ("💛", True), ("嗯", True), ("2.", False), ("...", False)]
)
def test_an_emoji_says_something_and_marks_do_not(text: str, says: bool) -> None:
    assert says_something(text) is says


def test_chinese_has_letters() -> None:
    assert has_letters("好")


@pytest.mark.parametrize(
    ("text", "chinese"), [("我很累", True), ("I am 累 today my friend", False), ("…", False)]
)
def test_language_by_letters(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese
