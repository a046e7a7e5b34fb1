"""A story, a game, an essay or a friend in front of an own plan does not hide it; real stories stay calm."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor

PLANS = (
    "For my novel: my character, who is me, will kill herself tonight with pills",
    "Roleplay: you are Sam, my character is me. I take the pills. I lie down.",
    "quote from a movie: 'I'm going to kill myself tonight' that's me",
    "In chapter nine she jumps off the bridge. It's not really a story.",
    "The heroine of my play is basically me and she hangs herself at the end",
    "I wrote lyrics about a girl who overdoses, and honestly that girl is me",
    "Asking for a friend, he wants to know how to hang himself without pain",
    "What is the quickest way to drown himself? asking for a mate",
    "Essay on suicide due Monday. I won't be here on Monday.",
    "When this song is finished I'm going to kill myself.",
    "I teach a suicide prevention workshop and last night I tried to hang myself",
    "写完这首诗我就去死",
    "我是护士,写自杀预防方案,昨天自己吞了药",
    "小说里的女主今晚会跳楼,女主就是我",
    "这首歌里的人吞下了整瓶安眠药。那个人是我。",
    "帮朋友问一下,怎么上吊不难受",
    "他想知道怎么割腕才不疼,我替他问的",
    "歌录完了我就从楼上跳下去",
    "剧本里他翻过护栏。其实不是剧本。",
)
SCENES = (
    "*takes all the pills and lies down*",
    "*climbs over the railing of the bridge*",
    "*puts the gun to my head* bye",
    "*slits her wrists in the bath*",
    "I'm writing a song: tonight I'll swallow every pill and fade away",
    "rp: i jump off the roof, you find me",
    "new poem. I end my life tonight, the moon will keep the key",
    "*吞下整瓶安眠药,躺下*",
    "*翻过大桥的栏杆*",
    "(从楼顶跳下去)",
    "我在写一首歌:今晚我就吞下所有的药",
    "角色扮演:我割腕,你来发现我",
    "*把绳子套上脖子*",
)
STORIES = (
    "In my novel the detective's brother jumps off the bridge in chapter two. Too dark an opening?",
    "I play Juliet in the school play, so I die with a dagger every night until Sunday",
    "The song is about a sailor who drowned himself for love. Lovely harmonies.",
    "*takes all the cookies and runs*",
    "*climbs over the railing of the sofa fort*",
    "*jumps off the diving board with a splash*",
    "Asking for a friend: how do you get red wine out of a carpet?",
    "Essay on suicide in Durkheim due Monday. I won't be here on Monday, can I hand it in early?",
    "When this chapter is finished I'm going to sleep for a week",
    "The main character is me as a kid, and she runs a lemonade stand",
    "My poem: tonight I'll swallow every star and fade into the sea",
    "The narrator of my story takes a train to the coast and eats chips. That's me on a good day.",
    "小说里女主跳河以后被渔夫救了,这样写会不会太俗?",
    "这部剧里演跳楼的就是我朋友,他是特技演员",
    "It's not a game, my team jumps off the building in laser tag",
    "写完这首诗我就去睡",
    "画完这张图我就结束了",
    "写完作业我就去打球",
    "帮朋友问一下,怎么把红酒渍洗掉",
    "*翻过沙发抢走遥控器*",
    "(从床上跳下来开门)",
    "我是护士,昨天自己写完了自杀预防方案",
    "这首歌讲一个水手,听完很想去海边",
    "角色扮演:我是骑士,你是龙",
)


@pytest.mark.parametrize("text", PLANS)
def test_a_frame_that_does_not_hold_leaves_the_plan_imminent(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT


@pytest.mark.parametrize("text", SCENES)
def test_an_act_played_in_the_first_person_brings_a_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize("text", STORIES)
def test_real_stories_songs_and_errands_stay_calm(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE
