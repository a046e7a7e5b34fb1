"""What repositories return and accept: plain frozen values, no ORM object.

Those of reviews and of staff have files of their own and are part of this one's surface.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.db.memory_records import Fact, FactSource
from app.db.review_records import Feedback, FeedbackChange, Flag, FlagNote, FlagOutcome, FlagStatus
from app.db.staff_records import AuditEntry, Staff, StaffRole, StaffSession
from models.styles import Style
from safety.levels import RiskCategory, RiskLevel, RiskMatch, SessionRisk

__all__ = [
    "AuditEntry",
    "Fact",
    "FactSource",
    "Feedback",
    "FeedbackChange",
    "Flag",
    "FlagNote",
    "FlagOutcome",
    "FlagStatus",
    "Message",
    "MessageRole",
    "MessageStatus",
    "NewCandidate",
    "NewReply",
    "Person",
    "Referral",
    "ReferralCount",
    "ReplySource",
    "Session",
    "Staff",
    "StaffRole",
    "StaffSession",
    "StoredAssessment",
    "StoredCandidate",
]


class MessageRole(StrEnum):
    """Who wrote a message."""

    USER = "user"
    ASSISTANT = "assistant"


class MessageStatus(StrEnum):
    """Where a message stands.

    A person's message goes from ``stored`` over ``answering`` to ``answered``, or to ``stopped``
    or ``failed``, from which it can be tried again. A reply is ``complete``, ``stopped`` (the part
    shown so far), ``blocked`` (kept for review, never shown) or ``fallback`` (a written text).
    """

    STORED = "stored"
    ANSWERING = "answering"
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"
    COMPLETE = "complete"
    BLOCKED = "blocked"
    FALLBACK = "fallback"


class ReplySource(StrEnum):
    """What a reply's text came from."""

    MODEL = "model"
    WRITTEN = "written"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Person:
    """An end user, known by nothing but a random identifier.

    Attributes:
        consent: Whether texts may be used for research; off until the person says yes.
        consent_at: When the person last answered that question; ``None`` if they never did.
        consent_asked_at: When the page put that question, which it does once; ``None`` if it did not yet.
    """

    id: str
    locale: str
    country: str | None
    timezone: str | None
    consent: bool
    consent_at: datetime | None
    created_at: datetime
    last_seen_at: datetime
    consent_asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation.

    Attributes:
        last_seq: Sequence number of its newest message, 0 when there is none.
        notice_at: When the notice that this is an AI was last shown.
        style: How the person wants to be answered.
        remember: Whether facts are noted and used; what was noted before stays until it is deleted.
    """

    id: str
    person_id: str
    locale: str
    model: str
    title: str | None
    created_at: datetime
    last_activity_at: datetime
    last_seq: int
    notice_at: datetime | None
    risk: SessionRisk
    style: Style = Style.BALANCED
    remember: bool = True


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``seq`` orders it within its session, ``error`` is a stable code.

    Attributes:
        emotions: The likeliest emotions of a person's message with their probabilities, by name; ``None``
            where none were read.
        style: In which style a reply of a model was made; ``None`` for all other messages.
    """

    id: str
    session_id: str
    seq: int
    role: MessageRole
    text: str
    status: MessageStatus
    error: str | None
    source: ReplySource | None
    model: str | None
    created_at: datetime
    reply_to: str | None
    superseded_at: datetime | None
    emotions: Mapping[str, float] | None = None
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class NewCandidate:
    """A sampled reply about to be stored.

    Attributes:
        position: Index in the sample, from 0.
        text: The reply after clean-up.
        finish_reason: Why the model ended: ``stop``, ``length`` or ``aborted``.
        tactic_counts: Sentences per tactic.
        sentence_tactics: Tactics of each sentence, in order.
        quality: Predicted empathy Q, 1 to 5.
        novelty: D_KL from the previous reply's tactics.
        similarity: Highest cosine to an earlier reply of this conversation.
        score: Total of the re-ranker.
        rank: Place in its order, from 0.
        penalties: Names of the penalties that applied.
        blocked: Why it may never be shown, or ``None``.
        explanation: Parts of the score by name.
    """

    position: int
    text: str
    chosen: bool
    reasoning: str | None = None
    finish_reason: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_s: float | None = None
    tactic_counts: Mapping[str, int] = field(default_factory=dict[str, int])
    sentence_tactics: tuple[tuple[str, ...], ...] = ()
    quality: float | None = None
    novelty: float | None = None
    similarity: float | None = None
    score: float | None = None
    rank: int | None = None
    penalties: tuple[str, ...] = ()
    blocked: str | None = None
    explanation: Mapping[str, float | str | None] = field(default_factory=dict[str, float | str | None])


@dataclass(frozen=True, slots=True)
class StoredCandidate:
    """A stored candidate: where it belongs, and what was stored."""

    id: str
    session_id: str
    user_message_id: str
    reply_message_id: str | None
    created_at: datetime
    candidate: NewCandidate


@dataclass(frozen=True, slots=True)
class NewReply:
    """A reply about to be stored; ``style`` is the one that a model was asked to reply in."""

    text: str
    status: MessageStatus
    source: ReplySource
    model: str | None = None
    error: str | None = None
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class StoredAssessment:
    """The risk verdict stored for one message; ``session`` is the state after it."""

    id: str
    message_id: str
    session_id: str
    level: RiskLevel
    category: RiskCategory
    layer: str
    matches: tuple[RiskMatch, ...]
    failed_layers: tuple[str, ...]
    session: SessionRisk
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Referral:
    """Helplines that were rendered for a message."""

    id: str
    session_id: str
    message_id: str
    country: str | None
    level: RiskLevel
    category: RiskCategory
    line_names: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ReferralCount:
    """Referrals of one calendar month (UTC, ``YYYY-MM``), country, level and category."""

    month: str
    country: str | None
    level: RiskLevel
    category: RiskCategory
    count: int
