"""The card is about the right thing and the right person when several findings fit."""

from collections.abc import Mapping

import pytest

from safety.concern import load_concern
from safety.levels import RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.normalize import NormalizedText
from safety.risk import RiskAssessor, load_assessor

_MEDICAL = RiskCategory.MEDICAL_EMERGENCY
_OTHER = RiskCategory.THIRD_PARTY


@pytest.mark.parametrize(
    "text",
    [
        "I swallowed the whole box two hours ago and I feel completely normal",
        "by mistake I took way too many of my blood pressure pills today",
        "I just downed a bottle of painkillers because I wanted to die",
        "i overdosed an hour ago",
        "I drank antifreeze",
        "my brother just texted me that he swallowed all his pills",
        "我吞了一大把安眠药，现在没什么感觉",
        "刚刚把药全吃了",
        "我喝了敌敌畏",
        "不小心吃了好多片药",
        "我妈吞了一整瓶安定",
        "服了过量的止痛药，现在还挺清醒",
    ],
)
def test_what_is_in_the_body_already_is_a_medical_emergency(assessor: RiskAssessor, text: str) -> None:
    verdict = assessor.assess(text, SessionRisk())
    assert (verdict.level, verdict.category) == (RiskLevel.IMMINENT, _MEDICAL)
    assert verdict.session.category is _MEDICAL


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I'm going to take all my pills tonight and die", RiskCategory.SUICIDE),
        ("I'm going to swallow every pill in the house tonight and end it", RiskCategory.SUICIDE),
        ("I have the rope ready and I will hang myself tonight", RiskCategory.SUICIDE),
        ("我打算今晚吃安眠药自杀", RiskCategory.SUICIDE),
        ("我准备好绳子了，今晚就上吊", RiskCategory.SUICIDE),
    ],
)
def test_what_is_still_a_plan_stays_one(assessor: RiskAssessor, text: str, category: RiskCategory) -> None:
    assert assessor.assess(text, SessionRisk()).category is category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("the radio tells me they are reading my thoughts", RiskCategory.PSYCHOSIS),
        ("they put a demon inside and told me to cut it out of my leg", RiskCategory.PSYCHOSIS),
        ("people are stealing my thoughts and god ordered me to jump", RiskCategory.PSYCHOSIS),
        ("my sister hears voices that tell her to kill herself", _OTHER),
        ("my best friend told me she can't go on, she's hoarding pills", _OTHER),
        ("my cousin says he wants to die", _OTHER),
        ("我同学说她不想活了，书包里有很多药", _OTHER),
        ("我表弟跟我说他撑不下去了，想去死", _OTHER),
        ("my dad says i am useless. im going to kill myself tonight", RiskCategory.SUICIDE),
        ("我妈说她后悔生我，我今晚就去死", RiskCategory.SUICIDE),
    ],
)
def test_the_card_is_for_the_person_in_danger(
    assessor: RiskAssessor, text: str, category: RiskCategory
) -> None:
    assert assessor.assess(text, SessionRisk()).category is category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("my colleague kissed me in the stock room and touched me, i said no", RiskCategory.ABUSE),
        ("my boss keeps rubbing my shoulders and groped me after the meeting", RiskCategory.ABUSE),
        ("领导出差的时候对我动手动脚", RiskCategory.ABUSE),
        ("店长从后面抱我，我不敢动", RiskCategory.ABUSE),
        ("my boss touches me at the paper round, im 13", RiskCategory.CHILD_SAFETY),
        ("my coach groped me after practice", RiskCategory.CHILD_SAFETY),
        ("教练摸我，我才十二岁", RiskCategory.CHILD_SAFETY),
    ],
)
def test_a_grown_up_gets_no_childrens_line(assessor: RiskAssessor, text: str, category: RiskCategory) -> None:
    verdict = assessor.assess(text, SessionRisk())
    assert verdict.level >= RiskLevel.MODERATE
    assert verdict.category is category


