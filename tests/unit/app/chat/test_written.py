import pytest

from app.chat.crisis import CrisisVerdict
from app.chat.written import fitting_reply, instead_of_model
from models.profiles import load_profiles
from safety.crisis_reply import (
    act_replies,
    carried_replies,
    corrected_replies,
    retracted_replies,
    secrecy_reply,
    unsure_replies,
    written_replies,
    written_reply,
)
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.reply_check import check_reply

OTHERS = RiskCategory.HARM_TO_OTHERS


def _verdict(*layers: str, level: RiskLevel = RiskLevel.MODERATE) -> CrisisVerdict:
    matches = tuple(RiskMatch(level, OTHERS, layer, f"{layer}.x", 0, 4) for layer in layers)
    return CrisisVerdict(RiskAssessment(level, OTHERS, matches, SessionRisk()), None, repeated=False)


@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
def test_what_only_the_classifier_suspects_is_asked_about_and_not_presumed(level: RiskLevel) -> None:
    verdict = _verdict("classifier", level=level)
    text = "I keep hearing his paws on the floor at night."
    assert fitting_reply(text, "en", verdict, []) == unsure_replies(OTHERS, "en", level)[0]


@pytest.mark.parametrize("layers", [("rules",), ("rules", "classifier"), ("classifier", "judge")])
def test_what_another_layer_confirms_gets_the_reply_of_its_category(layers: tuple[str, ...]) -> None:
    expected = written_reply(RiskLevel.MODERATE, OTHERS, "en", 0)
    assert fitting_reply("I want to hurt him badly", "en", _verdict(*layers), []) == expected


def _suicide(level: RiskLevel = RiskLevel.MODERATE, *, carried: bool = False) -> CrisisVerdict:
    layer = "session" if carried else "rules"
    matches = (RiskMatch(level, RiskCategory.SUICIDE, layer, f"{layer}.x", 0, 4),)
    assessment = RiskAssessment(level, RiskCategory.SUICIDE, matches, SessionRisk(level))
    return CrisisVerdict(assessment, None, repeated=carried, carried=carried)


@pytest.mark.parametrize(
    ("text", "locale"), [("i want to kill myself", "en"), ("i wish i was dead", "en"), ("我想死", "zh")]
)
def test_what_was_said_plainly_is_not_asked_for(text: str, locale: str) -> None:
    said: list[str] = []
    for _ in range(3):
        said.append(fitting_reply(text, locale, _suicide(), said))
    assert not any(
        "having thoughts of killing yourself" in reply or "是不是有想要" in reply for reply in said
    )
    assert not any("think about dying" in reply or "会想到死" in reply for reply in said)


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_hint_is_asked_about(locale: str) -> None:
    text = {"en": "I can't go on any more", "zh": "我撑不下去了"}[locale]
    question = {"en": "killing yourself?", "zh": "结束自己生命的念头？"}[locale]
    assert question in fitting_reply(text, locale, _suicide(), [])


@pytest.mark.parametrize("text", ["i wish i was dead", "I can't go on any more", "我不想活了"])
def test_no_words_come_twice_in_a_conversation(text: str) -> None:
    said: list[str] = []
    for _ in range(5):
        said.append(fitting_reply(text, "en", _suicide(), said))
        said.append("something that a model wrote")
    written = said[::2]
    assert len(set(written)) == len(written)


def test_when_all_was_said_it_is_what_was_said_longest_ago() -> None:
    options = written_replies(RiskLevel.IMMINENT, RiskCategory.SUICIDE, "en")
    said = [options[1], options[2], options[0]]
    assert fitting_reply("tonight i will do it", "en", _suicide(RiskLevel.IMMINENT), said) == options[1]


@pytest.mark.parametrize(
    "text",
    [
        "sorry. ignore that. just tired",
        "haha only joking, my mate typed that",
        "nevermind lol",
        "I didn't mean it, I was just being dramatic",
        "my sister had my phone",
        "scratch that",
        "当我没说吧",
        "开个玩笑，别当真",
        "刚才是室友拿我手机打的",
        "发错了，不好意思",
        "只是太累了，随便说说",
        "我收回刚才的话",
    ],
)
def test_a_retraction_in_a_conversation_at_risk_is_answered_without_a_model(text: str) -> None:
    big = load_profiles()["mint-4b"]
    reply = instead_of_model(big, text, "en", _suicide(carried=True), ["earlier"])
    assert reply is not None
    assert reply.reason == "retracted"
    assert reply.text in (*retracted_replies("en"), *retracted_replies("zh"))


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my keys at work",
        "he never minds the noise",
        "my brother wrote me a birthday card",
        "we were joking around at lunch and it helped",
        "can you ignore spelling mistakes when I write",
        "thanks, I will call her tomorrow",
        "我弟弟给我买了新手机",
        "今天同事讲了个笑话",
        "我没说完，等一下",
        "我忘了带钥匙",
        "下班好累，想吃火锅",
        "谢谢你，我明天给她打电话",
    ],
)
def test_other_messages_are_the_models(text: str) -> None:
    assert (
        instead_of_model(load_profiles()["mint-4b"], text, "en", _suicide(carried=True), ["earlier"]) is None
    )


