"""What annotators can score, by stable names: the one list that pages, agreement and exports share."""

from models.tactics import Tactic

EMPATHY = (
    "empathy.validating_emotions",
    "empathy.encouraging_elaboration",
    "empathy.demonstrating_understanding",
    "empathy.advice_giving",
    "empathy.self_oriented",
    "empathy.dismissing_emotions",
)
"""The six items by which MINT's replies were rated, 1–5; the last three are better when low."""
REVERSED = frozenset(EMPATHY[3:])
SUPPORT = ("support.fluency_comfort", "support.empathic_understanding", "support.encouragement")
"""MindChat's three dimensions, 1–5."""
TACTIC = tuple(f"tactic.{tactic}" for tactic in Tactic)
"""Whether a tactic is in the reply, 1 or 0."""
MEASURES = (*EMPATHY, *SUPPORT, *TACTIC)


def check_score(measure: str, value: int) -> None:
    """Refuse what no page offers.

    Raises:
        ValueError: The measure is unknown, or the value is outside its range.
    """
    if measure not in MEASURES:
        raise ValueError(f"unknown measure {measure!r}")
    least, most = (0, 1) if measure in TACTIC else (1, 5)
    if not least <= value <= most:
        raise ValueError(f"{measure} goes from {least} to {most}")
