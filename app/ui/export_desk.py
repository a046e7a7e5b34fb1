"""What an admin does on the export page beside downloads, apart from how it looks."""

from dataclasses import dataclass
from datetime import timedelta

from app.agreement_report import AgreementReport, agreement_report
from app.db.annotation import AnnotationRepository
from app.db.audit import AuditRepository
from app.db.errors import GoneError
from app.db.export_records import ExportFilter
from app.db.messages import MessageRepository
from app.db.rating_exports import RatingExportRepository
from app.db.records import Message, Staff
from app.db.types import Clock, utc_now

CONTEXT_MESSAGES = 6
LISTED = 30
"""Most disagreements on the page; the file has more."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """A reply that staff disagree on, with the messages before it."""

    reply: Message
    context: tuple[Message, ...]


class ExportDesk:
    """The page's actions; whoever calls them has passed the gate as an admin."""

    def __init__(
        self,
        ratings: RatingExportRepository,
        messages: MessageRepository,
        replies: AnnotationRepository,
        audit: AuditRepository,
        clock: Clock = utc_now,
    ) -> None:
        self._ratings = ratings
        self._messages = messages
        self._replies = replies
        self._audit = audit
        self._now = clock

    async def models(self) -> list[str]:
        """Names of models to suggest."""
        return await self._ratings.recent_models()

    async def agreement(self, days: int | None) -> AgreementReport:
        """Agreement on what was judged in the last so many days, ``None`` for all."""
        since = None if days is None else self._now() - timedelta(days=days)
        return await agreement_report(self._ratings, ExportFilter(since=since), LISTED)

    async def open(self, admin: Staff, message_id: str) -> Disputed:
        """Read a disputed reply; the audit log knows of it before the reader does.

        Raises:
            GoneError: It is gone, or may not be read for research any more.
        """
        reply = await self._messages.get(message_id)
        if reply is None or not await self._replies.may_rate(message_id):
            raise GoneError("the reply may not be read")
        await self._audit.record(admin.id, "reply.opened", "message", message_id)
        history = await self._messages.history(reply.session_id)
        before = [message for message in history if message.seq < reply.seq]
        return Disputed(reply, tuple(before[-CONTEXT_MESSAGES:]))
