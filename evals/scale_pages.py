"""The questions that each page asks at its first view, through the same repositories."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from sqlalchemy import select

from app.db.annotation import AnnotationRepository
from app.db.audit import AuditRepository
from app.db.candidates import CandidateRepository
from app.db.engine import SessionFactory
from app.db.flag_queue import FlagQueueRepository, QueuePart
from app.db.flags import FlagRepository
from app.db.insights_flags import FlagInsights
from app.db.insights_read import Choice, InsightsRepository
from app.db.insights_records import Figure
from app.db.messages import MessageRepository
from app.db.missed import MissedRepository
from app.db.referrals import ReferralRepository
from app.db.risk import RiskRepository
from app.db.sessions import SessionRepository
from app.db.staff import StaffRepository
from app.db.tables import SessionRow
from app.ui.insights import insights_html
from app.ui.review_desk import ReviewDesk
from app.ui.staff_texts import load_staff_texts
from safety.helplines import load_directory
from safety.levels import RiskLevel

Page = Callable[[], Awaitable[object]]
_ALLOWED = {RiskLevel.IMMINENT: timedelta(minutes=15), RiskLevel.MODERATE: timedelta(hours=24)}
_K = 5
_RATER = "staff:00000000-0000-4000-8000-000000000000"


async def pages(factory: SessionFactory) -> dict[str, Page]:
    """By name: what a page asks when it is opened."""
    person, session = await _somebody(factory)
    return {
        "review": lambda: FlagQueueRepository(factory).list(QueuePart.OPEN),
        "annotate": lambda: _annotate(factory),
        "rank": lambda: _rank(factory),
        "transcript": lambda: _transcript(factory, session),
        "insights": lambda: _insights(factory, Choice()),
        "insights, 90 days": lambda: _insights(factory, Choice(days=90)),
        "insights, all": lambda: _insights(factory, Choice(days=None)),
        "insights, CSV": lambda: InsightsRepository(factory, _K).base_cells(Choice(), Figure.THUMBS),
        "a person's conversations": lambda: SessionRepository(factory).list_for(person),
        "audit": lambda: AuditRepository(factory).recent(),
        "referrals": lambda: ReferralRepository(factory).count_by_month(),
    }


def _desk(factory: SessionFactory) -> ReviewDesk:
    return ReviewDesk(
        FlagRepository(factory),
        MessageRepository(factory),
        RiskRepository(factory),
        ReferralRepository(factory),
        StaffRepository(factory),
        AuditRepository(factory),
        CandidateRepository(factory),
        MissedRepository(factory),
        load_directory(),
    )


async def _annotate(factory: SessionFactory) -> None:
    queue = AnnotationRepository(factory)
    await queue.next_reply(_RATER)
    await queue.progress(_RATER)


async def _rank(factory: SessionFactory) -> None:
    queue = AnnotationRepository(factory)
    await queue.next_turn(_RATER)
    await queue.ranking_progress(_RATER)


async def _transcript(factory: SessionFactory, session: str) -> None:
    """What the review page reads of a flagged conversation, without the line in the audit log."""
    flag = await FlagRepository(factory).open_for(session)
    if flag is not None:
        desk = _desk(factory)
        await desk.transcript((await desk.brief(flag.id)).flag)
        return
    await MessageRepository(factory).full_log(session)
    await RiskRepository(factory).for_session(session)
    await ReferralRepository(factory).for_session(session)
    await CandidateRepository(factory).chosen(session)


async def _insights(factory: SessionFactory, choice: Choice) -> None:
    """All that the page shows, its plots and tables too."""
    figures, flags = InsightsRepository(factory, _K), FlagInsights(factory)
    await figures.choices()
    await insights_html(figures, flags, choice, _ALLOWED, load_staff_texts()["en"])


async def _somebody(factory: SessionFactory) -> tuple[str, str]:
    """A person and one of the longest conversations."""
    longest = select(SessionRow.person_id, SessionRow.id).order_by(SessionRow.last_seq.desc()).limit(1)
    async with factory() as db:
        row = (await db.execute(longest)).one()
    return row.person_id, row.id
