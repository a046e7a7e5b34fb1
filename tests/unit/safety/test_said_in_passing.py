"""Work, shame and honest denials in the words of danger bring no card; a lie or a life beside them does."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor


@pytest.mark.parametrize(
    "text",
    [
        "I can't carry on with this course, I'm switching to history",
        "can't keep going at my job, interview on tuesday",
        "I can't do this diet, I want bread",
        "I'd rather die than sing in front of my class lol",
        "rather die than phone the bank",
        "I could have died when my zip was open in the meeting",
        "i could just die, he waved at me and i tripped",
        "the nurse asked whether I felt suicidal and I said no, I'm just exhausted",
        "my GP asked if I had thoughts of suicide and I told him no, which is true",
        "my mum took her heart tablets after breakfast",
        "奶奶饭后吃了药，睡午觉了",
        "室友喝了一瓶可乐",
    ],
)
def test_no_card_for_words_in_passing(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "I can't go on with this course or with living",
        "I can't keep going at my job, I want to die",
        "I could just die, I hate myself, pills are here",
        "the nurse asked whether I felt suicidal and I said no but I lied",
        "my mum took her heart tablets, all of them, and won't wake",
        "奶奶饭后把安眠药全吃了，叫不醒",
    ],
)
def test_the_same_words_beside_danger_bring_one(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE
