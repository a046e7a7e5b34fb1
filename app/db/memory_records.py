"""What is remembered of a conversation, as repositories return and accept it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from models.facts import FactKind
from safety.levels import RiskLevel


class FactSource(StrEnum):
    """What found a fact in a message."""

    RULES = "rules"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a person said about themselves or their life.

    Attributes:
        message_id: The message in which it was found.
        text: In the person's own words, or as they changed it.
        level: Risk level of that message.
        edited_at: When the person changed it, if they did.
    """

    id: str
    message_id: str
    kind: FactKind
    text: str
    level: RiskLevel
    created_at: datetime
    edited_at: datetime | None
