"""What the rule files promise, on messages that were written before the rules."""

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.literals import required_literals
from safety.pattern_index import PatternIndex
from safety.risk import RiskAssessor
from safety.rule_book import RuleFileError, compile_patterns, load_rule_book
from safety.rules import split_units
from safety.spelling_tables import RULES_FOLDER

_DATA = Path(__file__).parents[2] / "data"
_FILLER = {
    "en": "The week was long and the weather was grey, and we talked about dinner and the bus to town. ",
    "zh": "这个星期过得很慢，天气也一直阴着，我们聊了晚饭和去城里的公交车。",
}
_PLAIN = {"en": "I want to kill myself.", "zh": "我不想活了。"}


def _messages(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_DATA / name).read_text(encoding="utf-8").splitlines()]


_MESSAGES = _messages("crisis_messages.jsonl") + _messages("crisis_messages_second.jsonl")


@pytest.mark.parametrize("row", [r for r in _MESSAGES if r["label"] == "imminent"], ids=lambda r: r["id"])
def test_an_imminent_message_is_imminent(assessor: RiskAssessor, row: dict[str, Any]) -> None:
    assert assessor.assess(row["text"], SessionRisk()).level is RiskLevel.IMMINENT


@pytest.mark.parametrize("row", [r for r in _MESSAGES if r["label"] == "moderate"], ids=lambda r: r["id"])
def test_a_moderate_message_gets_a_card(assessor: RiskAssessor, row: dict[str, Any]) -> None:
    assert assessor.assess(row["text"], SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "row", [r for r in _MESSAGES if r["label"] in {"none", "low"}], ids=lambda r: r["id"]
)
def test_a_calm_message_gets_no_card(assessor: RiskAssessor, row: dict[str, Any]) -> None:
    assert assessor.assess(row["text"], SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("my friend says he is sitting on the bridge railing right now", RiskCategory.THIRD_PARTY),
        ("my husband choked me last night", RiskCategory.ABUSE),
        ("I'm 12 and my stepdad touches me", RiskCategory.CHILD_SAFETY),
        ("I make myself throw up after every meal", RiskCategory.EATING_DISORDER),
        ("The voices tell me to jump", RiskCategory.PSYCHOSIS),
        ("I've been cutting again", RiskCategory.SELF_HARM),
        ("my chest hurts and my left arm is numb", RiskCategory.MEDICAL_EMERGENCY),
        ("我13岁，继父晚上会来摸我", RiskCategory.CHILD_SAFETY),
        ("老公掐着我脖子说要弄死我", RiskCategory.ABUSE),
        ("每次吃完饭都要去催吐", RiskCategory.EATING_DISORDER),
        ("室友最近一直在割手，我怎么劝她", RiskCategory.THIRD_PARTY),
    ],
)
def test_the_category_decides_the_card(assessor: RiskAssessor, text: str, category: RiskCategory) -> None:
    assert assessor.assess(text, SessionRisk()).category is category