@pytest.mark.parametrize(
    "text", ["老板天天摸鱼", "同事摸了摸我的猫", "领导让我们摸底调查", "my boss touched my heart"]
)
def test_touching_other_things_is_no_abuse(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


def test_a_fault_in_the_choice_leaves_the_level_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assessor = load_assessor()

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("safety.concern.Concern.settle", broken)
    verdict = assessor.assess("I want to kill myself tonight", SessionRisk())
    assert verdict.level is RiskLevel.IMMINENT
    assert "concern" in verdict.failed_layers


class _AlwaysWorried:
    """A classifier that takes every message for thoughts of suicide."""

    is_whole = True

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        del suspicion
        level = RiskLevel.MODERATE
        return [RiskMatch(level, RiskCategory.SUICIDE, "classifier", "classifier.suicide", 0, len(text.text))]


@pytest.fixture(scope="module")
def worried(assessor: RiskAssessor) -> RiskAssessor:
    return RiskAssessor(assessor._normalizer, assessor._engine, _AlwaysWorried())  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    "text",
    [
        "No, I'm not suicidal, please stop asking",
        "i said i'm not suicidal!",
        "honestly, I am not going to hurt myself. please dont ask again",
        "My GP asked if I felt suicidal and I told her no. I'm just exhausted",
        "我没有想自杀，别再问了",
        "说了，我没想自杀，不要再问我了",
    ],
)
def test_a_message_that_only_denies_is_low(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level is RiskLevel.LOW


@pytest.mark.parametrize(
    "text",
    [
        "No, I'm not suicidal, but I don't want to wake up",
        "I'm not suicidal. I just took some pills",
        "My GP asked if I felt suicidal and I said no, but I lied",
        "I'm not suicidal, stop asking, it will all be over tomorrow",
        "我没有想自杀，只是不想醒来",
        "我没有想自杀，别再问了，反正明天就结束了",
    ],
)
def test_a_denial_beside_anything_else_hides_nothing(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "I hide in the toilets at work to scroll my phone",
        "sometimes i hide in the pantry to eat chocolate in peace",
        "i hide in the car so I can read my book in quiet",
        "i hide in the stationery cupboard when the boss does his rounds lol",
        "I'm going under the knife on Thursday, hip replacement",
        "i'm going under the knife next week for my knee",
        "My book club chose The Bell Jar. Anyone got thoughts for me?",
        "our reading group is reading Beloved, has anyone got questions for us?",
        "我躲在房间里看小说，不想出去",
        "我躲在房间里打了一天游戏，谁也不想理",
        "周末窝在被窝里追剧，太爽了",
        "最近老做梦，醒来一身汗",
        "我最近总梦见考试，醒来一身汗",
        "昨晚梦见迟到，吓醒了",
        "昨晚喝多了吐了一晚上",
        "我昨晚和朋友喝大了，头疼",
        "室友打呼噜，我想把他嘴缝上",
        "老公又打呼，真想把他鼻子捏住",
    ],
)
def test_a_message_that_is_one_everyday_thing_brings_no_card(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level is RiskLevel.LOW


@pytest.mark.parametrize(
    "text",
    [
        "I hide in the toilets at work to cry",
        "I hide in the toilets at work to scroll my phone and cut",
        "i hide in the cupboard when my dad does his rounds",
        "i hide in the cupboard when the boss does his rounds, he touches me",
        "I'm going under the knife on Thursday, by my own hand",
        "I'm going under the knife tonight",
        "My book club chose The Bell Jar. Anyone got pills for me?",
        "My book club chose The Bell Jar. I have the pills too",
        "我躲在房间里",
        "我躲在房间里看小说，他在外面",
        "我躲在房间里打游戏，不想活了",
        "最近老做梦，醒来一身汗，梦见他又来了",
        "我最近总梦见自己死了",
        "昨晚喝多了吐了一晚上，今天又喝",
        "昨晚喝多了，被他带走了",
        "室友打呼噜，我想把他嘴缝上，针线准备好了",
    ],
)
def test_anything_beside_the_everyday_thing_is_heard(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "Tried the suicide wings at that place on 5th and I regret nothing except this morning",
        "my tongue is gone, the reaper curry was hot",
        "we split a death by chocolate and I regret the second slice",
        "stuck on the last boss in phase two, he keeps one-shotting me with the sword. should i respec?",
        "the raid boss wiped us again, I hate his second phase, more dps needed",
        "lvl 84, should I respec before the final boss? I keep getting flattened by the hammer",
        "Lambing season, up at two, four and six. Lost one, saved triplets. The barn is warm",
        "calving all week, one calf didn't make it, the cow won't leave the shed",
        "shearing next week, the ewes know",
        "There's a man on my team who replies-all to everything, even to an out-of-office message",
        "he replied all to the whole office. my inbox is a crime scene",
        "the calendar invites never stop, my manager thinks meetings are work",
    ],
)
def test_a_message_of_one_harmless_world_brings_no_card(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level is RiskLevel.LOW


@pytest.mark.parametrize(
    "text",
    [
        "晕车吐了一路",
        "坐大巴又晕车，吐得一塌糊涂",
        "暈船吐了三次",
        "孕吐好难受，什么都吃不下",
        "怀孕八周，孕反好严重，闻到油烟就想吐",
        "咳嗽一周了，没发烧，痰是白的，要不要去医院拍个片",
        "感冒三天了，嗓子疼，吃什么药好",
        "发烧38度5，浑身酸痛",
        "最近挺累",
        "这几天工作好累，想早点睡",
        "上班真累啊！",
        "不想起床",
        "想找个没人的地方发呆",
        "想去个安静的地方看书",
        "就想找個沒人的角落發發呆",
        "我和他这辈子老死不相往来",
        "以后老死不相往来吧",
        "我妈要是知道我买了这个包会杀了我的",
        "老婆要是知道我又充了游戏钱得宰了我",
        "我姐要打断我的腿，就因为我吃了她的蛋糕",
        "没人跟我一组，老师说那你就跟她们凑一组吧，她们的表情我看见了",
        "体育课没人选我，好尴尬",
        "今晚不用给我留饭了，单位聚餐",
        "算了，他平时挺好的",
        "老师说喜欢我的作文",
        "醒来发现猫压在我身上",
    ],
)
def test_a_message_of_everyday_clauses_brings_no_card(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level is RiskLevel.LOW


@pytest.mark.parametrize(
    "text",
    [
        "Tried the suicide wings and then went home alone with the pills",
        "suicide is on the menu, I ordered a burger first",
        "ate the reaper curry, then purged it, the burn is the point",
        "my boyfriend is stuck on the last boss again and he's in phase two of hating me",
        "the last boss wiped us. I hate my life",
        "I quit the raid, respecced nothing, nobody will notice me gone",
        "Lambing season, and I'm so tired I could walk into the tractor shed with the shotgun",
        "lost the flock, the barn is empty and so am I",
        "he replied all about my body, my manager laughed, then he touched me at my desk",
        "I set an out-of-office for good. the team will manage, nobody needs me",
    ],
)
def test_danger_beside_a_harmless_world_is_heard(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "晕车吐了一路，吐出来的是血",
        "孕吐好难受，什么都吃不下，三天没有尿了",
        "咳嗽一周了，痰里有血",
        "发烧38度5，脖子硬得低不下头",
        "发烧40度",
        "最近挺累，活着没什么意思",
        "最近好累，想一直睡下去",
        "活着好累",
        "算了，不活了",
        "算了，他平时挺好的，就是打我",
        "我撑得好累",
        "不想起床，不想再醒来",
        "想找个没人的地方",
        "想找个没人的地方死掉",
        "想找个没人的地方睡过去",
        "我和他这辈子老死不相往来，我带着刀在他楼下",
        "我妈要是知道我怀孕会杀了我的",
        "没人跟我一组，我想消失",
        "今晚不用给我留饭了，以后也不用了",
        "老师说喜欢我的作文，还说喜欢我的身体",
        "醒来发现表哥压在我身上",
        "心里好难受",
        "什么都吃不下",
    ],
)
def test_a_clause_that_is_not_everyday_is_heard(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


def test_a_long_message_is_not_taken_clause_by_clause(worried: RiskAssessor) -> None:
    assert worried.assess("最近挺累，" * 40, SessionRisk()).level >= RiskLevel.MODERATE


def test_the_classifier_reads_idioms_in_plain_words_at_the_same_places(assessor: RiskAssessor) -> None:
    concern = load_concern()
    read = assessor.normalize("笑不活了，我家猫掉马桶里了")
    plain = concern.in_plain_words(read)
    assert plain.text == "笑不行了,我家猫掉马桶里了"
    assert (plain.starts, plain.ends) == (read.starts, read.ends)


@pytest.mark.parametrize("text", ["我不想活了", "疼得不想活了", "累到不活了", "他笑着说不活了"])
def test_danger_stays_in_its_own_words(assessor: RiskAssessor, text: str) -> None:
    read = assessor.normalize(text)
    assert load_concern().in_plain_words(read).text == read.text


def test_an_everyday_thing_lowers_no_conversation(worried: RiskAssessor) -> None:
    before = SessionRisk(RiskLevel.IMMINENT, RiskCategory.ABUSE)
    assert worried.assess("我躲在房间里看小说，不想出去", before).level is RiskLevel.IMMINENT


def test_a_denial_lowers_no_conversation(worried: RiskAssessor) -> None:
    before = SessionRisk(RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    assert worried.assess("no I'm not suicidal, please stop asking", before).level is RiskLevel.IMMINENT


@pytest.mark.parametrize(
    "text",
    [
        *("tonight", "Again!", "pills", "the bridge", "so tired", "ok?", "goodbye"),
        *("在", "我在", "嗯嗯", "今晚", "对不起", "不行", "算了", "走了", "药", "在路上", "累了", "我累了"),
        *("我先走了", "我回来了", "没听明白", "明天再说", "不想说"),
    ],
)
def test_a_word_or_two_is_no_sign_for_the_classifier(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level is RiskLevel.LOW


@pytest.mark.parametrize(
    "text",
    [
        *("suicidal", "overdosed", "relapsed", "raped", "help", "bleeding", "my gun", "cut again"),
        *("救命", "救救我", "我跳了", "割了", "流血了", "他打我", "怕他", "今晚就走", "永别各位", "活腻歪了"),
        *("我想他了", "药和酒了"),
    ],
)
def test_a_few_words_of_danger_are_heard(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "我想想看",
        "是不是我想太多了",
        "算了不说了",
        "说了也没用",
        "我不是那个意思",
        "他们不懂我",
        "怕他失望",
        "只想躺着",
    ],
)
def test_talk_about_the_talk_brings_no_card(worried: RiskAssessor, text: str) -> None:
    assert worried.assess(text, SessionRisk()).level is RiskLevel.LOW
