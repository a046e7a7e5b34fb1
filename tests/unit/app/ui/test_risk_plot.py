"""The course of risk: messages go by their numbers in the conversation."""

from datetime import UTC, datetime

from app.db.records import StoredAssessment
from app.ui.risk_plot import risk_plot
from app.ui.staff_texts import load_staff_texts
from safety.levels import RiskCategory, RiskLevel
from safety.session_risk import SessionRisk

TEXTS = load_staff_texts()["en"]


def verdict(level: RiskLevel) -> StoredAssessment:
    stands = SessionRisk(level, RiskCategory.SUICIDE, 1.5, 0, True)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return StoredAssessment("1", "2", "3", level, RiskCategory.SUICIDE, "rules", (), (), stands, at)


COURSE = [(1, verdict(RiskLevel.LOW)), (23, verdict(RiskLevel.IMMINENT))]


def test_the_drawing_and_the_table_have_the_numbers_of_the_conversation() -> None:
    markup = risk_plot(COURSE, TEXTS)
    assert [f"text-anchor='middle'>#{number}</text>" in markup for number in (1, 23, 2)] == [
        True,
        True,
        False,
    ]
    assert "<th scope='row'><a href='#hk-message-23'>#23</a></th><td>imminent</td>" in markup


def test_without_verdicts_it_says_so() -> None:
    assert "No verdicts are stored" in risk_plot([], TEXTS)
