"""Flagging a conversation by hand, when whoever rates it sees a danger that the crisis layers did not."""

from dataclasses import dataclass

from app.api.stated_reason import readable
from app.db.annotation import AnnotationRepository
from app.db.audit import AuditRepository, Detail
from app.db.errors import GoneError
from app.db.messages import MessageRepository
from app.db.missed import MissedRepository
from app.db.records import Message, MessageRole, Staff
from app.ui.annotation_desk import context_of
from safety.levels import RiskCategory, RiskLevel

MIN_REASON = 10
"""Readable characters of a reason."""
MAX_REASON = 2000


class NoReasonError(ValueError):
    """The reason is missing or too short to tell anybody something."""


@dataclass(frozen=True, slots=True)
class Danger:
    """What somebody of the staff saw.

    Attributes:
        message_id: The person's message in which it shows.
        level: Moderate or imminent.
        category: What it is about.
        reason: In their own words, for the reviewers.
    """

    message_id: str
    level: RiskLevel
    category: RiskCategory
    reason: str


class DangerDesk:
    """Raises flags by hand; whoever calls it has passed the gate as an annotator."""

    def __init__(
        self,
        queue: AnnotationRepository,
        messages: MessageRepository,
        missed: MissedRepository,
        audit: AuditRepository,
    ) -> None:
        self._queue = queue
        self._messages = messages
        self._missed = missed
        self._audit = audit

    async def flag(self, staff: Staff, reply_id: str, danger: Danger) -> None:
        """Flag the conversation of a reply for review; the message counts as missed, the reason is a note.

        Args:
            staff: Who saw it.
            reply_id: The reply on the screen; what can be flagged is what was shown beside it.
            danger: What they saw.

        Raises:
            GoneError: The reply may not be seen (any more), or the message was not shown with it.
            NoReasonError: There is no reason in it.
            NotMissedError: The layers found as much.
        """
        reason = danger.reason.strip()[:MAX_REASON]
        if not tells(reason):
            raise NoReasonError("state a reason")
        reply = await self._messages.get(reply_id) if await self._queue.may_rate(reply_id) else None
        if reply is None:
            raise GoneError("the reply may not be rated")
        seen = messages_of_person(context_of(reply, await self._messages.history(reply.session_id)))
        if danger.message_id not in {message.id for message in seen}:
            raise GoneError("the message was not shown")
        flag = await self._missed.mark(
            danger.message_id, reply.session_id, danger.level, danger.category, staff.id, reason
        )
        # The reason itself is for reviewers: it may name what the person wrote.
        detail: Detail = {"flag": flag.id, "level": danger.level.label, "category": danger.category.value}
        await self._audit.record(staff.id, "flag.raised_by_hand", "message", danger.message_id, detail)


def tells(reason: str) -> bool:
    """Whether a reason is long enough to tell somebody something."""
    return len(readable(reason)) >= MIN_REASON


def messages_of_person(context: tuple[Message, ...]) -> tuple[Message, ...]:
    """What the person wrote of the messages before a reply."""
    return tuple(message for message in context if message.role is MessageRole.USER)
