"""Persons: the end users, their settings, and their right to download and delete."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import CursorResult, delete, exists, func, or_, select, update

from app.db.annotation_queue import dequeue_person, enqueue_person
from app.db.ownership import count_owned, export_owned, stream_owned
from app.db.records import MessageStatus, Person, ReplySource
from app.db.repository import AnyRow, AnySelect, Repository, columns_of, upsert_into
from app.db.tables import MessageRow, PersonRow, RiskAssessmentRow, SessionRow
from app.db.types import new_id
from safety.levels import RiskLevel


@dataclass(frozen=True, slots=True)
class Unset:
    """Marks an argument that was not given, where ``None`` is a value."""


UNSET: Final = Unset()

_COLUMNS = columns_of(Person, PersonRow)


class PersonRepository(Repository):
    """All SQL about persons."""

    async def create(
        self, locale: str = "en", country: str | None = None, timezone: str | None = None
    ) -> Person:
        """Make a person; consent to research is off and was not asked yet."""
        return await self.ensure(new_id(), locale=locale, country=country, timezone=timezone)

    async def ensure(
        self, person_id: str, *, locale: str, country: str | None = None, timezone: str | None = None
    ) -> Person:
        """The person of this id, made now if there is none; an existing one stays as it is.

        Args:
            person_id: A random id that the server made and signed for this browser.
            locale: Language of pages and written replies.
            country: ISO code for helplines, if it can be guessed.
            timezone: IANA name, if the browser told it.
        """
        now = self._now()
        values: dict[str, Any] = {
            "id": person_id,
            "locale": locale,
            "country": country,
            "timezone": timezone,
            "consent": False,
            "consent_at": None,
            "created_at": now,
            "last_seen_at": now,
        }
        async with self._write() as db:
            statement = upsert_into(db, PersonRow).values(values)
            await db.execute(statement.on_conflict_do_nothing(index_elements=["id"]))
            return Person(*(await db.execute(_by_id(person_id))).one())

    async def get(self, person_id: str) -> Person | None:
        """The person, or ``None`` if there is none of that id."""
        async with self._read() as db:
            return _person((await db.execute(_by_id(person_id))).one_or_none())

    async def is_empty(self) -> bool:
        """Whether there is no person at all."""
        async with self._read() as db:
            return (await db.execute(select(PersonRow.id).limit(1))).one_or_none() is None

    async def update(
        self,
        person_id: str,
        *,
        locale: str | None = None,
        country: str | Unset | None = UNSET,
        timezone: str | Unset | None = UNSET,
        consent: bool | None = None,
    ) -> Person | None:
        """Change what was given and return the person, or ``None`` if there is none of that id.

        ``country=None`` and ``timezone=None`` forget the value. Any answer to the consent
        question, yes or no, is stored with its time.
        """
        values: dict[str, Any] = {"last_seen_at": self._now()}
        if locale is not None:
            values["locale"] = locale
        if not isinstance(country, Unset):
            values["country"] = country
        if not isinstance(timezone, Unset):
            values["timezone"] = timezone
        if consent is not None:
            values |= {"consent": consent, "consent_at": self._now()}
        async with self._write() as db:
            await db.execute(update(PersonRow).where(PersonRow.id == person_id).values(values))
            if consent is not None:
                await (enqueue_person if consent else dequeue_person)(db, person_id)
            return _person((await db.execute(_by_id(person_id))).one_or_none())

    async def ask_consent(self, person_id: str, after_replies: int) -> bool:
        """Note that the research question is put now, if this is a moment for it.

        Args:
            person_id: The person.
            after_replies: Complete replies of a model that they must have had before.

        Returns:
            True once in a person's life: never if they answered already, and never while a conversation
            of theirs is or was at risk.
        """
        replies = (
            select(func.count())
            .select_from(MessageRow)
            .join(SessionRow)
            .where(
                SessionRow.person_id == person_id,
                MessageRow.status == MessageStatus.COMPLETE,
                MessageRow.source == ReplySource.MODEL,
            )
        )
        worried = exists().where(
            RiskAssessmentRow.session_id == SessionRow.id, RiskAssessmentRow.level >= RiskLevel.MODERATE
        )
        at_risk = exists().where(
            SessionRow.person_id == person_id, or_(SessionRow.risk_level >= RiskLevel.LOW, worried)
        )
        statement = (
            update(PersonRow)
            .where(
                PersonRow.id == person_id,
                PersonRow.consent_at.is_(None),
                PersonRow.consent_asked_at.is_(None),
            )
            .where(replies.scalar_subquery() >= after_replies, ~at_risk)
            .values(consent_asked_at=self._now())
            .returning(PersonRow.id)
        )
        async with self._write() as db:
            return (await db.execute(statement)).one_or_none() is not None

    async def touch(self, person_id: str) -> bool:
        """Note that the person was here now; False if there is none of that id."""
        statement = update(PersonRow).where(PersonRow.id == person_id).values(last_seen_at=self._now())
        async with self._write() as db:
            return cast("CursorResult[Any]", await db.execute(statement)).rowcount > 0

    async def delete_everything(self, person_id: str) -> dict[str, int]:
        """Delete the person and every row of every table that belongs to them.

        Returns:
            Rows deleted, by table name; empty if there is no such person.
        """
        async with self._erase() as db:
            counts = await count_owned(db, person_id)
            await db.execute(delete(PersonRow).where(PersonRow.id == person_id))
        return counts

    async def export(self, person_id: str) -> dict[str, Any]:
        """All that is stored about the person, ready for JSON.

        Returns:
            Rows as dictionaries by table name, ``persons`` first; empty if there is no such
            person. Staff appear as ``"staff"`` only.
        """
        async with self._read() as db:
            return await export_owned(db, person_id)

    async def stream(self, person_id: str) -> AsyncGenerator[tuple[str, dict[str, Any]]]:
        """The rows of :meth:`export` one by one, with their table's name, in one read transaction."""
        async with self._read() as db:
            async for name, row in stream_owned(db, person_id):
                yield name, row


def _by_id(person_id: str) -> AnySelect:
    return select(*_COLUMNS).where(PersonRow.id == person_id)


def _person(row: AnyRow | None) -> Person | None:
    return None if row is None else Person(*row)
