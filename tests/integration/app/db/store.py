"""All repositories over one database, and short ways to fill it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select

from app.db.annotation_tables import AnnotationQueueRow
from app.db.audit import AuditRepository
from app.db.candidates import CandidateRepository
from app.db.engine import WRITES, SessionFactory
from app.db.facts import FactRepository
from app.db.feedback import FeedbackRepository
from app.db.flag_notices import FlagNoticeRepository
from app.db.flag_queue import FlagQueueRepository
from app.db.flags import FlagRepository
from app.db.memory_records import FactSource
from app.db.messages import MessageRepository
from app.db.missed import MissedRepository
from app.db.persons import PersonRepository
from app.db.rankings import RankingRepository
from app.db.records import Message, MessageStatus, NewCandidate, NewReply, Person, ReplySource, Session
from app.db.referrals import ReferralRepository
from app.db.risk import RiskRepository
from app.db.schema import METADATA
from app.db.scores import ScoreRepository
from app.db.sessions import SessionRepository
from app.db.staff import StaffRepository
from app.db.staff_records import StaffRole
from app.db.staff_sessions import StaffSessionRepository
from app.db.verdicts import VerdictRepository
from models.facts import FactKind, FoundFact
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch, SessionRisk
from tests.fakes.clock import FakeClock

SHOWN = NewReply("I hear you.", MessageStatus.COMPLETE, ReplySource.MODEL, "a-model")


@dataclass
class Store:
    factory: SessionFactory
    clock: FakeClock
    persons: PersonRepository
    sessions: SessionRepository
    messages: MessageRepository
    candidates: CandidateRepository
    facts: FactRepository
    risk: RiskRepository
    referrals: ReferralRepository
    flags: FlagRepository
    queue: FlagQueueRepository
    notices: FlagNoticeRepository
    missed: MissedRepository
    verdicts: VerdictRepository
    feedback: FeedbackRepository
    scores: ScoreRepository
    rankings: RankingRepository
    staff: StaffRepository
    staff_sessions: StaffSessionRepository
    audit: AuditRepository

    async def person(self) -> Person:
        return await self.persons.create("en", "US", "Europe/Berlin")

    async def session(self, person: Person | None = None) -> Session:
        owner = person or await self.person()
        return await self.sessions.create(owner.id, "en", "a-model")

    async def reply(
        self, to: Message, *counts: dict[str, int], reply: NewReply = SHOWN, chosen: int = 0
    ) -> Message:
        """Answer a message with as many candidates as there are counts."""
        rows = [
            NewCandidate(position=place, text=f"text {place}", chosen=place == chosen, tactic_counts=tactics)
            for place, tactics in enumerate(counts)
        ]
        return await self.messages.reply_with_candidates(to.session_id, to.id, reply, rows)

    async def turn(self, session: Session, text: str, *counts: dict[str, int]) -> tuple[Message, Message]:
        message = await self.messages.add_user(session.id, text)
        return message, await self.reply(message, *counts)

    async def full_life(self, person: Person) -> Session:
        """A person with at least one row in every table that can hold one."""
        session = await self.session(person)
        message, reply = await self.turn(session, "I am sad", {"validation": 1}, {"advice": 2})
        await self.facts.note(
            message.id, [FoundFact(FactKind.PET, "my cat is 15")], FactSource.RULES, RiskLevel.NONE, 60
        )
        await self.risk.add(message.id, session.id, an_assessment())
        await self.referrals.add(
            session.id, message.id, "US", RiskLevel.MODERATE, RiskCategory.SUICIDE, ["A line"]
        )
        flag = await self.flags.raise_flag(session.id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
        reviewer = await self.staff.create(f"reviewer of {session.id}", None, StaffRole.ADMIN)
        await self.flags.add_note(flag.id, reviewer.id, "a note")
        await self.flags.assign(flag.id, reviewer.id, flag.version)
        await self.notices.claim(flag.id, "mail", self.clock())
        await self.missed.mark(
            message.id, session.id, RiskLevel.MODERATE, RiskCategory.SELF_HARM, reviewer.id
        )
        await self.feedback.set_rating(reply.id, f"person:{person.id}", 1, ["warm"], "thanks")
        await self.feedback.set_rating(reply.id, f"staff:{reviewer.id}", -1)
        await self.scores.set_scores(reply.id, f"staff:{reviewer.id}", {"tactic.advice": 1})
        ids = [one.id for one in await self.candidates.for_message(message.id)]
        await self.rankings.set_ranking(message.id, f"staff:{reviewer.id}", {ids[0]: 1, ids[1]: 2})
        await self._queue_though_flagged(message, reply)
        return session

    async def _queue_though_flagged(self, message: Message, reply: Message) -> None:
        """A conversation with a flag has no row in the queue by itself; a full life has one everywhere."""
        values = {
            "message_id": reply.id,
            "session_id": reply.session_id,
            "user_message_id": message.id,
            "draw": 0,
            "ratings": 0,
            "created_at": reply.created_at,
        }
        async with self.factory.begin() as db:
            await db.connection(execution_options={WRITES: True})
            await db.execute(insert(AnnotationQueueRow).values(values))

    async def rows(self, *, without: frozenset[str] = frozenset()) -> dict[str, int]:
        """Number of rows of each table."""
        async with self.factory() as db:
            return {
                table.name: (await db.execute(select(func.count()).select_from(table))).scalar_one()
                for table in METADATA.sorted_tables
                if table.name not in without
            }

    async def contents(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        async with self.factory() as db:
            return [dict(row) for row in (await db.execute(select(METADATA.tables[table]))).mappings()]


def a_store(factory: SessionFactory, clock: FakeClock) -> Store:
    kinds = {
        "persons": PersonRepository,
        "sessions": SessionRepository,
        "messages": MessageRepository,
        "candidates": CandidateRepository,
        "facts": FactRepository,
        "risk": RiskRepository,
        "referrals": ReferralRepository,
        "flags": FlagRepository,
        "queue": FlagQueueRepository,
        "notices": FlagNoticeRepository,
        "missed": MissedRepository,
        "verdicts": VerdictRepository,
        "feedback": FeedbackRepository,
        "scores": ScoreRepository,
        "rankings": RankingRepository,
        "staff": StaffRepository,
        "staff_sessions": StaffSessionRepository,
        "audit": AuditRepository,
    }
    return Store(factory, clock, **{name: kind(factory, clock) for name, kind in kinds.items()})


def an_assessment(
    level: RiskLevel = RiskLevel.MODERATE, category: RiskCategory = RiskCategory.SUICIDE
) -> RiskAssessment:
    return RiskAssessment(
        level=level,
        category=category,
        matches=(RiskMatch(level, category, "rules", "en.plan", 3, 9),),
        session=SessionRisk(level, category, 1.5, 0, True),
        failed_layers=("classifier",),
    )
