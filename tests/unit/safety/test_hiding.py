"""Everybody is in their room at times; who hides from somebody is in danger."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor


@pytest.mark.parametrize(
    "text",
    [
        "躲在房间里看小说",
        "躲在房间里",
        "我躲在自己房间里不想见人",
        "周末躲在房间里打游戏",
        "躲在房间里画画",
        "缩在房间里听歌",
        "躲在卫生间打游戏",
        "躲在阳台上晒太阳",
        "把自己锁在房间里赶论文",
        "躲在房间追剧",
    ],
)
def test_a_quiet_place_is_no_danger(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "他在砸门，我躲在房间里",
        "我躲在房间里，他在外面骂",
        "躲在房间里不敢出声",
        "躲在房间里听着他在外面砸东西",
        "我躲在衣柜里",
        "我躲在厕所里",
        "我躲在床底，好害怕",
        "他喝醉了，我锁在卫生间里",
        "老公回来了，我躲在屋里",
        "我躲在房间里看小说，他在砸门",
        "躲在被窝里看电影，我爸又在踹门",
        "我反锁在房间里，他在敲门",
        "他在撬锁，我躲在房间玩手机装没听见",
        "我弟把自己反锁在房间,说谁也别进来,里面有煤气味",
    ],
)
def test_hiding_from_somebody_is_imminent(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT
