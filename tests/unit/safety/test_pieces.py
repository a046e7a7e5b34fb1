"""Danger told in short messages one after another, and ordinary chat in the same form."""

from collections.abc import Mapping, Sequence

import pytest

from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.normalize import NormalizedText
from safety.pieces import MOST_PIECES, is_piece, run_before, with_run
from safety.risk import RiskAssessor

_DANGER = (
    (("hey", "took something", "a whole bottle", "paracetamol"), RiskCategory.MEDICAL_EMERGENCY),
    (("it's my uncle", "when mum's at work", "he touches me"), RiskCategory.CHILD_SAFETY),
    (
        ("my chest hurts", "since this morning", "left arm too", "can't breathe right"),
        RiskCategory.MEDICAL_EMERGENCY,
    ),
    (("he's back", "I'm locked in the bathroom", "he's got a knife"), RiskCategory.ABUSE),
    (("my friend just texted", "she said goodbye", "she won't pick up"), RiskCategory.THIRD_PARTY),
    (("在", "喝了", "两瓶", "农药"), RiskCategory.MEDICAL_EMERGENCY),
    (("吃了", "安眠药", "一整瓶"), RiskCategory.MEDICAL_EMERGENCY),
    (("胸口疼", "半小时了", "左胳膊麻", "喘不上气"), RiskCategory.MEDICAL_EMERGENCY),
    (("是我继父", "妈妈不在的时候", "他摸我"), RiskCategory.CHILD_SAFETY),
    (("孩子吃了", "老鼠药"), RiskCategory.MEDICAL_EMERGENCY),
)
_CALM = (
    ("gym, leg day", "my legs are dead", "worth it though"),
    ("exam tomorrow", "organic chem", "I'm so dead", "like 8 chapters left"),
    ("dentist tomorrow", "wisdom tooth", "scared of the needle", "off to bed"),
    ("I cut my finger", "cooking, onions", "it bled a lot but it stopped", "plaster's on"),
    ("牙疼", "左边最里面那颗", "明天去拔", "怕打麻药"),
    ("吃了药", "过敏药", "一片", "有点困", "晚安"),
    ("在桥上", "堵车", "一个小时了", "终于动了"),
    ("我想辞职", "想了半年了", "辞职信写好了", "周一就交"),
)


def _talk(assessor: RiskAssessor, texts: Sequence[str]) -> list[RiskAssessment]:
    session, found = SessionRisk(), list[RiskAssessment]()
    for number, text in enumerate(texts):
        found.append(assessor.assess(text, session, lately=texts[:number]))
        session = found[-1].session
    return found


@pytest.mark.parametrize(("texts", "category"), _DANGER)
def test_danger_in_pieces_is_noticed(
    assessor: RiskAssessor, texts: tuple[str, ...], category: RiskCategory
) -> None:
    last = _talk(assessor, texts)[-1]

    assert last.level >= RiskLevel.MODERATE
    assert last.category is category


@pytest.mark.parametrize("texts", _CALM)
def test_ordinary_chat_in_pieces_is_calm(assessor: RiskAssessor, texts: tuple[str, ...]) -> None:
    assert max(one.level for one in _talk(assessor, texts)) < RiskLevel.MODERATE


def test_what_was_found_before_is_not_found_anew(assessor: RiskAssessor) -> None:
    after = assessor.assess("in the morning", SessionRisk(), lately=["i want to kill myself"])

    assert after.level is RiskLevel.NONE


def test_a_long_message_is_read_by_itself(assessor: RiskAssessor) -> None:
    text = "paracetamol is what my grandmother always gave us when one of us had a fever"

    assert (
        assessor.assess(text, SessionRisk(), lately=["took something", "a whole bottle"]).level
        is RiskLevel.NONE
    )


def test_the_run_ends_at_a_long_message_and_after_a_few() -> None:
    long = "this one is by far too long to be a part of anything that is told in pieces"

    assert run_before(["one", long, "two", "three"], "four") == "two three"
    assert len(run_before([f"{number}" for number in range(9)], "ten").split()) == MOST_PIECES
    assert run_before(["one"], long) == ""
    assert run_before([], "one") == ""


def test_chinese_pieces_follow_without_a_space() -> None:
    assert with_run("喝了两瓶", "农药") == "喝了两瓶农药"
    assert with_run("喝了 beer", "两瓶") == "喝了 beer 两瓶"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("took something", True),
        ("一" * 14, True),
        ("一" * 15, False),
        ("a " * 10, True),
        ("a " * 11, False),
        ("", True),
    ],
)
def test_what_is_a_piece(text: str, short: bool) -> None:
    assert is_piece(text) is short


class _Guessing:
    """Stands for the classifier: sure of a word alone, and of nothing once it reads more."""

    is_whole = True

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        del suspicion
        if "leg day" in text.text:
            return []
        return [RiskMatch(RiskLevel.IMMINENT, RiskCategory.SUICIDE, "classifier", "classifier.suicide", 0, 3)]


def test_the_classifier_hears_a_short_message_with_those_before_it(assessor: RiskAssessor) -> None:
    normalizer, engine = assessor._normalizer, assessor._engine  # pyright: ignore[reportPrivateUsage]
    guessing = RiskAssessor(normalizer, engine, _Guessing())

    assert guessing.assess("my legs are dead", SessionRisk()).level is RiskLevel.IMMINENT
    assert guessing.assess("my legs are dead", SessionRisk(), lately=["leg day"]).level is RiskLevel.NONE
    assert guessing.assess("my legs are dead", SessionRisk(), lately=["hi there"]).level is RiskLevel.IMMINENT
