"""What an annotator does with replies, apart from how it looks; each step is audited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.db.annotation import AnnotationRepository, Progress
from app.db.audit import AuditRepository, Detail
from app.db.candidates import CandidateRepository
from app.db.errors import GoneError
from app.db.feedback import FeedbackRepository
from app.db.measures import TACTIC, check_score
from app.db.messages import MessageRepository
from app.db.records import Feedback, Message, Staff
from app.db.scores import ScoreRepository

CONTEXT_MESSAGES = 6
REASONS = (
    "over_validation",
    "generic",
    "premature_advice",
    "tone_mismatch",
    "delayed_crisis_response",
    "unsafe",
    "other",
)
"""Stable names of reasons, the same that persons can choose."""
MAX_COMMENT = 2000


@dataclass(frozen=True, slots=True)
class Task:
    """One reply to rate.

    Attributes:
        context: The messages before it, oldest first.
        rating: What this annotator has said of it before, if anything.
        scores: The same for measures.
        tags: Measures of the tactics that the model found in the reply, 1 or 0.
    """

    reply: Message
    context: tuple[Message, ...]
    rating: Feedback | None = None
    scores: Mapping[str, int] = field(default_factory=dict[str, int])
    tags: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Given:
    """What an annotator had said of a reply before taking it back."""

    rating: Feedback | None
    scores: Mapping[str, int]


class NoReasonGivenError(ValueError):
    """A thumb down says nothing of what was not right."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an annotator has changed of a reply; ``None`` and measures not named stay as they are.

    Attributes:
        tags_right: The model's tags hold wherever the annotator says nothing else.
    """

    value: int | None = None
    reasons: tuple[str, ...] | None = None
    comment: str | None = None
    scores: Mapping[str, int | None] = field(default_factory=dict[str, int | None])
    tags_right: bool = False


@dataclass(frozen=True, slots=True)
class AnnotationStore:
    """The repositories that the desk works with."""

    queue: AnnotationRepository
    messages: MessageRepository
    feedback: FeedbackRepository
    scores: ScoreRepository
    candidates: CandidateRepository
    audit: AuditRepository


class AnnotationDesk:
    """The annotation page's actions; whoever calls them has passed the gate as an annotator."""

    def __init__(self, store: AnnotationStore) -> None:
        self._store = store

    async def next(self, staff: Staff, skipped: Sequence[str] = ()) -> Task | None:
        """The next reply for this annotator, or ``None`` when there is none."""
        reply = await self._store.queue.next_reply(rater_of(staff), skipped)
        return None if reply is None else await self._task(staff, reply)

    async def again(self, staff: Staff, message_id: str) -> Task:
        """A reply that this annotator has had before.

        Raises:
            GoneError: It may not be rated (any more).
        """
        await self._check(message_id)
        reply = await self._store.messages.get(message_id)
        if reply is None:
            raise GoneError("the reply does not exist")
        return await self._task(staff, reply)

    async def save(self, staff: Staff, message_id: str, change: Change) -> None:
        """Store what was changed. The rater is always the one signed in.

        Raises:
            GoneError: The reply may not be rated (any more), for example after consent was withdrawn.
            NoReasonGivenError: The thumb is down, and there is no reason.
            ValueError: A value, a reason or a measure is unknown, or there is no thumb yet.
        """
        if set(change.reasons or ()) - set(REASONS):
            raise ValueError("unknown reason")
        for measure, value in change.scores.items():
            check_score(measure, 1 if value is None else value)
        await self._check(message_id)
        rater = rater_of(staff)
        await self._check_reasons(message_id, rater, change)
        comment = None if change.comment is None else change.comment.strip()[:MAX_COMMENT]
        rating = await self._store.feedback.amend(
            message_id, rater, value=change.value, reasons=change.reasons, comment=comment
        )
        tagged = change.tags_right or any(measure in TACTIC for measure in change.scores)
        if change.scores or tagged:
            tags = await self._tags(message_id) if tagged else {}
            await self._store.scores.set_scores(message_id, rater, change.scores, unless_set=tags)
        detail: Detail = {"value": rating.value, "measures": len(change.scores)}
        await self._store.audit.record(staff.id, "reply.rated", "message", message_id, detail)

    async def take_back(self, staff: Staff, message_id: str) -> tuple[Task, Given]:
        """Take back this annotator's rating with all its scores; the history keeps them.

        Returns:
            The reply, unrated, and what was said of it, to begin from.

        Raises:
            GoneError: The reply may not be rated (any more).
        """
        await self._check(message_id)
        rater = rater_of(staff)
        rating = await self._store.feedback.get(message_id, rater)
        given = await self._store.scores.for_reply(message_id, rater)
        await self._store.scores.set_scores(message_id, rater, dict.fromkeys(given))
        await self._store.feedback.set_rating(message_id, rater, None)
        detail: Detail = {"value": None, "measures": len(given)}
        await self._store.audit.record(staff.id, "reply.rated", "message", message_id, detail)
        return await self.again(staff, message_id), Given(rating, given)

    async def skip(self, staff: Staff, message_id: str) -> None:
        """Leave a reply to others for now."""
        await self._store.queue.release(message_id, rater_of(staff))

    async def progress(self, staff: Staff) -> Progress:
        """How far this annotator has come."""
        return await self._store.queue.progress(rater_of(staff))

    async def _check(self, message_id: str) -> None:
        if not await self._store.queue.may_rate(message_id):
            raise GoneError("the reply may not be rated")

    async def _check_reasons(self, message_id: str, rater: str, change: Change) -> None:
        """Whether a thumb down has a reason, one of now or one that stays."""
        before = await self._store.feedback.get(message_id, rater)
        value = change.value if change.value is not None else before and before.value
        kept = before.reasons if before is not None and before.value == value else ()
        if value == -1 and not (kept if change.reasons is None else change.reasons):
            raise NoReasonGivenError("a thumb down needs a reason")

    async def _tags(self, message_id: str) -> dict[str, int]:
        """Which tactics the model found in the reply as shown."""
        candidates = await self._store.candidates.for_message(message_id)
        for one in candidates:
            if one.candidate.chosen and one.reply_message_id == message_id:
                found = one.candidate.tactic_counts
                return {measure: int(found.get(measure.partition(".")[2], 0) > 0) for measure in TACTIC}
        return {}

    async def _task(self, staff: Staff, reply: Message) -> Task:
        await self._store.audit.record(staff.id, "reply.opened", "message", reply.id)
        rater = rater_of(staff)
        history = await self._store.messages.history(reply.session_id)
        return Task(
            reply,
            context_of(reply, history),
            await self._store.feedback.get(reply.id, rater),
            await self._store.scores.for_reply(reply.id, rater),
            await self._tags(reply.id),
        )


def context_of(reply: Message, history: Sequence[Message]) -> tuple[Message, ...]:
    """What is shown before a reply of a conversation."""
    return tuple(message for message in history if message.seq < reply.seq)[-CONTEXT_MESSAGES:]


def rater_of(staff: Staff) -> str:
    """Name of a staff account as a rater, apart from those of persons."""
    return f"staff:{staff.id}"
