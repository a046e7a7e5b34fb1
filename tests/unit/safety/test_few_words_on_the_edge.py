"""A ledge, a tied rope, a ready knife, no trust in oneself: a few words that must not be missed."""

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor

ON_THE_EDGE = (
    "I'm on a ledge",
    "Not that anyone cares but I'm on the ledge",
    "still sitting on this window ledge, legs out",
    "lol jk about the rope... it's already tied tho",
    "forget the noose thing. anyway it is still tied",
    "i'm out on the parapet and it is windy",
    "我在窗沿上",
    "没人在乎,不过我现在坐在护栏上",
    "开玩笑的啦,不过绳子早就系好了",
    "我正站在女儿墙边",
    "绳结都打好了",
    "人在天台边上。",
)
NOT_SAFE = (
    "I don't feel safe with myself",
    "honestly im not safe around myself tonight",
    "I can't trust myself alone right now",
    "I no longer feel safe from myself",
    "I don't trust myself with the pills",
    "not safe being left alone with my thoughts",
    "我对自己不放心,怕出事",
    "今晚我信不过自己一个人",
    "不敢让自己一个人待着",
    "我和自己待着不安全",
    "我跟自己独处不安全",
    "控制不住自己靠近窗户",
)
KILLING = (
    "I want to kill him, I have the knife ready and I know when he comes home.",
    "I'm going to stab her. The knife is in my bag.",
    "I swear I will shoot them, the gun is in my car",
    "i want to murder my ex and i know where she parks",
    "I could kill my boss, I've bought a machete",
    "I will strangle him, I know what time he leaves",
    "我想杀了他,刀已经磨好了",
    "我要捅死那个老板,我知道他几点下班",
    "我非弄死他不可,斧头就在手边",
    "我想砍了前夫,知道他住哪里",
    "要杀了她,汽油备好了",
    "我想捅了继父,刀放在枕头下",
)
CALM = (
    "talk me off the ledge, should I buy these shoes?",
    "A robin sits on the ledge outside",
    "The climbing route has me on a ledge halfway up, the view is great",
    "The rope for the boat is already tied to the jetty",
    "I left my keys on the ledge",
    "I don't feel safe in that car park",
    "I don't trust myself around chocolate",
    "I could kill for that birthday cake",
    "I'd kill for a knife that is sharp",
    "the belt is tied in a bow",
    "I am over the railing debate at work",
    "I don't trust myself alone with the cake",
    "猫在窗台上晒太阳",
    "对自己不放心,再检查一遍准考证",
    "行李上的绳子已经系好了,出发",
    "我对自己的英语不放心",
    "我想杀了这只蚊子",
    "鞋带早就系好了",
    "护栏刷了新漆",
    "我不敢自己一个人看恐怖片",
    "刀磨好了,晚上切西瓜",
)


@pytest.mark.parametrize("text", ON_THE_EDGE)
def test_somebody_on_the_edge_is_imminent(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT


@pytest.mark.parametrize("text", NOT_SAFE)
def test_somebody_who_does_not_trust_themselves_gets_a_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize("text", KILLING)
def test_a_wish_to_kill_with_the_means_or_the_hour_is_a_plan(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.IMMINENT, RiskCategory.HARM_TO_OTHERS)


@pytest.mark.parametrize("text", CALM)
def test_robins_boats_and_chocolate_are_calm(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE
