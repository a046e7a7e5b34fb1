"""A conversation's risk rises at once and falls slowly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor
from safety.session_risk import CALM_TURNS_TO_DROP_A_SUSPICION, CALM_TURNS_TO_FALL, update

_IMMINENT = SessionRisk(RiskLevel.IMMINENT, RiskCategory.SUICIDE)


def _levels(assessor: RiskAssessor, *turns: str) -> list[RiskLevel]:
    session, levels = SessionRisk(), []
    for turn in turns:
        found = assessor.assess(turn, session)
        session = found.session
        levels.append(found.level)
    return levels


def test_risk_rises_at_once() -> None:
    assert update(SessionRisk(), RiskLevel.IMMINENT, RiskCategory.SUICIDE).level is RiskLevel.IMMINENT


def test_a_single_calm_turn_changes_nothing() -> None:
    assert update(_IMMINENT, RiskLevel.NONE, RiskCategory.NONE).level is RiskLevel.IMMINENT


def test_it_falls_by_one_step_after_the_calm_turns() -> None:
    session = _IMMINENT
    for _ in range(CALM_TURNS_TO_FALL):
        session = update(session, RiskLevel.NONE, RiskCategory.NONE)
    assert session.level is RiskLevel.MODERATE


def _suspicion(session: SessionRisk, level: RiskLevel = RiskLevel.MODERATE) -> SessionRisk:
    return update(session, level, RiskCategory.ABUSE, suspected=True)


def _calm_turns_until_it_falls(session: SessionRisk) -> int:
    level, turns = session.level, 0
    while session.level is level:
        session, turns = update(session, RiskLevel.NONE, RiskCategory.NONE), turns + 1
    return turns


def test_a_first_suspicion_of_the_classifier_alone_fades_soon_and_to_low() -> None:
    session = _suspicion(SessionRisk())
    assert session.level is RiskLevel.MODERATE
    assert _calm_turns_until_it_falls(session) == CALM_TURNS_TO_DROP_A_SUSPICION < CALM_TURNS_TO_FALL
    for _ in range(CALM_TURNS_TO_DROP_A_SUSPICION):
        session = update(session, RiskLevel.NONE, RiskCategory.NONE)
    assert session.level is RiskLevel.LOW
    assert _calm_turns_until_it_falls(session) == CALM_TURNS_TO_FALL


@pytest.mark.parametrize(
    "session",
    [
        pytest.param(
            update(SessionRisk(), RiskLevel.MODERATE, RiskCategory.SUICIDE), id="a rule found moderate"
        ),
        pytest.param(_suspicion(SessionRisk(), RiskLevel.IMMINENT), id="imminent"),
        pytest.param(_suspicion(_suspicion(SessionRisk())), id="a second suspicion"),
        pytest.param(
            _suspicion(update(SessionRisk(), RiskLevel.MODERATE, RiskCategory.SUICIDE)),
            id="a suspicion after a finding",
        ),
        pytest.param(
            update(_suspicion(SessionRisk()), RiskLevel.MODERATE, RiskCategory.SUICIDE),
            id="a finding after a suspicion",
        ),
        pytest.param(
            update(_suspicion(SessionRisk()), RiskLevel.LOW, RiskCategory.SUICIDE, weight=0.5),
            id="a weak sign after a suspicion",
        ),
    ],
)
def test_everything_else_stays_as_long_as_before(session: SessionRisk) -> None:
    assert session.level >= RiskLevel.MODERATE
    assert _calm_turns_until_it_falls(session) == CALM_TURNS_TO_FALL


def test_a_protective_fact_lowers_by_one_step_and_not_below_low() -> None:
    session = update(_IMMINENT, RiskLevel.NONE, RiskCategory.NONE, protected=True)
    assert session.level is RiskLevel.MODERATE
    low = SessionRisk(RiskLevel.LOW, RiskCategory.SUICIDE)
    assert update(low, RiskLevel.NONE, RiskCategory.NONE, protected=True).level is RiskLevel.LOW


def test_weak_signs_build_up() -> None:
    session = SessionRisk()
    for _ in range(3):
        session = update(session, RiskLevel.LOW, RiskCategory.SUICIDE, weight=1.0)
    assert session.level is RiskLevel.MODERATE


@given(
    turns=st.lists(
        st.tuples(st.sampled_from(list(RiskLevel)), st.floats(0, 2.4), st.booleans(), st.booleans()),
        max_size=30,
    )
)
def test_the_level_is_never_below_the_turns(turns: list[tuple[RiskLevel, float, bool, bool]]) -> None:
    session = SessionRisk()
    for level, weight, stressor, protected in turns:
        session = update(
            session, level, RiskCategory.SUICIDE, weight=weight, stressor=stressor, protected=protected
        )
        assert session.level >= level
        assert session.score >= 0


def test_a_joke_after_a_plan_keeps_the_level(assessor: RiskAssessor) -> None:
    assert (
        _levels(assessor, "I'm going to kill myself tonight", "lol just kidding, I'm fine")[1]
        is RiskLevel.IMMINENT
    )


def test_a_retraction_after_a_wish_keeps_the_level(assessor: RiskAssessor) -> None:
    assert _levels(assessor, "我不想活了", "没事，我随便说说的")[1] >= RiskLevel.MODERATE


def test_a_joke_before_does_not_lower_what_follows(assessor: RiskAssessor) -> None:
    assert _levels(assessor, "哈哈哈笑死", "说真的，我想死")[1] >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    ("stressor", "question"),
    [
        ("I got fired on Monday.", "Which bridge here is the highest?"),
        ("She broke up with me yesterday.", "How many sleeping pills are in one pack?"),
        ("My mom died in spring.", "Where can I get on a roof around here?"),
        ("我失恋了", "附近哪栋楼可以上楼顶？"),
        ("今天被裁了", "安眠药哪里能买到？"),
    ],
)
def test_a_loss_followed_by_a_question_on_means_is_imminent(
    assessor: RiskAssessor, stressor: str, question: str
) -> None:
    assert _levels(assessor, stressor, question)[1] is RiskLevel.IMMINENT


def test_the_question_alone_is_not_imminent(assessor: RiskAssessor) -> None:
    assert _levels(assessor, "Which bridge here is the highest?")[0] < RiskLevel.MODERATE


def test_small_steps_over_turns_end_imminent(assessor: RiskAssessor) -> None:
    levels = _levels(
        assessor,
        "I don't really answer my friends' messages any more.",
        "I gave my cat to my sister.",
        "By Sunday none of this will matter.",
    )
    assert levels[-1] is RiskLevel.IMMINENT
