"""A finding is about the right person and the right danger, so that the right lines stand in the card."""

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor


def _kind(assessor: RiskAssessor, text: str) -> tuple[RiskLevel, RiskCategory]:
    found = assessor.assess(text, SessionRisk())
    return found.level, found.category


@pytest.mark.parametrize(
    "text",
    [
        "told my mum i wanted to not wake up. she laughed",
        "told my dad i wish i could not wake up",
        "told my sister i'd rather not wake up",
        "my mum laughed when i said i hoped i would not wake up",
        "told my therapist it would be nice to not wake up",
        "told my boyfriend it'd be easier if i just stopped breathing",
        "i told my wife i went to bed hoping i won't wake up",
        "told my best friend that i wish i wouldn't wake up tomorrow",
        "my teacher heard me say i want to just stop breathing",
        "told my mum i dont want to wake up anymore",
        "told my husband i pray i won't wake up",
        "told my dad that i want to die",
        "我跟我妈说我想一觉不醒，她笑了",
        "我跟妈妈说我希望睡着就没有呼吸了",
        "我跟室友说我想一睡不醒",
        "我告诉老公我真希望自己没有呼吸",
        "我跟老婆说我想昏迷过去再也不醒",
        "我跟我姐说我宁愿永远不醒来",
    ],
)
def test_who_hears_of_a_wish_to_die_is_not_who_lies_there(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text) == (RiskLevel.MODERATE, RiskCategory.SUICIDE)


@pytest.mark.parametrize(
    "text",
    [
        "told mum i found dad and he is not waking up",
        "my mum won't wake up",
        "my dad i think isn't breathing",
        "my mum i want her to wake up but she won't wake up",
        "i wish my mum would answer, she's not waking up",
        "我妈叫不醒",
        "我跟爸说我妈叫不醒",
        "我希望是做梦，可是我爸没有呼吸了",
    ],
)
def test_who_lies_there_is_an_emergency(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text) == (RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY)


@pytest.mark.parametrize(
    "text",
    [
        "my sister told me she wants to die",
        "told my mum my sister wants to die",
        "told my mum i think my sister wants to die",
        "我妹跟我说她不想活了",
    ],
)
def test_a_wish_of_somebody_else_stays_theirs(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text) == (RiskLevel.MODERATE, RiskCategory.THIRD_PARTY)


@pytest.mark.parametrize(
    "text",
    [
        "it would be nice to not wake up at five",
        "it'd be easier to not wake up with a sore back",
        "我希望我妈没有呼吸困难了",
        "我想买个没有呼吸声的加湿器",
    ],
)
def test_a_lie_in_is_no_wish_to_die(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text)[0] < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "I go to the bathroom after every dinner now and get rid of it",
        "after dinner i lock myself in the bathroom and let it all come up",
        "i sneak to the toilet once i've eaten and undo it",
        "every time i eat, i run to the bathroom and get it all out",
        "i get rid of everything i ate in the shower so nobody hears",
        "每次吃完饭我就去厕所把它弄出来",
        "晚饭后我都躲进卫生间，让它全出来",
        "吃完我就跑去洗手间，全还回去",
    ],
)
def test_what_must_not_stay_in_the_stomach_is_an_eating_disorder(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text) == (RiskLevel.MODERATE, RiskCategory.EATING_DISORDER)


@pytest.mark.parametrize(
    "text",
    [
        "i go to the toilet after every meal, it's my ibs, how do i get rid of it",
        "i go to the bathroom after dinner to brush my teeth and get rid of the garlic smell",
        "the bathroom smells after every dinner and i can't get rid of it",
        "after lunch i went to the bathroom, then got rid of the old sofa",
        "吃完饭我去厕所，老是便秘，怎么办",
        "吃完去洗手间刷牙把味道弄掉",
        "吃完饭去厕所洗手，把碗筷清理干净",
    ],
)
def test_digestion_and_smells_are_none(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text)[0] is RiskLevel.NONE


@pytest.mark.parametrize(
    "text",
    [
        "someone online says if i don't do the last task he'll hurt my sister. the last task is the roof",
        "the guy on discord gave me tasks. the final one is to stand on the tracks or he'll post my pictures",
        "last task tonight: the bridge. they will leak everything if i don't",
        "he knows where i live. next dare is to take all the pills",
        "网上有人说不做最后一个任务就伤害我妹妹，最后一个任务是天台",
        "群主让我完成最后一个任务，跳下去，不然就曝光我的照片",
        "今晚的任务是去楼顶，不去他就去找我妈",
        "他有我的裸照。下一个挑战是割手腕",
    ],
)
def test_a_deadly_task_under_threat_is_imminent_suicide(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text) == (RiskLevel.IMMINENT, RiskCategory.SUICIDE)


@pytest.mark.parametrize(
    "text",
    [
        "last task of the day: the roof. the client wants the tiles done or else",
        "the last quest is the rooftop and if i don't do it i lose my loot",
        "final challenge of the escape room is the window, or else we start over",
        "last task is the report, if i don't finish it he'll tell the boss",
        "游戏里最后一个任务是跳楼顶，不完成就没装备",
        "客户说下一个任务是楼顶防水，不然扣钱",
        "体育课最后一个任务是跳绳，不完成就重来",
    ],
)
def test_other_tasks_are_none(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text)[0] is RiskLevel.NONE


@pytest.mark.parametrize(
    "text",
    [
        "clean 90 days. and it is in front of me, needle and all",
        "clean 90 days today. it's sat in front of me, needle and all",
        "i'm six months sober and there's a bottle of vodka on the table looking at me",
        "two years clean. the baggie is in my pocket right now",
        "the gear is right here next to me. forty days clean, 40 days off it",
        "戒毒九十天了，那包东西就在面前，针管都有",
        "戒酒三个月，那瓶白酒就摆在桌上看着我",
        "干净一年了，今晚锡纸又在我手里",
    ],
)
def test_clean_with_it_in_reach_is_about_the_substance(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text) == (RiskLevel.MODERATE, RiskCategory.SUBSTANCE)


@pytest.mark.parametrize(
    "text",
    [
        "ninety days clean, the cake is in front of me, candles and all",
        "90 days sober, bottle of wine on the table last night and I felt nothing",
        "clean for a year! climbing gear is on the bed, off to wales",
        "戒酒一百天，桌上有瓶酒，一点都不想喝",
        "戒了奶茶三个月，面前一碗米粉",
    ],
)
def test_clean_without_a_pull_brings_no_card(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text)[0] < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    ["公司楼下新开的麻辣烫辣到我想跳楼", "这汤咸到想死", "今天热得想跳楼", "这家面好吃到我想哭"],
)
def test_a_taste_that_is_too_much_is_no_wish_to_die(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text)[0] is RiskLevel.NONE


@pytest.mark.parametrize("text", ["菜辣到流泪，其实我不想活了", "今天热，我想跳楼，真的撑不下去了"])
def test_a_taste_hides_no_wish_to_die(assessor: RiskAssessor, text: str) -> None:
    assert _kind(assessor, text)[0] >= RiskLevel.MODERATE
