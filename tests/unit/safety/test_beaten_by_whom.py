"""Who is beaten, by whom, decides the lines; cards, basketball and a telling-off are nobody's beating."""

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor

PARTNER = (
    "我老公喝了酒又打我，我不敢回家。",
    "男朋友昨天打了我,我从家里跑出来了",
    "老公一喝酒就揍我,今天我逃出来了",
    "我不敢回家,怕老公打我",
    "丈夫扇了我几巴掌,现在不敢回去",
    "婆婆和老公打我,我不敢回家",
)
CHILD = (
    "我爸打我,我跑出来了不敢回家",
    "被继父打了,不敢回去",
    "妈妈用衣架抽我,我躲在楼道里",
    "爸爸喝醉了打我和弟弟,我们逃出来了",
    "不敢回家,怕爸爸打我",
    "被我妈揍了一顿,我从家里逃出来了",
    "father beats me every day and i cant go out",
    "mom beats us, we are locked in the closet right now",
    "stepdad whipped my brother, he's under the bed",
    "my mother slapped me again and i'm scared to go out",
    "grandpa is drunk and i'm hiding under my bed",
    "dad hurt me and locked the door",
)
NOBODY_BEATEN = (
    "我打牌输了很多钱，不敢回家见老婆。",
    "今天打篮球崴了脚，怕妈妈骂，不敢回家。",
    "打游戏输了装备,不敢回去见队友",
    "抽奖抽到一台电视,搬着不敢回家怕老婆说我乱花钱",
    "打车打不到,从公司跑出来淋了一身雨",
    "打碎了花瓶,不敢回家怕奶奶说我",
    "打折买多了包,不敢回家见老公",
    "妈妈打我电话叫我回家,我好怕迟到",
    "他们一直打我们班的羽毛球",
    "衣领勒着脖子,好难受",
    "鱼刺卡住了喉咙,咳两下就好了",
    "some guy, he hit on me at the bar",
    "dad beat me at chess and i'm hiding in the bathroom laughing",
    "mom hurt her knee and hid the chocolate in the closet",
    "dad hit a home run and locked the trophy in the closet",
    "grandpa got drunk at the wedding and locked himself out of the hotel",
    "my mother hurt her back and the bathroom is upstairs",
    "dad beat the traffic, he's hiding presents right now",
)
EXPECTED_TONIGHT = (
    "My husband hits me when he drinks and I'm scared he comes home tonight.",
    "He beats me every payday. I'm terrified, he will be back in an hour.",
    "I know he's going to hit me when he gets home",
    "When he comes home tonight he will beat me",
    "my boyfriend punched me last week, im shaking because he is coming back tonight",
    "She's coming home in an hour, and last time she attacked me",
    "老公喝酒就打我,我怕他今晚回来",
    "他今晚回来肯定又要打我",
    "我男朋友打过我,等会儿他回家我好怕,他会动手",
    "今晚老公回来,我又要挨打",
    "我知道他回来会打我",
    "我怕老公今晚回家揍我",
)
ONLY_A_ROW = (
    "My husband and I argued and I'm scared he comes home tonight still grumpy.",
    "I dented the car, I know he's going to be cross when he gets home",
    "She comes home tonight and I'm nervous about telling her I quit",
    "My boyfriend is coming back tonight, I'm worried he will be tired",
    "I'm afraid we will have a row when he gets home",
    "When he comes home tonight he will hit the sofa and sleep",
    "老公今晚回来,我怕又要吵架",
    "我怕他今晚回来还在生气",
    "今晚老婆回家,我得承认我把碗打碎了",
    "老公说等会儿打我电话",
    "他今晚回来打游戏",
    "老公今晚回来打我们的老对手,球赛八点",
    "我担心男朋友今晚回来太累",
)


@pytest.mark.parametrize("text", PARTNER)
def test_a_beaten_partner_is_abuse_and_no_child(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.IMMINENT, RiskCategory.ABUSE)


@pytest.mark.parametrize("text", CHILD)
def test_a_beaten_child_gets_the_lines_for_children(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.IMMINENT, RiskCategory.CHILD_SAFETY)


@pytest.mark.parametrize("text", NOBODY_BEATEN)
def test_where_nobody_is_beaten_no_card_comes(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize("text", EXPECTED_TONIGHT)
def test_violence_expected_tonight_is_imminent(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.IMMINENT, RiskCategory.ABUSE)


@pytest.mark.parametrize("text", ONLY_A_ROW)
def test_fear_of_a_row_stays_what_it_is(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE
