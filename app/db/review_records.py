"""What repositories return about flags and ratings: plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from safety.levels import RiskCategory, RiskLevel


class FlagStatus(StrEnum):
    """Whether a flag still waits for a reviewer."""

    OPEN = "open"
    CLOSED = "closed"


class FlagOutcome(StrEnum):
    """What a reviewer found; ``needs_follow_up`` leaves the flag open."""

    TRUE_ALARM = "true_alarm"
    FALSE_ALARM = "false_alarm"
    ESCALATED = "escalated"
    NEEDS_FOLLOW_UP = "needs_follow_up"


@dataclass(frozen=True, slots=True)
class Flag:
    """A session that a person should look at.

    Attributes:
        message_id: The message that raised the flag to its present level.
        hits: How many messages raised it.
        version: Grows with every change by staff; see ``ConflictError``.
        answered_at: When a reviewer last set an outcome; ``None`` while the clock runs.
        restarted_at: When the clock began anew after that: reopened, or another alarm.
    """

    id: str
    session_id: str
    message_id: str
    level: RiskLevel
    category: RiskCategory
    status: FlagStatus
    outcome: FlagOutcome | None
    assigned_to: str | None
    hits: int
    version: int
    opened_at: datetime
    raised_at: datetime
    closed_at: datetime | None
    closed_by: str | None
    answered_at: datetime | None
    restarted_at: datetime | None

    @property
    def clock_from(self) -> datetime:
        """Since when the flag waits at its present level."""
        return self.restarted_at or self.raised_at

    @property
    def waits_again(self) -> bool:
        """Whether it had an outcome and waits for another: it was reopened, or there was a new alarm."""
        return self.status is FlagStatus.OPEN and self.answered_at is None and self.outcome is not None

    def due_at(self, limits: Mapping[RiskLevel, timedelta]) -> datetime | None:
        """When it is to be answered; ``None`` once it is, or where its level has no limit."""
        within = limits.get(self.level)
        waits = self.answered_at is None and self.status is FlagStatus.OPEN
        return self.clock_from + within if waits and within is not None else None


@dataclass(frozen=True, slots=True)
class FlagNote:
    """What a reviewer wrote about a flag."""

    id: str
    flag_id: str
    author_id: str | None
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Feedback:
    """The present rating of one message by one rater; ``value`` is 1 or -1."""

    message_id: str
    session_id: str
    rater: str
    value: int
    reasons: tuple[str, ...]
    comment: str | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class FeedbackChange:
    """One earlier state of a rating; ``value`` is ``None`` where it was taken back."""

    message_id: str
    rater: str
    value: int | None
    reasons: tuple[str, ...]
    comment: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class MissedMessage:
    """A message whose danger the crisis layers did not see, with what a reviewer says it is."""

    message_id: str
    flag_id: str
    level: RiskLevel
    category: RiskCategory
    marked_by: str | None
    marked_at: datetime
