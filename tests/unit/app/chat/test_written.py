import pytest

from app.chat.crisis import CrisisVerdict
from app.chat.written import fitting_reply
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
    assert fitting_reply(text, "en", verdict, 1) == unsure_reply("en", 1)


@pytest.mark.parametrize("layers", [("rules",), ("rules", "classifier"), ("classifier", "judge")])
def test_what_another_layer_confirms_gets_the_reply_of_its_category(layers: tuple[str, ...]) -> None:
    expected = written_reply(RiskLevel.MODERATE, OTHERS, "en", 0)
    assert fitting_reply("I want to hurt him badly", "en", _verdict(*layers), 0) == expected
