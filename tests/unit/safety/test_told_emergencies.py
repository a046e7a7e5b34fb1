"""Somebody swallowed something, lies there or gets worse after tablets: an emergency in any words."""

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor

_DANGER = (
    "my three year old has eaten a dishwasher tablet",
    "the twins got into the rat bait under the sink",
    "my little brother swigged some turps out of a lemonade bottle",
    "my niece ate grandads tablets, i dont know how many",
    "I just swallowed a mouthful of weedkiller from the wrong bottle",
    "my son put a button battery in his mouth and it's gone",
    "walked in on my sister in bed with empty blister packs all round",
    "my housemate is on the stairs and not responding, he was on something",
    "our nan has gone limp and grey",
    "a man at the bus stop is convulsing",
    "my cousin is bleeding badly from his neck",
    "I've taken seven oxycodone and I can't stand, everything is spinning",
    "been throwing up since I took all those last night and nobody knows",
    "宝宝舔了一口洁厕灵",
    "孙女误食了外婆的药",
    "我误喝了一口除垢剂",
    "弟弟把干燥剂吃了",
    "室友倒在地上，空药瓶在旁边，喊不醒",
    "老公突然翻白眼抽搐",
    "女儿手腕一直在流血",
    "我吞了三十颗药，现在迷迷糊糊站不稳",
    "吃了一堆药以后一直恶心，室友以为我吃坏肚子",
)
_CALM = (
    "my three year old loves dishwasher noises",
    "the twins almost drank the turps but I was quicker",
    "my little brother swigged some lemonade and burped",
    "my niece takes her tablets with yoghurt",
    "we keep the weedkiller in the shed",
    "the remote needs a new battery and my son is cross",
    "walked in on my sister asleep with empty sweet packets all round",
    "my housemate won't wake up early, ever",
    "our nan has a grey cat",
    "my mum will have a fit about the carpet",
    "I took two ibuprofen for my back and I'm sleepy",
    "been sick since the curry last night",
    "宝宝差点舔到洁厕灵",
    "孙女今天吃药很乖",
    "我用除垢剂洗了水壶",
    "小狗把干燥剂吃了，兽医说没事",
    "室友倒在沙发上打游戏",
    "老公翻了个白眼，笑我太笨",
    "女儿手腕上戴着新手链",
    "我吃了一颗药，睡了一觉好多了",
    "吃了一碗面，胃有点撑",
    "爷爷早上按时吃了降压药",
)


@pytest.mark.parametrize("text", _DANGER)
def test_an_emergency_is_one_for_the_ambulance(assessor: RiskAssessor, text: str) -> None:
    verdict = assessor.assess(text, SessionRisk())
    assert verdict.level is RiskLevel.IMMINENT
    assert verdict.category is RiskCategory.MEDICAL_EMERGENCY


@pytest.mark.parametrize("text", _CALM)
def test_a_look_alike_is_none(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "I swallowed almost all of the pills in the bottle",
        "my toddler drank bleach, what if she dies",
        "my dog is barking and I think I'm having a stroke",
        "我爸上班的时候突然昏迷，没有呼吸",
        "他早上吃了药，现在站在天台上要跳",
    ],
)
def test_a_harmless_word_beside_it_hides_no_emergency(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT
