import pytest

from app.chat.crisis import CrisisVerdict
from app.chat.written import fitting_reply, instead_of_model
from models.profiles import load_profiles
from safety.crisis_reply import unsure_reply, written_reply
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk

OTHERS = RiskCategory.HARM_TO_OTHERS


def _verdict(*layers: str, level: RiskLevel = RiskLevel.MODERATE) -> CrisisVerdict:
    matches = tuple(RiskMatch(level, OTHERS, layer, f"{layer}.x", 0, 4) for layer in layers)
    return CrisisVerdict(RiskAssessment(level, OTHERS, matches, SessionRisk()), None, repeated=False)


@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
def test_what_only_the_classifier_suspects_is_asked_about_and_not_presumed(level: RiskLevel) -> None:
    verdict = _verdict("classifier", level=level)
    text = "I keep hearing his paws on the floor at night."
    assert fitting_reply(text, "en", verdict, 1) == unsure_reply("en", 1, level, OTHERS)


@pytest.mark.parametrize("layers", [("rules",), ("rules", "classifier"), ("classifier", "judge")])
def test_what_another_layer_confirms_gets_the_reply_of_its_category(layers: tuple[str, ...]) -> None:
    expected = written_reply(RiskLevel.MODERATE, OTHERS, "en", 0)
    assert fitting_reply("I want to hurt him badly", "en", _verdict(*layers), 0) == expected


def _asked(rule: str) -> CrisisVerdict:
    match = RiskMatch(RiskLevel.MODERATE, RiskCategory.SUICIDE, "rules", rule, 0, 4)
    assessment = RiskAssessment(RiskLevel.MODERATE, RiskCategory.SUICIDE, (match,), SessionRisk())
    return CrisisVerdict(assessment, None, repeated=False)


@pytest.mark.parametrize(
    "rule", ["en.suicide.means_asked", "zh.suicide.knot_asked", "en.suicide.method_question"]
)
def test_no_model_however_capable_is_asked_where_means_are_asked_for(rule: str) -> None:
    reply = instead_of_model(load_profiles()["mint-4b"], "where can I buy it?", "en", _asked(rule), 0)
    assert reply is not None
    assert reply.reason == "means_asked"
    assert reply.text == written_reply(RiskLevel.MODERATE, RiskCategory.SUICIDE, "en", 0)


def test_a_capable_model_answers_a_wish_that_asks_for_no_means() -> None:
    verdict = _asked("en.suicide.wish")
    assert instead_of_model(load_profiles()["mint-4b"], "I want to be gone", "en", verdict, 0) is None