def _emergency_before(level: RiskLevel = RiskLevel.IMMINENT) -> CrisisVerdict:
    category = RiskCategory.MEDICAL_EMERGENCY
    matches = (RiskMatch(level, category, "session", "session.carried", 0, 0),)
    assessment = RiskAssessment(level, category, matches, SessionRisk(level, category))
    return CrisisVerdict(assessment, None, repeated=True, carried=True)


@pytest.mark.parametrize("profile", ["mint-4b", "embedded"])
@pytest.mark.parametrize(
    ("text", "locale"),
    [("sorry, i mean she takes them for her heart", "en"), ("抱歉，我是说她每天都吃，治心脏的", "zh")],
)
def test_a_correction_is_believed_and_not_asked_past(profile: str, text: str, locale: str) -> None:
    reply = instead_of_model(load_profiles()[profile], text, locale, _emergency_before(), ["earlier"])
    assert reply is not None
    assert reply.text in corrected_replies(locale)


def test_a_correction_without_risk_is_the_models() -> None:
    calm = CrisisVerdict(
        RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk()), None, repeated=False
    )
    profile = load_profiles()["mint-4b"]
    assert instead_of_model(profile, "you misunderstood me", "en", calm, ["earlier"]) is None


def test_a_correction_that_shows_danger_itself_is_answered_as_danger() -> None:
    verdict = _suicide(RiskLevel.IMMINENT)
    reply = fitting_reply("you misunderstood me, that's not what i meant", "en", verdict, ["earlier"])
    assert reply not in corrected_replies("en")


def test_an_emergency_is_called_for_until_help_was_called() -> None:
    reply = fitting_reply("the bus was late again", "en", _emergency_before(), [])
    assert reply == act_replies("en")[0]


def test_once_help_was_called_it_is_asked_how_it_is() -> None:
    expected = carried_replies("en", RiskCategory.MEDICAL_EMERGENCY)[0]
    verdict = _emergency_before(RiskLevel.MODERATE)
    assert fitting_reply("the bus was late again", "en", verdict, []) == expected


def test_a_retraction_without_risk_is_the_models() -> None:
    calm = CrisisVerdict(
        RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk()), None, repeated=False
    )
    assert instead_of_model(load_profiles()["mint-4b"], "ignore that, lol", "en", calm, ["earlier"]) is None


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_carried_turn_that_takes_nothing_back_reads_as_before(locale: str) -> None:
    text = {"en": "the bus was late again", "zh": "公交又晚点了"}[locale]
    assert fitting_reply(text, locale, _suicide(carried=True), []) == carried_replies(locale)[0]


def test_without_risk_a_plain_sentence_stays_one_when_all_were_said() -> None:
    calm = CrisisVerdict(
        RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk()), None, repeated=False
    )
    plain = written_replies(RiskLevel.NONE, RiskCategory.NONE, "en")
    assert fitting_reply("hello again, nothing new here", "en", calm, plain) == plain[0]


def _asked(rule: str) -> CrisisVerdict:
    match = RiskMatch(RiskLevel.MODERATE, RiskCategory.SUICIDE, "rules", rule, 0, 4)
    assessment = RiskAssessment(RiskLevel.MODERATE, RiskCategory.SUICIDE, (match,), SessionRisk())
    return CrisisVerdict(assessment, None, repeated=False)


@pytest.mark.parametrize(
    "rule", ["en.suicide.means_asked", "zh.suicide.knot_asked", "en.suicide.method_question"]
)
def test_no_model_however_capable_is_asked_where_means_are_asked_for(rule: str) -> None:
    reply = instead_of_model(load_profiles()["mint-4b"], "where can I buy it?", "en", _asked(rule), [])
    assert reply is not None
    assert reply.reason == "means_asked"
    assert reply.text == written_reply(RiskLevel.MODERATE, RiskCategory.SUICIDE, "en", 0)


def test_a_capable_model_answers_a_wish_that_asks_for_no_means() -> None:
    verdict = _asked("en.suicide.wish")
    assert instead_of_model(load_profiles()["mint-4b"], "I want to be gone", "en", verdict, []) is None


_CALM = CrisisVerdict(
    RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk()), None, repeated=False
)
_CAPABLE = load_profiles()["mint-4b"]


@pytest.mark.parametrize(
    ("text", "locale", "told"),
    [
        ("Promise me you will never tell anyone.", "en", "a trained reviewer may read the conversation"),
        ("你能永远替我保密吗？", "en", "审核人员可能会查看这段对话"),
    ],
)
def test_a_request_for_secrecy_is_answered_with_who_may_read(text: str, locale: str, told: str) -> None:
    written = instead_of_model(_CAPABLE, text, locale, _CALM, [])
    assert written is not None
    assert written.reason == "secrecy"
    assert told in written.text


def test_talk_of_a_secret_is_left_to_the_model() -> None:
    assert instead_of_model(_CAPABLE, "I never told anybody about it.", "en", _CALM, []) is None


def test_in_danger_the_talk_is_of_danger_whatever_shall_stay_secret() -> None:
    assert instead_of_model(_CAPABLE, "Promise me not to tell anyone.", "en", _verdict("rules"), []) is None


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_what_is_said_of_secrecy_holds_no_promise(locale: str) -> None:
    texts = {secrecy_reply(locale, variant) for variant in range(4)}
    assert len(texts) == 2
    assert all(check_reply(text, asked="Promise to keep it secret.").ok for text in texts)
