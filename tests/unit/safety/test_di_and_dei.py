"""``di`` is a slip for ``die`` after few English words; else it is a name, or a small word of Italian."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor


@pytest.mark.parametrize(
    "text",
    [
        "i love di caprio films",
        "i want dei fiori tickets",
        "want dei sogni",
        "i feel like di maria today",
        "i need di to call me",
        "wish di was here",
        "please let di know",
        "just di and i in the car",
        "voglio di più dalla vita",
        "mam kota od mamy",
    ],
)
def test_names_and_small_words_are_no_danger(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "i want to di",
        "i wanna dei",
        "i want di",
        "let me di",
        "hope i di",
        "i should di",
        "ready to di.",
        "i want to di tonight",
    ],
)
def test_a_slip_is_read(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE
