import pytest

from app.chat.crisis import CrisisVerdict
from app.chat.written import fitting_reply, instead_of_model
from models.profiles import load_profiles
from safety.crisis_reply import secrecy_reply, unsure_reply, written_reply
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
    assert fitting_reply(text, "en", verdict, 1) == unsure_reply("en", 1)


@pytest.mark.parametrize("layers", [("rules",), ("rules", "classifier"), ("classifier", "judge")])
def test_what_another_layer_confirms_gets_the_reply_of_its_category(layers: tuple[str, ...]) -> None:
    expected = written_reply(RiskLevel.MODERATE, OTHERS, "en", 0)
    assert fitting_reply("I want to hurt him badly", "en", _verdict(*layers), 0) == expected


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
    written = instead_of_model(_CAPABLE, text, locale, _CALM, 0)
    assert written is not None
    assert written.reason == "secrecy"
    assert told in written.text


def test_talk_of_a_secret_is_left_to_the_model() -> None:
    assert instead_of_model(_CAPABLE, "I never told anybody about it.", "en", _CALM, 0) is None


def test_in_danger_the_talk_is_of_danger_whatever_shall_stay_secret() -> None:
    assert instead_of_model(_CAPABLE, "Promise me not to tell anyone.", "en", _verdict("rules"), 0) is None


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_what_is_said_of_secrecy_holds_no_promise(locale: str) -> None:
    texts = {secrecy_reply(locale, variant) for variant in range(4)}
    assert len(texts) == 2
    assert all(check_reply(text, asked="Promise to keep it secret.").ok for text in texts)
