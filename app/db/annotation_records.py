"""What repositories return about scores and rankings by staff: plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Score:
    """What one rater says of one measure of a reply.

    Attributes:
        measure: Stable name, such as ``empathy.validating_emotions`` or ``tactic.advice``.
        value: 1–5 on a scale; 1 or 0 where the measure asks whether something is there.
    """

    message_id: str
    session_id: str
    rater: str
    measure: str
    value: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order in which one rater put the candidates of a turn.

    Attributes:
        user_message_id: The message that the candidates answer.
        places: Place by candidate id; 1 is the best, equal numbers are a tie.
    """

    user_message_id: str
    session_id: str
    rater: str
    places: Mapping[str, int]
    updated_at: datetime