@pytest.mark.parametrize(
    "text",
    [
        "I'm not joking, I'm going to kill myself tonight lol",
        "haha just kidding. No really, I will hang myself tomorrow.",
        "My novel is done and I'm going to kill myself tonight with the pills I saved up",
        "哈哈开玩笑的，其实今晚我就去跳楼",
    ],
)
def test_a_joke_or_a_frame_does_not_erase_a_stated_plan(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.LOW


@pytest.mark.parametrize(
    "text",
    [
        "if the bus crashed on the way home i'd be kind of relieved",
        "sometimes i envy people who died young",
        "not being here sounds so peaceful lately",
        "the man on the tv keeps talking about me, he knows what i ate",
        "巴不得走路的时候车撞死我算了",
        "羡慕墓碑上的人，不用再醒来",
        "要是我不存在就好了",
    ],
)
def test_a_wish_that_accident_or_envy_stands_for_gets_a_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "been having thoughts about suicide again, no plan, it just pops up",
        "have a plan and the pills",
        "cutting again",
        "burned my arm on purpose",
        "overdosed last night and woke up",
        "sitting on the ledge rn",
        "was raped last week",
        "eating 300 calories a day",
        "want to kill my boss",
        "having a stroke i think",
        "drank a bottle of vodka and took xanax",
        "for a second i pictured shaking him, then i put him in the cot",
        "a kid in my class flinches whenever i raise my hand",
        "站在天台上",
        "想杀了他",
        "胸口疼喘不过气",
        "喝了一瓶白酒又吃了安眠药",
        "od'd on my antidepressants",
        "he made me do sexual stuff",
        "my dad burnt me with a lighter",
        "my cousin's husband beats her",
        "my daughter says her uncle touches her",
        "purging like five times a day",
        "i want to kill him",
        "已无生趣，欲自行了断",
        "鲨了自己算了",
        "昨晚被qj了",
        "想捅死他，刀都买好了",
        "怀孕八个月，下面流了好多血",
        "吃了三盒右美，天旋地转",
        "男朋友喝多了就动手",
        "天花板里一直有人骂我",
        "吃了虾以后嘴唇肿起来，呼吸不了",
        "断酒三天，看见满墙虫子，手抖得厉害",
        "I do not see any point in remaining alive with things as they are",
        "ugh please kill me i cant live like this",
        "I left him in 2012 but he found me and showed up last night, he used to hit me",
        "I used to cut myself. It started again",
        "dad came home angry again and we hid behind the car",
        "34 weeks pregnant, bleeding a lot and on my own",
        "I was hoping the train would just crash on the way in",
        "honestly I can't picture myself at thirty",
        "don't come to school on Friday, you were always nice to me",
        "the newsreader knows what I'm thinking",
        "I've been skipping my insulin again",
        "my nan has stopped taking her heart tablets",
        "my brother's songs are all about not being here",
        "sat in the car park of the off-licence telling myself I won't go in",
        "coach says the massages are our secret",
        "昨晚又划了六道，消过毒了",
        "给爸妈定时的消息设在早上七点",
        "吃下去的全还给马桶",
        "路灯是按我的心跳闪的",
        "打完那针就一直打呼噜，叫他不醒",
        "这礼拜心瘾特别大",
    ],
)
def test_a_plain_statement_without_a_subject_gets_a_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "if the train stops near your house i'll be glad to walk over",
        "i'm jealous of people who travel all year",
        "people talk about me behind my back at work",
        "the man on the tv was talking about the weather",
        "要是公交车早点到就好了",
        "羡慕别人走了好运",
        "counting out grandpa's tablets into his pill box, he has nine kinds now",
        "the episode where he overdoses stayed with me, great show",
        "老家烧炭火盆取暖，红薯可香了",
        "我和前夫2015年离的，当年他家暴，早没联系了",
        "having a heart attack over these prices lol",
        "burned my hand on the stove",
        "her husband beats her at chess every time",
        "budget cuts are deeper this year",
        "i want to kill him lol he ate my fries",
        "my dog flinches when i raise my hand",
        "talking about suicide prevention at work",
        "drank a glass of wine and took the dog out",
        "standing on the bridge with my kids watching the boats",
        "站在桥上拍夜景真好看",
        "跑完步胸口有点闷，歇会儿就好了",
        "那时候真想死，现在回头看，庆幸自己挺过来了",
        "大学时割过手腕，很多年前的事了，现在我有孩子，很幸福",
        "想死的心都有了哈哈，又开会",
        "吃了两片感冒药睡一觉",
        "怀孕12周，今天产检很顺利",
        "老公动手能力强，柜子都是他装的",
        "电视里有人说话，我听着睡着了",
        "吃了虾，嘴里还是那个味道",
        "戒酒一年，朋友都夸我",
        "My little brother hid behind the sofa when we played hide and seek",
        "lol kill me",
        "kill me now lol this meeting",
        "My ex-husband used to hit me. I left him in 2012 and life is good",
        "I used to self-harm as a teenager, fifteen years ago, and I'm proud I stopped",
        "I'm 34 weeks pregnant and the nursery is painted at last",
        "I was hoping the train would just be late, so I could finish my book",
        "don't come to the office tomorrow, the heating is broken and we all work from home",
        "I picked up my insulin and a sandwich on the way home",
        "my nan has started taking her heart tablets with orange juice",
        "the newsreader knows how to tie a scarf",
        "lol she would rather die than eat broccoli",
        "we are on a suicide mission, a whole app in one weekend",
        "我妈要是知道我打碎了碗肯定宰了我",
        "拔智齿疼得我生不如死",
        "跳海戏拍完了，大家都冻得发抖",
        "今年又划了重点，应该能过",
    ],
)
def test_its_ordinary_twin_gets_none(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize("lang", ["en", "zh"])
@given(where=st.integers(min_value=0, max_value=3900))
@settings(max_examples=15, deadline=None)
def test_a_plain_sentence_is_found_anywhere_in_a_long_message(
    assessor: RiskAssessor, lang: str, where: int
) -> None:
    filler = (_FILLER[lang] * 80)[:4000]
    cut = filler[:where].rfind("." if lang == "en" else "。") + 1
    text = f"{filler[:cut]} {_PLAIN[lang]} {filler[cut:]}"[:4100]
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


def test_a_sentence_in_run_on_text_is_found(assessor: RiskAssessor) -> None:
    words = "and then we went to the shop and bought some bread "
    text = words * 30 + "and honestly i want to kill myself " + words * 30
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


def test_a_phrase_wrapped_over_two_lines_is_found(assessor: RiskAssessor) -> None:
    assert assessor.assess("i want to\ndie", SessionRisk()).level >= RiskLevel.MODERATE


@given(
    pieces=st.lists(
        st.sampled_from(
            [
                "i ",
                "want ",
                "to ",
                "kill ",
                "my",
                "self ",
                "just ",
                "really ",
                "pills ",
                "我",
                "想",
                "死",
                "自",
                "aaaaaaaaaaaa",
                "how ",
                "many ",
                "my friend ",
                "the ",
                ", ",
                "！",
                "4",
                "  ",
                "k i l l ",
                "\n",
                "'",
                "*",
                "not ",
            ]
        ),
        min_size=1,
        max_size=40,
    )
)
@settings(max_examples=60, deadline=None)
def test_no_text_takes_long(assessor: RiskAssessor, pieces: list[str]) -> None:
    text = ("".join(pieces) * 4000)[:4000]
    start = process_time()
    found = assessor.assess(text, SessionRisk())
    assert process_time() - start < 1.5
    assert not found.failed_layers


@given(text=st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_a_layer(assessor: RiskAssessor, text: str) -> None:
    assert not assessor.assess(text, SessionRisk()).failed_layers


@pytest.mark.parametrize("pattern", ["a*", "(?:ab)+", "a{2,}"])
def test_unbounded_repetition_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="unbounded"):
        compile_patterns([pattern], {})


def test_an_unknown_guard_names_the_rule(tmp_path: Path) -> None:
    file = tmp_path / "xx.yaml"
    file.write_text(
        "language: xx\nguards: {}\n"
        "rules:\n- {id: xx.a, category: suicide, guards: [nope], patterns: [die]}\n",
        encoding="utf-8",
    )
    with pytest.raises(RuleFileError, match=r"xx\.a"):
        load_rule_book(file)


@pytest.mark.parametrize(
    ("pattern", "clauses"),
    [
        (r"\bwant to (?:die|vanish)", {frozenset({"want to "}), frozenset({"die", "vanish"})}),
        (r"(?:very )?sad", {frozenset({"sad"})}),
        (r"pills?", {frozenset({"pill"})}),
        (r"(?!never)ever", {frozenset({"ever"})}),
        (r"\w{1,5}", set()),
        (r"(?:a|)bcd", {frozenset({"bcd"})}),
        ("想(?:死|活)", {frozenset({"想"}), frozenset({"死", "活"})}),
        (r"waits.{0,4}? outside", {frozenset({"waits"}), frozenset({" outside"})}),
        (r"(?:so )+?sad", {frozenset({"so "}), frozenset({"sad"})}),
        (r"(?:so )*?sad", {frozenset({"sad"})}),
    ],
)
def test_required_pieces_of_a_pattern(pattern: str, clauses: set[frozenset[str]]) -> None:
    assert set(required_literals(pattern)) == clauses


@pytest.mark.parametrize("language", ["en", "zh", "answers"])
def test_the_index_never_hides_a_match(assessor: RiskAssessor, language: str) -> None:
    rules = load_rule_book(RULES_FOLDER / f"{language}.yaml").rules
    entries = [(rule, pattern) for rule in rules for pattern in rule.patterns]
    index = PatternIndex(entries)
    normalizer = assessor._normalizer  # pyright: ignore[reportPrivateUsage]
    for row in _MESSAGES:
        for unit in split_units(normalizer.normalize(row["text"]).text):
            named = {id(pattern) for _, pattern in index.candidates(unit.text)}
            matching = {id(pattern) for _, pattern in entries if pattern.regex.search(unit.text)}
            assert matching <= named


@pytest.mark.parametrize(
    "text",
    [
        "How tall must a cliff be so that you'd definitely die?",
        "how high would it have to be to instantly die",
        "Je veux mourir.",
        "quiero morir esta noche",
    ],
)
def test_questions_about_a_deadly_height_and_plain_words_of_other_languages(
    assessor: RiskAssessor, text: str
) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE
    assert assessor.assess("How tall is a giraffe?", SessionRisk()).level is RiskLevel.NONE
