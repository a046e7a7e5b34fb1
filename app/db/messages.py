"""Messages: stored before the model is called, ordered, and never lost by a stop or a crash."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from sqlalchemy import select, update

from app.db.annotation_queue import enqueue_reply
from app.db.candidate_rows import insert_candidates
from app.db.errors import GoneError
from app.db.message_rows import (
    MESSAGE_COLUMNS,
    change_status,
    find_by_key,
    insert_reply,
    insert_user,
    is_active,
    key_digest,
    message_of,
    messages,
    supersede,
)
from app.db.records import Message, MessageRole, MessageStatus, NewCandidate, NewReply, ReplySource
from app.db.repository import AnySelect, Repository
from app.db.sessions import lock_session
from app.db.tables import IS_UNANSWERED, MessageRow, SessionRow

INTERRUPTED = "interrupted"
"""Error code of a turn that ended with its process."""

_UNDER_WAY = frozenset({MessageStatus.STORED, MessageStatus.ANSWERING})
_CAN_START = frozenset({MessageStatus.STORED, MessageStatus.FAILED, MessageStatus.STOPPED})


class MessageRepository(Repository):
    """All SQL about messages."""

    async def add_user(self, session_id: str, text: str, client_key: str | None = None) -> Message:
        """Store what a person wrote, with status ``stored``.

        Args:
            session_id: The conversation.
            text: Any Unicode; what a database can't hold is replaced (see ``storable_text``).
            client_key: Made by the page for one sending. A second call with the same key in the
                same conversation returns the message of the first, in its present status.

        Raises:
            GoneError: There is no such conversation (any more).
        """
        async with self._write() as db:
            return await insert_user(db, session_id, self._now(), text, client_key)

    async def edit_last(self, session_id: str, text: str, client_key: str | None = None) -> Message:
        """Replace the person's last message, and what followed it, by a new one; all or nothing.

        Raises:
            GoneError: There is no such conversation (any more), or nothing to edit.
        """
        async with self._write() as db:
            await lock_session(db, session_id)
            row = (await db.execute(_last_user(session_id))).one_or_none()
            if row is None:
                raise GoneError("there is no message to edit")
            now = self._now()
            stored = await find_by_key(db, session_id, client_key)
            if stored is not None:  # this very edit, sent twice
                return stored
            await supersede(db, session_id, row.id, now)
            return await insert_user(db, session_id, now, text, client_key)

    async def set_status(
        self,
        message_id: str,
        status: MessageStatus,
        error: str | None = None,
        *,
        only_from: Collection[MessageStatus] | None = None,
    ) -> bool:
        """Set a message's status and error code.

        Args:
            message_id: The message.
            status: Its new status.
            error: Stable code of what went wrong, or ``None``; at most 64 characters.
            only_from: Change it only from one of these statuses, in one step with looking.

        Returns:
            Whether it was changed.
        """
        allowed = None if only_from is None else frozenset(only_from)
        async with self._write() as db:
            return await change_status(db, message_id, self._now(), status, error, allowed)

    async def set_emotions(self, message_id: str, emotions: Mapping[str, float]) -> bool:
        """Store what was read in a person's message.

        Args:
            message_id: The message.
            emotions: Probabilities by the name of the emotion.

        Returns:
            Whether there is such a message (still).
        """
        statement = (
            update(MessageRow)
            .where(MessageRow.id == message_id, MessageRow.role == MessageRole.USER)
            .values(emotions=dict(emotions))
            .returning(MessageRow.id)
        )
        async with self._write() as db:
            return (await db.execute(statement)).one_or_none() is not None

    async def begin_answering(self, message_id: str) -> bool:
        """Claim a person's message for answering; of two callers at once only one gets True."""
        return await self.set_status(message_id, MessageStatus.ANSWERING, only_from=_CAN_START)

    async def settle(self, message_id: str, status: MessageStatus, error: str) -> bool:
        """Store how a turn without a reply ended; a message that was answered meanwhile stays so."""
        return await self.set_status(message_id, status, error, only_from=_UNDER_WAY)

    async def fail_interrupted(self, older_than: timedelta = timedelta(0)) -> int:
        """Mark turns that have no end as failed, so that they can be tried again.

        Call it before serving: what is ``stored`` or ``answering`` then belonged to a process that
        is gone.

        Args:
            older_than: Leave alone what changed more recently. Zero is right where one process
                uses the database; several need the longest time a turn may take, or one that
                starts would end the turns of the others.

        Returns:
            How many turns were marked, with the error code ``interrupted``.
        """
        now = self._now()
        statement = (
            update(MessageRow)
            .where(IS_UNANSWERED, MessageRow.status_at <= now - older_than)
            .values(status=MessageStatus.FAILED, status_at=now, error=INTERRUPTED)
            .returning(MessageRow.id)
        )
        async with self._write() as db:
            return len((await db.execute(statement)).all())

    async def cut_reply(self, reply_id: str, shown: str) -> bool:
        """Keep only the part of a reply that the person saw before they stopped it.

        The whole text stays with its candidate.
        """
        statement = (
            update(MessageRow)
            .where(MessageRow.id == reply_id, MessageRow.role == MessageRole.ASSISTANT)
            .values(text=shown, status=MessageStatus.STOPPED, status_at=self._now())
            .returning(MessageRow.id)
        )
        async with self._write() as db:
            return (await db.execute(statement)).one_or_none() is not None

    async def add_reply(
        self,
        session_id: str,
        reply_to: str,
        text: str,
        status: MessageStatus,
        model: str | None,
        source: ReplySource,
        error: str | None = None,
    ) -> Message:
        """Store a reply; the status of the message it answers stays as it is.

        Raises:
            GoneError: The conversation or the message does not exist (any more).
            ConflictError: The message has a reply that counts already. A ``blocked`` one never
                counts, so it can stand beside the text that was shown instead.
        """
        reply = NewReply(text=text, status=status, source=source, model=model, error=error)
        async with self._write() as db:
            return await insert_reply(db, session_id, reply_to, self._now(), reply)

    async def reply_with_candidates(
        self,
        session_id: str,
        reply_to: str,
        reply: NewReply,
        candidates: Sequence[NewCandidate],
        *,
        user_status: MessageStatus = MessageStatus.ANSWERED,
        user_error: str | None = None,
    ) -> Message:
        """Store a reply, all candidates, and the status of the answered message: all or nothing.

        Args:
            session_id: The conversation.
            reply_to: The person's message.
            reply: What was shown.
            candidates: All that were sampled; at most one is ``chosen``.
            user_status: New status of the person's message.
            user_error: Its error code, if any.

        Raises:
            GoneError, ConflictError: As in :meth:`add_reply`.
        """
        async with self._write() as db:
            now = self._now()
            stored = await insert_reply(db, session_id, reply_to, now, reply)
            await insert_candidates(db, session_id, reply_to, stored.id, candidates, now)
            await change_status(db, reply_to, now, user_status, user_error)
            await enqueue_reply(db, stored.id)
            return stored

    async def get(self, message_id: str) -> Message | None:
        """One message, whoever owns it."""
        async with self._read() as db:
            row = (await db.execute(messages(MessageRow.id == message_id))).one_or_none()
        return None if row is None else message_of(row)

    async def get_owned(self, message_id: str, person_id: str) -> Message | None:
        """One message, or ``None`` if it is not in a conversation of this person."""
        query = (
            select(*MESSAGE_COLUMNS)
            .join(SessionRow, SessionRow.id == MessageRow.session_id)
            .where(MessageRow.id == message_id, SessionRow.person_id == person_id)
        )
        async with self._read() as db:
            row = (await db.execute(query)).one_or_none()
        return None if row is None else message_of(row)

    async def conversation_with(self, person_id: str, client_key: str) -> str | None:
        """The conversation of this person that holds a message sent with this key, if it was stored."""
        query = (
            select(MessageRow.session_id)
            .join(SessionRow, SessionRow.id == MessageRow.session_id)
            .where(SessionRow.person_id == person_id, MessageRow.client_key == key_digest(client_key))
            .limit(1)
        )
        async with self._read() as db:
            return (await db.execute(query)).scalar_one_or_none()

    async def history(self, session_id: str) -> list[Message]:
        """The conversation as the person sees it, oldest first: nothing superseded or blocked."""
        query = messages(MessageRow.session_id == session_id, is_active()).order_by(MessageRow.seq)
        async with self._read() as db:
            return [message_of(row) for row in await db.execute(query)]

    async def recent_history(self, session_id: str, limit: int) -> list[Message]:
        """The last ``limit`` messages of :meth:`history`, oldest first; takes as long at any length."""
        query = (
            messages(MessageRow.session_id == session_id, is_active())
            .order_by(MessageRow.seq.desc())
            .limit(limit)
        )
        async with self._read() as db:
            return [message_of(row) for row in (await db.execute(query)).all()[::-1]]

    async def full_log(self, session_id: str) -> list[Message]:
        """Every stored message, superseded and blocked ones too, oldest first; for review."""
        query = messages(MessageRow.session_id == session_id).order_by(MessageRow.seq)
        async with self._read() as db:
            return [message_of(row) for row in await db.execute(query)]

    async def last_user(self, session_id: str) -> Message | None:
        """The newest message of the person that is not superseded."""
        async with self._read() as db:
            row = (await db.execute(_last_user(session_id))).one_or_none()
        return None if row is None else message_of(row)

    async def reply_of(self, message_id: str) -> Message | None:
        """The reply to a person's message that counts, if there is one."""
        async with self._read() as db:
            query = messages(MessageRow.reply_to == message_id, is_active())
            row = (await db.execute(query)).one_or_none()
        return None if row is None else message_of(row)

    async def set_aside_replies(self, message_id: str) -> list[str]:
        """Texts of the replies to a person's message that were set aside for another one, oldest first."""
        query = (
            select(MessageRow.text)
            .where(MessageRow.reply_to == message_id, MessageRow.superseded_at.is_not(None))
            .order_by(MessageRow.seq)
        )
        async with self._read() as db:
            return list((await db.execute(query)).scalars())

    async def supersede_from(self, session_id: str, message_id: str) -> int:
        """Take a message and all later ones out of the history; their rows stay.

        Returns:
            How many messages were taken out; 0 if the message is not of this conversation.
        """
        async with self._write() as db:
            await lock_session(db, session_id)
            return await supersede(db, session_id, message_id, self._now())


def _last_user(session_id: str) -> AnySelect:
    return (
        messages(
            MessageRow.session_id == session_id,
            MessageRow.role == MessageRole.USER,
            MessageRow.superseded_at.is_(None),
        )
        .order_by(MessageRow.seq.desc())
        .limit(1)
    )
