"""Which findings are questions for a way to die: a model is never asked to answer these."""

from collections.abc import Iterable

from safety.levels import RiskLevel, RiskMatch

_RULES = frozenset(
    {
        "suicide.means_asked",
        "suicide.knot_asked",
        "suicide.method_question",
        "suicide.what_dose_does",
        "suicide.dose_in_a_story",
        "framed.asked_for_a_friend",
    }
)
"""Groups of ``rules/en.yaml`` and ``zh.yaml``, without their language."""


def asks_for_means(matches: Iterable[RiskMatch]) -> bool:
    """Whether a rule read a question for a method, a dose or a means, at moderate or above.

    Example:
        >>> rule = "en.suicide.means_asked"
        >>> found = RiskMatch(RiskLevel.MODERATE, RiskCategory.SUICIDE, "rules", rule, 0, 9)
        >>> asks_for_means([found])
        True
    """
    return any(
        match.level >= RiskLevel.MODERATE and match.rule.partition(".")[2] in _RULES for match in matches
    )
