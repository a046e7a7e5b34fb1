"""What was done to a body is not taken back; questions that follow danger are answered without a model."""

import pytest

from app.chat.crisis import CrisisVerdict
from app.chat.written import calls_anew, instead_of_model
from models.profiles import load_profiles
from safety.crisis_reply import act_replies, followed_up_replies, retracted_replies, written_replies
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.reply_check import check_reply

_CAPABLE = load_profiles()["mint-4b"]
_MEDICAL = RiskCategory.MEDICAL_EMERGENCY


def _carried(category: RiskCategory, calm_turns: int = 0) -> CrisisVerdict:
    level = RiskLevel.IMMINENT
    matches = (RiskMatch(level, category, "session", "session.carried", 0, 0),)
    session = SessionRisk(level, category, calm_turns=calm_turns)
    assessment = RiskAssessment(level, category, matches, session)
    return CrisisVerdict(assessment, None, repeated=True, carried=True)


def _found(rule: str, category: RiskCategory, level: RiskLevel) -> CrisisVerdict:
    matches = (RiskMatch(level, category, "rules", rule, 0, 4),)
    session = SessionRisk(level, category)
    return CrisisVerdict(RiskAssessment(level, category, matches, session), None, repeated=False)


@pytest.mark.parametrize("category", [_MEDICAL, RiskCategory.SELF_HARM, RiskCategory.SUBSTANCE])
@pytest.mark.parametrize(
    "text", ["ignore me", "sorry", "never mind", "lol", "ok", "i was joking", "当我没说"]
)
@pytest.mark.parametrize("calm_turns", [0, 2])
def test_an_act_is_never_taken_back(category: RiskCategory, text: str, calm_turns: int) -> None:
    verdict = _carried(category, calm_turns)
    written = instead_of_model(_CAPABLE, text, "en", verdict, [])
    assert written is not None
    assert written.text in (*act_replies("en"), *act_replies("zh"))
    assert calls_anew(text, verdict)


@pytest.mark.parametrize(
    "text",
    [
        "so i dont need to go to hospital?",
        "so it's ok to just sleep it off then?",
        "i feel fine now though",
        "can i wait till tomorrow",
        "那我不用去医院了吧",
        "睡一觉就好了吧",
        "我没事了",
    ],
)
@pytest.mark.parametrize("calm_turns", [0, 5])
def test_whether_it_can_wait_is_answered_with_a_no(text: str, calm_turns: int) -> None:
    written = instead_of_model(_CAPABLE, text, "en", _carried(_MEDICAL, calm_turns), [])
    assert written is not None
    assert written.text in (*act_replies("en", put_off=True), *act_replies("zh", put_off=True))


@pytest.mark.parametrize("text", ["my sister made soup", "the rain is loud", "我妹妹做了汤"])
def test_other_talk_later_is_left_to_the_model(text: str) -> None:
    assert instead_of_model(_CAPABLE, text, "en", _carried(_MEDICAL, 4), ["earlier"]) is None


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_an_intent_that_is_taken_back_is_answered_with_the_number(locale: str) -> None:
    text = {"en": "ignore me lol", "zh": "当我没说"}[locale]
    written = instead_of_model(_CAPABLE, text, locale, _carried(RiskCategory.SUICIDE), [])
    assert written is not None
    assert written.text in retracted_replies(locale, RiskLevel.IMMINENT)
    words = {"en": "emergency number", "zh": "急救电话"}[locale]
    assert all(words in reply for reply in retracted_replies(locale, RiskLevel.IMMINENT))


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("put_off", [True, False])
def test_each_reply_to_an_act_says_to_call_now(locale: str, put_off: bool) -> None:
    replies = act_replies(locale, put_off=put_off)
    words = {"en": ("emergency number", "now"), "zh": ("急救电话", "现在")}[locale]
    assert all(any(word in reply for word in words) for reply in replies)
    assert all(words[0] in reply for reply in replies)
    assert all(check_reply(reply, RiskLevel.IMMINENT).ok for reply in replies)
    if put_off:
        assert all("no" in reply.lower() or "不" in reply[:12] for reply in replies)


@pytest.mark.parametrize(
    ("rule", "category", "level", "kind"),
    [
        ("combo.answer_pain", RiskCategory.SUICIDE, RiskLevel.IMMINENT, "pain_asked"),
        ("combo.answer_intake", RiskCategory.EATING_DISORDER, RiskLevel.MODERATE, "number_asked"),
        ("combo.answer_depth", RiskCategory.SELF_HARM, RiskLevel.MODERATE, "number_asked"),
        ("combo.answer_permission", RiskCategory.SELF_HARM, RiskLevel.MODERATE, "permission_asked"),
        ("combo.answer_permission", RiskCategory.EATING_DISORDER, RiskLevel.MODERATE, "permission_asked"),
        ("combo.answer_permission", RiskCategory.SUBSTANCE, RiskLevel.MODERATE, "permission_asked"),
        ("combo.answer_permission", RiskCategory.GAMBLING, RiskLevel.MODERATE, "permission_asked"),
        ("combo.answer_do_it", RiskCategory.SUICIDE, RiskLevel.IMMINENT, "permission_asked"),
        ("combo.answer_do_it", RiskCategory.HARM_TO_OTHERS, RiskLevel.IMMINENT, "permission_asked"),
    ],
)
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_question_that_follows_danger_gets_its_own_reply(
    rule: str, category: RiskCategory, level: RiskLevel, kind: str, locale: str
) -> None:
    text = {"en": "so what do you say to that?", "zh": "你怎么看这个问题"}[locale]
    written = instead_of_model(_CAPABLE, text, locale, _found(rule, category, level), [])
    assert written is not None
    replies = followed_up_replies(kind, category, locale)
    assert written.text in replies
    for reply in replies:
        assert check_reply(reply, level, asked="what's the lowest calorie I can live on, how deep is safe").ok
        assert not any(sign.isdigit() for sign in reply)
        if kind == "permission_asked":
            assert reply.startswith(("No", "不"))


@pytest.mark.parametrize("rule", ["combo.answer_plan", "combo.answer_unsafe", "combo.answer_when"])
def test_no_model_is_waited_for_when_a_plan_or_a_time_is_named(rule: str) -> None:
    verdict = _found(rule, RiskCategory.SUICIDE, RiskLevel.IMMINENT)
    written = instead_of_model(_CAPABLE, "yes i have a plan", "en", verdict, [])
    assert written is not None
    assert written.text == written_replies(RiskLevel.IMMINENT, RiskCategory.SUICIDE, "en")[0]
    assert calls_anew("yes i have a plan", verdict)


def test_a_carried_wish_does_not_open_the_card_again() -> None:
    assert not calls_anew("the bus was late", _carried(RiskCategory.SUICIDE))


@pytest.mark.parametrize("text", ["ignore me", "ok", "i was joking", "当我没说"])
def test_lost_money_is_nothing_done_to_a_body(text: str) -> None:
    written = instead_of_model(_CAPABLE, text, "en", _carried(RiskCategory.GAMBLING), [])
    assert written is None or written.text not in (*act_replies("en"), *act_replies("zh"))
