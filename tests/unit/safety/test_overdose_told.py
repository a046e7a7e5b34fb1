"""An overdose told in ordinary words is an emergency with the emergency number and a poison line."""

import pytest

from safety.helplines import HelplineDirectory
from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor

OWN = (
    "I just took an overdose, what should I do?",
    "took an overdose",
    "help, I've taken an over-dose of my tablets",
    "I took an overdose 20 mins ago",
    "i think i overdosed",
    "I over dosed",
    "i od'd",
    "od'd on sleeping pills",
    "i injected my whole insulin pen",
    "Necked two packets of paracetamol.",
    "I've swallowed a whole strip of tramadol",
    "have taken far too many of my tablets",
    "i accidentally took an overdose of ibuprofen",
    "吃药过量了",
    "我药吃多了,头好晕",
    "刚才一整板都吃了",
    "我把胰岛素整支打进去了",
    "我吃了太多安眠药",
    "一口气吞了好多片药",
    "我服药过量了怎么办",
)
SOMEBODY_ELSE = (
    "my son took an over dose",
    "She's overdosing in the bathroom",
    "my flatmate has taken an overdose of codeine",
    "he od'd an hour ago",
    "Mum took an overdose this morning and she is asleep",
    "my friend over dosed",
    "我妈吃药过量了",
    "我儿子药吃多了,叫他也没精神",
    "室友一整瓶都吞了",
    "我爸降压药过量了怎么办",
    "女儿刚刚吃了太多感冒药",
    "她把两板药全吞了",
)
CALM = (
    "I had an overdose of cuteness at the kitten café",
    "We took an overdose of Christmas films this weekend",
    "my dog ate all my tablets, the vet says he is fine",
    "the puppy took an overdose of dog biscuits",
    "I overdosed on garlic bread last night",
    "What do you do if a patient has taken an overdose? It came up on my first aid course.",
    "The nurse explained how much is too much when you take ibuprofen.",
    "that's odd",
    "he took the overdose warning off the label",
    "I took a dose of cough syrup and slept like a log",
    "I injected my insulin as usual before lunch",
    "I got through a whole packet of crisps",
    "今天奶茶喝多了睡不着",
    "我家狗把一整板药都吃了,医生说没事",
    "他一口气吃了三十颗草莓",
    "如果有人吃药过量,急救课上说先打电话",
    "一整板巧克力都吃了",
    "快递寄来的钙片吃完了",
    "这个月药费花多了",
    "刚打了胰岛素,准备吃饭",
)
LONG_AGO = (
    "Ten years ago I took an overdose. I have two children now.",
    "I took an overdose when I was sixteen, a lifetime behind me",
    "十年前我吃药过量过,现在早就好了",
)


@pytest.mark.parametrize("text", OWN + SOMEBODY_ELSE)
def test_an_overdose_shows_the_emergency_number_and_a_poison_line(
    assessor: RiskAssessor, directory: HelplineDirectory, text: str
) -> None:
    found = assessor.assess(text, SessionRisk())
    assert found.level is RiskLevel.IMMINENT
    card = directory.card("US", found.level, found.category)
    assert card.emergency == ("911",)
    assert "us-poison" in {line.id for line in card.lines}


@pytest.mark.parametrize("text", CALM)
def test_sweets_dogs_and_first_aid_are_calm(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize("text", LONG_AGO)
def test_an_overdose_long_ago_is_no_emergency(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.IMMINENT
