"""Danger that is told calmly, hinted at or about to happen far away, and its harmless twins."""

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor

_DANGER = (
    ("tomorrow is my last shift and after that my final day of anything", RiskCategory.SUICIDE),
    ("you can stop worrying about me after this weekend", RiskCategory.SUICIDE),
    ("they'd all move on within a month", RiskCategory.SUICIDE),
    (
        "recording videos for my daughter for when she turns 21, because I won't be alive",
        RiskCategory.SUICIDE,
    ),
    ("my uncle arranged my wedding and has my passport, i've never met him", RiskCategory.ABUSE),
    ("my parents are forcing me to marry a man back home, flight is on friday", RiskCategory.ABUSE),
    ("my gran says my little sister will be cut this summer in the village", RiskCategory.CHILD_SAFETY),
    ("the elders want to have my niece circumcised on holiday", RiskCategory.CHILD_SAFETY),
    ("someone keeps tailing me to my car after work", RiskCategory.ABUSE),
    ("a man was waiting for me outside again", RiskCategory.ABUSE),
    ("I'm worried I might throw her, she screams all night", RiskCategory.HARM_TO_OTHERS),
    ("the baby won't stop crying and I am about to lose it", RiskCategory.HARM_TO_OTHERS),
    ("passed out twice this week, I've had one apple since monday", RiskCategory.EATING_DISORDER),
    ("i keep blacking out at the gym", RiskCategory.MEDICAL_EMERGENCY),
    ("我坐在楼顶边上，下面的车好小", RiskCategory.SUICIDE),
    ("好几天没合眼了，我看穿了宇宙的真相", RiskCategory.PSYCHOSIS),
    ("明天是最后一天上班，然后一切都是最后", RiskCategory.SUICIDE),
    ("过了周末你们就不用担心我了", RiskCategory.SUICIDE),
    ("大家难过两个星期就会忘了我", RiskCategory.SUICIDE),
    ("给女儿录了视频等她十八岁看，那时我已经不在了", RiskCategory.SUICIDE),
    ("家里逼我嫁给没见过的人，身份证也被收走了", RiskCategory.ABUSE),
    ("奶奶要带妹妹回去做割礼", RiskCategory.CHILD_SAFETY),
    ("下班路上那个男的又跟着我", RiskCategory.ABUSE),
    ("怕自己控制不住摇宝宝", RiskCategory.HARM_TO_OTHERS),
    ("又在厕所晕倒了，这两天只吃了一个苹果", RiskCategory.EATING_DISORDER),
)
_CALM = (
    "last day of school tomorrow and then the last day of term party",
    "don't worry about me after the dentist, I'll eat soup",
    "everyone would get over the breakup in a week",
    "can you help me write a letter to my kids for when they're 18? it's a school time capsule",
    "my parents want to marry again in Spain and took their passports",
    "we're going to cut my sister's hair on holiday",
    "someone is following me on instagram",
    "my dog follows me home every night",
    "scared I'm going to shake her hand too hard",
    "fainted once as a child",
    "we had one apple left since monday's shop",
    "我们在天台上烧烤，风挺大的",
    "五天没睡好了，宝宝太闹",
    "明天最后一天上班，然后去旅行",
    "过了今晚就放假了",
    "大家两个星期就会忘了这条新闻",
    "给女儿写了信等她十八岁看",
    "爸妈催我结婚，烦死了",
    "下班路上有只猫跟着我",
    "爬到楼顶看星星，我们带了望远镜",
    "昨天跑步差点晕倒，喝了水就好了",
)


@pytest.mark.parametrize(("text", "category"), _DANGER)
def test_quiet_danger_brings_the_card_of_its_kind(
    assessor: RiskAssessor, text: str, category: RiskCategory
) -> None:
    verdict = assessor.assess(text, SessionRisk())
    assert verdict.level >= RiskLevel.MODERATE
    assert verdict.category is category


@pytest.mark.parametrize("text", _CALM)
def test_its_twin_brings_none(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


def test_a_terminal_illness_told_calmly_is_something_else(assessor: RiskAssessor) -> None:
    text = "I have stage four cancer. I'm writing letters to my kids for when they turn 18, I won't be around"
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


def test_fainting_again_in_a_conversation_at_risk_needs_an_ambulance(assessor: RiskAssessor) -> None:
    before = SessionRisk(RiskLevel.MODERATE, RiskCategory.EATING_DISORDER)
    verdict = assessor.assess("fainted in the shower again", before)
    assert (verdict.level, verdict.category) == (RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY)
