"""Which findings answer or follow up a danger spoken of before: no model's words are waited for then."""

from collections.abc import Iterable

from safety.levels import RiskMatch

_KINDS = {
    "combo.answer_plan": "danger",
    "combo.answer_their_plan": "danger",
    "combo.answer_unsafe": "danger",
    "combo.answer_when": "danger",
    "combo.answer_will_do_it": "danger",
    "combo.answer_pain": "pain_asked",
    "combo.answer_depth_to_die": "pain_asked",
    "combo.answer_do_it": "permission_asked",
    "combo.answer_permission": "permission_asked",
    "combo.answer_intake": "number_asked",
    "combo.answer_depth": "number_asked",
}
"""Combinations of ``rules/combinations.yaml`` and what they are to the reply; see ``crisis_replies.yaml``."""


def follow_up(matches: Iterable[RiskMatch]) -> str | None:
    """What a message is to the danger spoken of before, or ``None``.

    Args:
        matches: Findings in the message, strongest first.

    Returns:
        ``danger`` (a plan, a time, no safety), ``pain_asked``, ``number_asked`` or ``permission_asked``.

    Example:
        >>> from safety.levels import RiskCategory, RiskLevel
        >>> found = RiskMatch(RiskLevel.IMMINENT, RiskCategory.SUICIDE, "rules", "combo.answer_plan", 0, 9)
        >>> follow_up([found])
        'danger'
    """
    return next((_KINDS[match.rule] for match in matches if match.rule in _KINDS), None)
