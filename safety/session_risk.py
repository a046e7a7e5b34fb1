"""How the risk of a whole conversation moves: up at once, down slowly."""

from dataclasses import replace

from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk

CALM_TURNS_TO_FALL = 6
"""Turns in a row without any sign before the level falls by one step."""
CALM_TURNS_TO_DROP_A_SUSPICION = 2
"""The same after a moderate finding of the classifier alone in a conversation that was below moderate."""
TURNS_STILL_SPOKEN_OF = 2
"""Calm turns after which a word such as "tonight" no longer answers what was asked about the danger."""
DECAY = 0.85
"""What is left of the accumulated weak signals after a turn without any."""
BUILD_UP = ((4.0, RiskLevel.IMMINENT), (2.0, RiskLevel.MODERATE), (0.75, RiskLevel.LOW))
"""Accumulated weight and the level it argues for."""
MAX_SCORE = 8.0


def is_just_at_risk(session: SessionRisk) -> bool:
    """Whether danger was spoken of in one of the last messages, so that a bare "tonight" speaks of it too."""
    suspected = CALM_TURNS_TO_FALL - CALM_TURNS_TO_DROP_A_SUSPICION
    recent = session.calm_turns <= TURNS_STILL_SPOKEN_OF or session.calm_turns == suspected
    return session.level >= RiskLevel.MODERATE and recent


def built_up_level(score: float) -> RiskLevel:
    """Level that the accumulated weak signals argue for."""
    return next((level for threshold, level in BUILD_UP if score >= threshold), RiskLevel.NONE)


def update(
    session: SessionRisk,
    level: RiskLevel,
    category: RiskCategory,
    *,
    weight: float = 0.0,
    stressor: bool = False,
    protected: bool = False,
    suspected: bool = False,
) -> SessionRisk:
    """Return the session's risk after one more message.

    Args:
        session: The risk before the message.
        level: Level of the message alone.
        category: Its category.
        weight: Weight of its weak signals; 0 when it shows none.
        stressor: Whether it tells of a recent loss.
        protected: Whether it tells of help that is there now (somebody came, a line was called). Only such
            facts lower the level by a step at once, and never below ``low``; a joke or a retraction doesn't.
        suspected: Whether the classifier alone argues for the level and no rule supports it. A first such
            finding at moderate starts with most of its calm turns behind it. Whatever follows that is not
            calm, another suspicion too, counts the calm turns from none again.
    """
    score = min(MAX_SCORE, session.score + weight) if weight > 0 else session.score * DECAY
    raised = max(level, built_up_level(score) if weight > 0 else RiskLevel.NONE)
    stressor = session.stressor or stressor
    if raised >= session.level and raised > RiskLevel.NONE:
        only_suspected = suspected and raised is RiskLevel.MODERATE and session.level < RiskLevel.MODERATE
        calm_turns = CALM_TURNS_TO_FALL - CALM_TURNS_TO_DROP_A_SUSPICION if only_suspected else 0
        return SessionRisk(raised, _category(session, raised, category), score, calm_turns, stressor)
    calm = replace(session, score=score, stressor=stressor)
    if protected and session.level > RiskLevel.LOW and raised < session.level:
        return replace(calm, level=RiskLevel(session.level - 1), score=score / 2, calm_turns=0)
    if raised > RiskLevel.NONE:
        return replace(calm, calm_turns=0)
    return _calm_turn(calm)


def with_finding(assessment: RiskAssessment, match: RiskMatch) -> RiskAssessment:
    """The assessment with one more finding, which may raise it and its session and never lowers them."""
    session = assessment.session
    if match.level <= assessment.level:
        if match.level >= RiskLevel.MODERATE:  # a suspicion that is confirmed fades as slowly as a finding
            session = replace(session, calm_turns=0)
        return replace(assessment, matches=(*assessment.matches, match), session=session)
    if match.level > session.level:
        session = replace(session, level=match.level, category=match.category, calm_turns=0)
    return replace(
        assessment,
        level=match.level,
        category=match.category,
        matches=(match, *assessment.matches),
        session=session,
    )


def _category(session: SessionRisk, raised: RiskLevel, category: RiskCategory) -> RiskCategory:
    if category is RiskCategory.NONE:
        return RiskCategory.SUICIDE if session.category is RiskCategory.NONE else session.category
    return category if raised >= session.level else session.category


def _calm_turn(session: SessionRisk) -> SessionRisk:
    if session.level is RiskLevel.NONE:
        return replace(session, calm_turns=session.calm_turns + 1)
    if session.calm_turns + 1 < CALM_TURNS_TO_FALL:
        return replace(session, calm_turns=session.calm_turns + 1)
    level = RiskLevel(session.level - 1)
    category = RiskCategory.NONE if level is RiskLevel.NONE else session.category
    return replace(session, level=level, category=category, calm_turns=0)
