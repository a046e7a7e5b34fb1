"""What exports ask for and what they are made of: plain frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

BATCH = 200
"""Ratings or turns that are read at a time; what an export holds in memory depends on it alone."""


FIRST = 25
"""Examples for training in the first batch: each holds a conversation, and the file should begin at once."""


@dataclass(frozen=True, slots=True)
class ExportFilter:
    """Which judgements an export is made of.

    Attributes:
        since: First moment at which they were given or last changed; ``None`` for all earlier ones.
        until: Moment before which that was.
        model: Exact name of the model that replied.
        language: Language of the conversation's page, such as ``en``.
        staff_only: Leave out what persons say of the replies they got themselves.
        crisis: Take conversations with a flag or an assessment of *moderate* or higher, too.
        unconsented: Take conversations of persons who did not agree to research, too.
    """

    since: datetime | None = None
    until: datetime | None = None
    model: str | None = None
    language: str | None = None
    staff_only: bool = False
    crisis: bool = False
    unconsented: bool = False

    @property
    def needs_reason(self) -> bool:
        """Whether it takes what is left out unless an admin says why."""
        return self.crisis or self.unconsented


@dataclass(frozen=True, slots=True)
class RatingLine:
    """All that one rater says of one reply.

    Attributes:
        style: In which the reply was asked for; ``None`` for a written one and for those of earlier versions.
        value: 1, -1, or ``None`` when there are only scores.
        scores: Value by measure.
        reply: Text of the reply.
        status: Of the reply: ``complete``, ``stopped`` or ``fallback``.
        superseded: The conversation went on another way later.
        rated_at: The latest change of thumbs or scores.
    """

    session_id: str
    user_message_id: str | None
    message_id: str
    rater: str
    model: str | None
    language: str
    style: str | None
    status: str
    source: str | None
    superseded: bool
    value: int | None
    reasons: tuple[str, ...]
    comment: str | None
    scores: Mapping[str, int]
    reply: str
    replied_at: datetime
    rated_at: datetime


@dataclass(frozen=True, slots=True)
class RankingLine:
    """The place that one rater gave to one candidate."""

    ranking_id: str
    session_id: str
    user_message_id: str
    rater: str
    candidate_id: str
    place: int
    shown: bool
    model: str | None
    language: str
    style: str | None
    superseded: bool
    quality: float | None
    novelty: float | None
    text: str
    ranked_at: datetime


Turns = tuple[Mapping[str, str], ...]
"""A conversation as ``{"role": …, "content": …}``, oldest first."""


@dataclass(frozen=True, slots=True)
class LabelledReply:
    """A reply with the verdict of the majority of its raters."""

    session_id: str
    message_id: str
    prompt: Turns
    completion: str
    label: bool


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """Two candidates of a turn of which people put one before the other."""

    session_id: str
    user_message_id: str
    chosen_id: str
    rejected_id: str
    prompt: Turns
    chosen: str
    rejected: str
