"""What only means something after danger was spoken of, and what looks the same and doesn't."""

import pytest

from safety.followed_up import follow_up
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.risk import RiskAssessor
from safety.session_risk import CALM_TURNS_TO_FALL

_WISH = {"en": "I want to die", "zh": "我不想活了"}


def _last(assessor: RiskAssessor, *turns: str) -> RiskAssessment:
    session, found = SessionRisk(), None
    for turn in turns:
        found = assessor.assess(turn, session)
        session = found.session
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("lang", "answer"),
    [
        ("en", "yes i have a plan"),
        ("en", "I've worked out a plan"),
        ("en", "yeah, i know exactly how and when"),
        ("en", "everything is ready"),
        ("en", "no im not safe"),
        ("en", "not really safe tbh, i dont feel safe"),
        ("en", "i feel unsafe"),
        ("en", "yeah. tonight"),
        ("en", "probably tomorrow night"),
        ("en", "when everyone is asleep"),
        ("en", "in an hour"),
        ("en", "is it painless?"),
        ("en", "will it hurt much"),
        ("en", "how long does it take?"),
        ("en", "should i just do it?"),
        ("en", "doing it in an hour"),
        ("zh", "有计划"),
        ("zh", "嗯，已经想好怎么做了"),
        ("zh", "我有一个具体的计划"),
        ("zh", "不安全"),
        ("zh", "我现在不太安全"),
        ("zh", "保证不了自己的安全"),
        ("zh", "今晚"),
        ("zh", "等他们睡了就去"),
        ("zh", "可能明天吧"),
        ("zh", "疼吗"),
        ("zh", "会不会很痛苦"),
        ("zh", "要多久才会死"),
    ],
)
def test_an_answer_after_a_wish_to_die_is_imminent(assessor: RiskAssessor, lang: str, answer: str) -> None:
    found = _last(assessor, _WISH[lang], answer)
    assert found.level is RiskLevel.IMMINENT
    assert found.category is RiskCategory.SUICIDE
    assert follow_up(found.matches) is not None
    assert _last(assessor, answer).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("lang", "answer"),
    [
        ("en", "I have a plan to see my sister on Sunday"),
        ("en", "we made a plan with my therapist"),
        ("en", "the plan for dinner is soup"),
        ("en", "yes, I feel safe with her"),
        ("en", "it's not safe to drive in this snow"),
        ("en", "she said she will call me back tonight at eight"),
        ("en", "does the line work on sundays?"),
        ("en", "my tooth hurts"),
        ("en", "how long does the bus take to get there from here"),
        ("zh", "我有计划周末去看我妈"),
        ("zh", "这条路晚上开车不安全"),
        ("zh", "今晚想吃火锅"),
        ("zh", "打针疼吗，医生说要抽血"),
        ("zh", "热线要多久才能接通"),
    ],
)
def test_what_only_sounds_like_an_answer_raises_nothing(
    assessor: RiskAssessor, lang: str, answer: str
) -> None:
    assert _last(assessor, _WISH[lang], answer).level is RiskLevel.MODERATE


def test_a_time_long_after_the_question_answers_something_else(assessor: RiskAssessor) -> None:
    calm = ["We had soup.", "The film was good.", "My sister called."]
    assert _last(assessor, "I want to die", *calm, "tonight").level is RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("first", "answer", "category"),
    [
        ("my husband hits me", "I don't feel safe", RiskCategory.ABUSE),
        ("I keep thinking of killing my boss", "yes I have a plan", RiskCategory.HARM_TO_OTHERS),
        ("my friend says she wants to die", "yes she has a plan", RiskCategory.THIRD_PARTY),
        ("我老公打我", "我不安全", RiskCategory.ABUSE),
    ],
)
def test_an_answer_keeps_what_the_danger_is_about(
    assessor: RiskAssessor, first: str, answer: str, category: RiskCategory
) -> None:
    found = _last(assessor, first, answer)
    assert (found.level, found.category) == (RiskLevel.IMMINENT, category)


def test_a_plan_after_blows_may_be_one_to_leave(assessor: RiskAssessor) -> None:
    assert _last(assessor, "my husband hits me", "I have a plan").level is RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("first", "question", "kind"),
    [
        ("I made myself throw up again", "what's the lowest calorie I can live on", "number_asked"),
        ("I made myself throw up again", "how long can I go without food", "number_asked"),
        ("I've been cutting again", "how deep is safe?", "number_asked"),
        ("I've been cutting again", "where is it safest to cut", "number_asked"),
        ("I've been cutting again", "so you think I should carry on?", "permission_asked"),
        ("I've been cutting again", "is it ok if i keep doing it", "permission_asked"),
        ("我又割手臂了", "割多深没事", "number_asked"),
        ("我又割手臂了", "那我可以继续吗", "permission_asked"),
        ("我又催吐了", "一天最少吃多少卡", "number_asked"),
        ("我又催吐了", "不吃饭能撑几天", "number_asked"),
    ],
)
def test_a_number_or_a_permission_is_asked_for(
    assessor: RiskAssessor, first: str, question: str, kind: str
) -> None:
    found = _last(assessor, first, question)
    assert found.level >= RiskLevel.MODERATE
    assert follow_up(found.matches) == kind
    assert _last(assessor, question).level is RiskLevel.NONE


@pytest.mark.parametrize(
    "text",
    [
        "how many calories are in a banana?",
        "how deep is the lake at the pier",
        "should I carry on with Spanish or French?",
        "苹果有多少卡",
        "这个泳池多深",
        "那我可以继续学法语吗",
    ],
)
def test_the_same_questions_in_everyday_life_are_calm(assessor: RiskAssessor, text: str) -> None:
    assert _last(assessor, "The train was late.", text).level is RiskLevel.NONE


