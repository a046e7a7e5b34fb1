"""The statements on messages that several repositories need inside their own transactions."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.annotation_queue import dequeue_superseded
from app.db.errors import ConflictError, GoneError
from app.db.records import Message, MessageRole, MessageStatus, NewReply
from app.db.repository import AnyRow, AnySelect, columns_of, insert_row
from app.db.sessions import lock_session
from app.db.tables import MessageRow, SessionRow
from app.db.types import new_id

MESSAGE_COLUMNS = columns_of(Message, MessageRow)

USER_STATUSES = frozenset(
    {
        MessageStatus.STORED,
        MessageStatus.ANSWERING,
        MessageStatus.ANSWERED,
        MessageStatus.STOPPED,
        MessageStatus.FAILED,
    }
)
REPLY_STATUSES = frozenset(
    {MessageStatus.COMPLETE, MessageStatus.STOPPED, MessageStatus.BLOCKED, MessageStatus.FALLBACK}
)


def messages(*conditions: ColumnElement[bool]) -> AnySelect:
    """Select the columns of a message record."""
    return select(*MESSAGE_COLUMNS).where(*conditions)


def message_of(row: AnyRow) -> Message:
    """A record from a row of :data:`MESSAGE_COLUMNS`."""
    return Message(*row)


def is_active() -> ColumnElement[bool]:
    """Messages that are part of the conversation as the person sees it."""
    return MessageRow.superseded_at.is_(None) & (MessageRow.status != MessageStatus.BLOCKED)


async def insert_message(
    db: AsyncSession, session_id: str, at: datetime, values: Mapping[str, Any]
) -> Message:
    """Append a message under the next sequence number of its conversation.

    Raises:
        GoneError: There is no such conversation (any more).
    """
    count_up = (
        update(SessionRow)
        .where(SessionRow.id == session_id)
        .values(last_seq=SessionRow.last_seq + 1, last_activity_at=at)
        .returning(SessionRow.last_seq)
    )
    seq = (await db.execute(count_up)).scalar_one_or_none()
    if seq is None:
        raise GoneError("the conversation does not exist")
    place = {"id": new_id(), "session_id": session_id, "seq": seq, "created_at": at, "status_at": at}
    return message_of(await insert_row(db, MessageRow, place | dict(values), MESSAGE_COLUMNS))


async def find_by_key(db: AsyncSession, session_id: str, client_key: str | None) -> Message | None:
    """The message of a conversation that was stored with this key."""
    digest = key_digest(client_key)
    if digest is None:
        return None
    same_key = messages(MessageRow.session_id == session_id, MessageRow.client_key == digest)
    row = (await db.execute(same_key)).one_or_none()
    return None if row is None else message_of(row)


async def insert_user(
    db: AsyncSession, session_id: str, at: datetime, text: str, client_key: str | None
) -> Message:
    """Append a person's message, or find the one that was stored with the same key."""
    await lock_session(db, session_id)
    stored = await find_by_key(db, session_id, client_key)
    if stored is not None:
        return stored
    values = {
        "role": MessageRole.USER,
        "text": text,
        "status": MessageStatus.STORED,
        "client_key": key_digest(client_key),
    }
    return await insert_message(db, session_id, at, values)


async def insert_reply(
    db: AsyncSession, session_id: str, reply_to: str, at: datetime, reply: NewReply
) -> Message:
    """Append a reply to a person's message of the same conversation.

    Raises:
        GoneError: That message does not exist (any more).
        ConflictError: It has a reply that counts already.
        ValueError: The status is none of a reply.
    """
    if reply.status not in REPLY_STATUSES:
        raise ValueError(f"{reply.status} is no status of a reply")
    await lock_session(db, session_id)
    target = messages(MessageRow.id == reply_to, MessageRow.session_id == session_id)
    if (await db.execute(target)).one_or_none() is None:
        raise GoneError("the message does not exist")
    other = messages(MessageRow.reply_to == reply_to, is_active()).limit(1)
    if reply.status is not MessageStatus.BLOCKED and (await db.execute(other)).one_or_none() is not None:
        raise ConflictError("the message has a reply already")
    values = {
        "role": MessageRole.ASSISTANT,
        "text": reply.text,
        "status": reply.status,
        "source": reply.source,
        "model": reply.model,
        "error": reply.error,
        "style": reply.style,
        "reply_to": reply_to,
    }
    return await insert_message(db, session_id, at, values)


async def change_status(
    db: AsyncSession,
    message_id: str,
    at: datetime,
    status: MessageStatus,
    error: str | None,
    only_from: frozenset[MessageStatus] | None = None,
) -> bool:
    """Set a message's status, if it has one of the statuses of ``only_from``."""
    statement = (
        update(MessageRow)
        .where(MessageRow.id == message_id)
        .values(status=status, status_at=at, error=error)
        .returning(MessageRow.id)
    )
    if only_from is not None:
        statement = statement.where(MessageRow.status.in_(only_from))
    return (await db.execute(statement)).one_or_none() is not None


async def supersede(db: AsyncSession, session_id: str, message_id: str, at: datetime) -> int:
    """Take a message and all later ones of its conversation out of the history."""
    first = (
        select(MessageRow.seq)
        .where(MessageRow.id == message_id, MessageRow.session_id == session_id)
        .scalar_subquery()
    )
    statement = (
        update(MessageRow)
        .where(
            MessageRow.session_id == session_id, MessageRow.seq >= first, MessageRow.superseded_at.is_(None)
        )
        .values(superseded_at=at)
        .returning(MessageRow.id)
    )
    replaced = len((await db.execute(statement)).all())
    await dequeue_superseded(db, session_id)
    return replaced


def key_digest(client_key: str | None) -> str | None:
    """A browser's key as it is stored: any length and content becomes 64 characters, empty is none."""
    return hashlib.sha256(client_key.encode("utf-8", "replace")).hexdigest() if client_key else None
