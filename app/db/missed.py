"""Messages whose danger was missed, as reviewers marked them."""

from typing import Any

from sqlalchemy import insert, select

from app.db.annotation_queue import dequeue_session
from app.db.errors import GoneError, NotMissedError
from app.db.flags import open_or_raise
from app.db.records import MessageRole
from app.db.repository import Repository, changed_row, columns_of, upsert_into
from app.db.review_records import Flag, MissedMessage
from app.db.review_tables import FlagNoteRow, FlagRow, MissedMessageRow
from app.db.sessions import lock_session
from app.db.tables import MessageRow, RiskAssessmentRow
from app.db.types import new_id
from safety.levels import RiskCategory, RiskLevel

_COLUMNS = columns_of(MissedMessage, MissedMessageRow)


class MissedRepository(Repository):
    """All SQL about missed messages."""

    async def mark(
        self,
        message_id: str,
        session_id: str,
        level: RiskLevel,
        category: RiskCategory,
        staff_id: str,
        reason: str | None = None,
    ) -> Flag:
        """Mark a person's message as missed, and open a flag for its session or raise the open one.

        Marking it again sets the level and category anew; a reason becomes a note on the flag. One
        transaction does it all, and takes the conversation out of the annotation queue.

        Raises:
            GoneError: There is no such message of a person in this conversation (any more).
            NotMissedError: Its own verdict is of this level and category, or of a higher level.
        """
        now = self._now()
        belongs = select(MessageRow.id).where(
            MessageRow.id == message_id,
            MessageRow.session_id == session_id,
            MessageRow.role == MessageRole.USER,
        )
        verdict = (
            select(RiskAssessmentRow.level, RiskAssessmentRow.category)
            .where(RiskAssessmentRow.message_id == message_id)
            .order_by(RiskAssessmentRow.created_at.desc())
            .limit(1)
        )
        async with self._write() as db:
            await lock_session(db, session_id)
            if (await db.execute(belongs)).one_or_none() is None:
                raise GoneError("there is no such message")
            given = (await db.execute(verdict)).one_or_none()
            if given is not None and (
                given.level > level or (given.level, given.category) == (level, category)
            ):
                raise NotMissedError("the message was not missed")
            raising = open_or_raise(db, session_id, message_id, level, category, now)
            row = await changed_row(db, raising, columns_of(Flag, FlagRow))
            if row is None:
                raise GoneError("the flag was not stored")
            flag = Flag(*row)
            values: dict[str, Any] = {
                "message_id": message_id,
                "flag_id": flag.id,
                "level": level,
                "category": category,
                "marked_by": staff_id,
                "marked_at": now,
            }
            marking = upsert_into(db, MissedMessageRow).values(values)
            del values["message_id"]
            await db.execute(marking.on_conflict_do_update(index_elements=["message_id"], set_=values))
            if reason is not None:
                note = {"id": new_id(), "flag_id": flag.id, "author_id": staff_id, "text": reason}
                await db.execute(insert(FlagNoteRow).values(note | {"created_at": now}))
            await dequeue_session(db, session_id)
        return flag

    async def for_session(self, session_id: str) -> list[MissedMessage]:
        """The missed messages of a conversation, in the order they were marked."""
        query = (
            select(*_COLUMNS)
            .join(FlagRow, FlagRow.id == MissedMessageRow.flag_id)
            .where(FlagRow.session_id == session_id)
            .order_by(MissedMessageRow.marked_at, MissedMessageRow.message_id)
        )
        async with self._read() as db:
            return [MissedMessage(*row) for row in await db.execute(query)]