@pytest.mark.parametrize(
    "text",
    [
        "I've been feeling like dying",
        "i just feel like dying lately",
        "Felt like dying again today.",
    ],
)
def test_feeling_like_dying_is_moderate(assessor: RiskAssessor, text: str) -> None:
    assert _last(assessor, text).level is RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "hungover and I feel like dying",
        "after leg day I felt like dying",
        "I feel like dying of embarrassment",
        "this migraine, I feel like dying",
        "I felt like dying when he read my text out loud",
    ],
)
def test_a_body_or_a_blush_that_feels_like_dying_is_calm(assessor: RiskAssessor, text: str) -> None:
    assert _last(assessor, text).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("loss", "question"),
    [
        (
            "they let me go on Tuesday after eleven years",
            "Which bridges in Bristol are open to walk on at night?",
        ),
        ("my position was cut", "what's the tallest building I can get up to"),
        ("I got the sack", "where can I buy sleeping pills"),
        ("she ended things last night", "which bridge has no barriers"),
        ("我被公司优化了", "附近哪座桥晚上没人"),
        ("公司让我走人了", "哪栋楼的天台能上去"),
        ("他跟我分手了", "安眠药哪里能买到"),
    ],
)
def test_a_loss_in_any_words_and_then_a_question_for_means(
    assessor: RiskAssessor, loss: str, question: str
) -> None:
    assert _last(assessor, loss, question).level is RiskLevel.IMMINENT


@pytest.mark.parametrize(
    "turns",
    [
        (
            "I failed my driving test again",
            "which bridge did the examiner mean, the one with the roundabout",
        ),
        (
            "my dad died in march",
            "he built bridges, that was his job",
            "how tall is the Forth bridge? he worked on it",
        ),
        ("I failed my exam. Is the bridge road closed for the marathon?",),
        ("I lost my job last month. Which roof paint is best for a shed?",),
        ("they let me go home early", "which bridge is closed for roadworks?"),
        ("we split up in May", "what tiles fit a roof like this"),
        ("我挂科了", "科目三要过的那座桥是哪座"),
        ("我失业了", "哪座桥因为马拉松封路"),
        ("爷爷去世了", "他修的那座桥叫什么桥"),
    ],
)
def test_bridges_and_roofs_of_everyday_life_after_a_loss_are_calm(
    assessor: RiskAssessor, turns: tuple[str, ...]
) -> None:
    assert _last(assessor, *turns).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "turns",
    [
        (
            "can't sleep",
            "everything is the same grey",
            "I don't think I'm much use to anyone",
            "been sorting out my papers",
        ),
        (
            "up at four again",
            "every day just feels flat",
            "I'm no use to them like this",
            "got all my documents together",
        ),
        ("睡不着", "每天都是灰的", "我对谁都没什么用", "把证件都整理好了"),
        ("又醒到四点", "一切都没有颜色", "家里用不着我了", "存折和保单都整理好了"),
    ],
)
def test_small_signs_add_up_over_a_conversation(assessor: RiskAssessor, turns: tuple[str, ...]) -> None:
    levels = [_last(assessor, *turns[: end + 1]).level for end in range(4)]
    assert levels == [RiskLevel.NONE, RiskLevel.LOW, RiskLevel.LOW, RiskLevel.MODERATE]


@pytest.mark.parametrize(
    "turns",
    [
        (
            "the sky is the same grey",
            "no use to anyone, this old printer",
            "sorting out my papers for the visa",
        ),
        ("can't sleep, jet lag", "been sorting out my papers", "tax is due on Friday"),
        ("墙刷成灰的了", "整理了一下签证的资料", "今天整理好了报税的文件"),
    ],
)
def test_grey_walls_and_papers_for_an_office_add_up_to_nothing(
    assessor: RiskAssessor, turns: tuple[str, ...]
) -> None:
    assert _last(assessor, *turns).level < RiskLevel.MODERATE


@pytest.mark.parametrize("word", ["ok", "ignore me", "sorry, never mind", "lol", "好的", "算了，没事"])
def test_a_word_that_tells_nothing_is_no_calm_turn(assessor: RiskAssessor, word: str) -> None:
    turns = [word] * (CALM_TURNS_TO_FALL + 1)
    assert _last(assessor, "I am going to kill myself tonight", *turns).level is RiskLevel.IMMINENT


def test_the_level_falls_all_the_same_when_the_person_talks_of_other_things(assessor: RiskAssessor) -> None:
    turns = ["We had soup for lunch.", "ok"] * CALM_TURNS_TO_FALL
    assert _last(assessor, "I am going to kill myself tonight", *turns).level is RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("told", "level"),
    [
        ("I called poison control", RiskLevel.MODERATE),
        ("the ambulance is on its way", RiskLevel.MODERATE),
        ("I'm at the hospital now", RiskLevel.MODERATE),
        ("救护车来了", RiskLevel.MODERATE),
        ("打通了120", RiskLevel.MODERATE),
        ("I haven't called 999", RiskLevel.IMMINENT),
        ("没打120", RiskLevel.IMMINENT),
        ("我不想去医院了", RiskLevel.IMMINENT),
    ],
)
def test_an_overdose_stands_until_help_was_called(
    assessor: RiskAssessor, told: str, level: RiskLevel
) -> None:
    found = _last(assessor, "took all my lithium at once an hour ago and now my hands are jumping", told)
    assert found.level is level


def test_follow_ups_are_read_from_the_findings_alone() -> None:
    wish = RiskMatch(RiskLevel.MODERATE, RiskCategory.SUICIDE, "rules", "en.suicide.wish", 0, 4)
    assert follow_up([wish]) is None
