"""Films, books, songs and phones beside an act of one's own don't hide it; acts in them stay theirs."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import load_assessor

ASSESSOR = load_assessor()


@pytest.mark.parametrize(
    "text",
    [
        "i watched a movie and then i took all my pills",
        "i read a book in the bath and took all my pills",
        "finished the last episode. i just took 40 tablets",
        "saw the film, then i slit my wrists",
        "great show tonight. i have swallowed the whole packet of paracetamol",
        "看完电影，我把药全吃了",
        "听着那首歌，我割了手腕",
        "刚追完那部剧，我吞了一瓶安眠药",
        "我手机没电了，我刚把药都吃了",
        "电脑关了，绳子挂好了",
        "手机密码写在纸上了，今晚我就跳下去",
        "游戏卸载了，遗书也写好了",
    ],
)
def test_an_act_of_ones_own_beside_them_is_imminent(text: str) -> None:
    assert ASSESSOR.assess(text, SessionRisk()).level is RiskLevel.IMMINENT


@pytest.mark.parametrize(
    "text",
    [
        "i watched a movie where he says i took all my pills",
        "in the movie she took all her pills",
        "in my novel the heroine says: and then i took all my pills",
        "finished the book. i took my two tablets and went to bed",
        "great film, i took the whole bottle of wine with me",
        "i watched the last episode and i took a pill for my headache",
        "listening to that song. i cut my hair",
        "小说里女主把药全吃了",
        "这部剧里他说我割了手腕",
        "电影里的台词：我把药全吃了",
        "看完剧我把感冒药吃了就睡",
        "手机里的游戏，今晚我就跳伞",
        "手机跳楼价，今晚我就要去抢",
        "电脑卡死了，今晚我要去死磕代码",
        "手机准备好了，今天我就要去面试",
    ],
)
def test_what_others_do_in_them_and_everyday_things_bring_no_card(text: str) -> None:
    assert ASSESSOR.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize("text", ["吃二十片饼干会怎么样", "吃了二十片面包", "一口气吃了三十片西瓜"])
def test_slices_of_food_are_no_tablets(text: str) -> None:
    assert ASSESSOR.assess(text, SessionRisk()).level is RiskLevel.NONE


@pytest.mark.parametrize("text", ["吃了二十片药", "吃二十片会怎么样", "刚吃了三十片布洛芬"])
def test_what_may_be_tablets_is_imminent(text: str) -> None:
    assert ASSESSOR.assess(text, SessionRisk()).level is RiskLevel.IMMINENT
