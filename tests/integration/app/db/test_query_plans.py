"""No query that a person waits for reads a whole table, and none grows with the conversation."""

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.annotation import AnnotationRepository
from app.db.encryption_keys import EncryptionKeyRepository
from app.db.engine import WRITES
from app.db.export_records import ExportFilter
from app.db.flag_queue import QueuePart
from app.db.insights_fill import InsightsCounter
from app.db.insights_flags import FlagInsights
from app.db.insights_read import Choice, InsightsRepository
from app.db.insights_records import Figure
from app.db.job_runs import JobRunRepository
from app.db.preference_exports import PreferenceExportRepository
from app.db.ranking_outcomes import RankingOutcomes
from app.db.rating_exports import RatingExportRepository
from app.db.types import utc_now
from safety.levels import RiskLevel
from tests.integration.app.db.store import Store, an_assessment

TURNS = 200
_ASKED = ExportFilter(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC), "a-model", "en")
LIMITS = {RiskLevel.IMMINENT: timedelta(minutes=15), RiskLevel.MODERATE: timedelta(hours=24)}
_ID = "00000000-0000-4000-8000-000000000000"


def _ratings(store: Store) -> RatingExportRepository:
    return RatingExportRepository(store.factory)


def _preferences(store: Store) -> PreferenceExportRepository:
    return PreferenceExportRepository(store.factory)


READS: dict[str, Callable[[Store], Awaitable[Any]]] = {
    "person": lambda store: store.persons.get(_ID),
    "research question": lambda store: store.persons.ask_consent(_ID, 3),
    "owned session": lambda store: store.sessions.get_owned(_ID, _ID),
    "sessions of a person": lambda store: store.sessions.list_for(_ID),
    "history": lambda store: store.messages.history(_ID),
    "recent history": lambda store: store.messages.recent_history(_ID, 10),
    "log": lambda store: store.messages.full_log(_ID),
    "last message": lambda store: store.messages.last_user(_ID),
    "reply": lambda store: store.messages.reply_of(_ID),
    "owned message": lambda store: store.messages.get_owned(_ID, _ID),
    "candidates": lambda store: store.candidates.for_message(_ID),
    "facts of a session": lambda store: store.facts.of_session(_ID),
    "chosen counts": lambda store: store.candidates.chosen_counts(_ID, 10),
    "chosen texts": lambda store: store.candidates.chosen_texts(_ID, 10),
    "latest verdict": lambda store: store.risk.latest(_ID, at_least=RiskLevel.MODERATE),
    "course of risk": lambda store: store.risk.for_session(_ID),
    "last referral": lambda store: store.referrals.last(_ID),
    "open flag": lambda store: store.flags.open_for(_ID),
    "queue of flags": lambda store: store.flags.list_open(),
    "flags of a session": lambda store: store.flags.for_session(_ID),
    "list of open flags": lambda store: store.queue.list(QueuePart.OPEN),
    "list of closed flags": lambda store: store.queue.list(QueuePart.CLOSED),
    "pending notices": lambda store: store.notices.pending("mail", LIMITS),
    "false alarms": lambda store: store.verdicts.false_alarms(None),
    "misses": lambda store: store.verdicts.misses(None),
    "missed messages": lambda store: store.missed.for_session(_ID),
    "closed flags": lambda store: store.flags.list_closed(),
    "notes": lambda store: store.flags.notes(_ID),
    "rating": lambda store: store.feedback.get(_ID, "person:me"),
    "ratings of a session": lambda store: store.feedback.for_session(_ID, "person:me"),
    "changes of a rating": lambda store: store.feedback.changes(_ID, "person:me"),
    "scores of a reply": lambda store: store.scores.for_reply(_ID, "staff:me"),
    "ranking": lambda store: store.rankings.get(_ID, "staff:me"),
    "keys in use": lambda store: EncryptionKeyRepository(store.factory).known(),
    "last run of a job": lambda store: JobRunRepository(store.factory).last_finished("retention"),
    "next reply to rate": lambda store: AnnotationRepository(store.factory).next_reply("staff:me"),
    "next turn to rank": lambda store: AnnotationRepository(store.factory).next_turn("staff:me"),
    "progress of a rater": lambda store: AnnotationRepository(store.factory).progress("staff:me"),
    "progress of rankings": lambda store: AnnotationRepository(store.factory).ranking_progress("staff:me"),
    "whether a reply may be rated": lambda store: AnnotationRepository(store.factory).may_rate(_ID),
    "results of rankings": lambda store: RankingOutcomes(store.factory).latest(),
    "staff by name": lambda store: store.staff.by_username("ada"),
    "staff by provider's user": lambda store: store.staff.by_subject("https://id.example.org 1"),
    "staff session": lambda store: store.staff_sessions.find("token"),
    "accounts with last seen": lambda store: store.staff.list_seen(),
    "audit": lambda store: store.audit.recent(),
    "audit of an object": lambda store: store.audit.recent(object_type="flag", object_id="1"),
    "audit of an actor": lambda store: store.audit.recent(actor="ada"),
    "models of the last conversations": lambda store: _ratings(store).recent_models(),
    "ratings to export": lambda store: anext(_ratings(store).ratings(_ASKED), None),
    "number of ratings to export": lambda store: _ratings(store).count_ratings(_ASKED),
    "rankings to export": lambda store: anext(_ratings(store).rankings(_ASKED), None),
    "number of rankings to export": lambda store: _ratings(store).count_rankings(_ASKED),
    "labels to export": lambda store: anext(_preferences(store).labelled(_ASKED), None),
    "number of labels to export": lambda store: _preferences(store).count_labelled(_ASKED),
    "pairs to export": lambda store: anext(_preferences(store).pairs(_ASKED), None),
    "number of pairs to export": lambda store: _preferences(store).count_pairs(_ASKED),
    "insights over time": lambda store: InsightsRepository(store.factory, 5).over_time(Choice()),
    "insights by model": lambda store: InsightsRepository(store.factory, 5).by_model_and_language(Choice()),
    "insights of a file": lambda store: InsightsRepository(store.factory, 5).base_cells(
        Choice(), Figure.RISK
    ),
    "choices of insights": lambda store: InsightsRepository(store.factory, 5).choices(),
    "last counted day": lambda store: InsightsRepository(store.factory, 5).last_day(),
    "response times": lambda store: FlagInsights(store.factory).response_times(
        Choice(), {RiskLevel.IMMINENT: timedelta(minutes=15)}
    ),
    "what waits": lambda store: FlagInsights(store.factory).waiting(),
    "figures of a day": lambda store: InsightsCounter(store.factory).count_day(date(2026, 3, 2)),
    "next page of the audit": lambda store: store.audit.recent(after=(utc_now(), _ID)),
    "interrupted turns": lambda store: store.messages.fail_interrupted(),
}


@contextmanager
def recorded(engine: AsyncEngine) -> Iterator[list[tuple[str, Any]]]:
    """All statements sent meanwhile, with their parameters."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        copies = statement.startswith("INSERT") and "SELECT" in statement
        if copies or statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            statements.append((statement, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", note)


async def plan(engine: AsyncEngine, statement: str, parameters: Any) -> str:
    async with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            rows = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            return "\n".join(row[3] for row in rows)
        # The tables are empty, so the planner is told what it would find out on large ones.
        await connection.execute(text("SET LOCAL enable_seqscan = off"))
        rows = await connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
        return "\n".join(row[0] for row in rows)


@pytest.mark.parametrize("name", READS)
async def test_an_index_serves(store: Store, engine: AsyncEngine, name: str) -> None:
    with recorded(engine) as statements:
        await READS[name](store)
    assert statements
    for statement, parameters in statements:
        chosen = await plan(engine, statement, parameters)
        # SQLite says SCAN for a walk along an index too, for what it has in hand from an inner query
        # and for the items of a JSON list; only a table without any index is a whole one.
        assert not re.search(r"Seq Scan|SCAN (?!.*(USING|VIRTUAL TABLE)|anon_|pairs|\()", chosen), chosen


@pytest.fixture
async def long_talk(store: Store) -> str:
    """A conversation of 200 turns; its id."""
    session = await store.session()
    for number in range(TURNS):
        message, _ = await store.turn(session, f"message {number}", {"advice": number}, {})
        if number % 20 == 0:
            await store.risk.add(message.id, session.id, an_assessment())
    return session.id


async def test_every_question_about_a_long_talk_is_one_query(
    store: Store, engine: AsyncEngine, long_talk: str
) -> None:
    with recorded(engine) as statements:
        history = await store.messages.history(long_talk)
        recent = await store.messages.recent_history(long_talk, 10)
        counts = await store.candidates.chosen_counts(long_talk, 10)
        texts = await store.candidates.chosen_texts(long_talk, 10)
        verdict = await store.risk.latest(long_talk)
    assert len(statements) == 5
    assert (len(history), len(recent), len(texts)) == (2 * TURNS, 10, 10)
    assert [count["advice"] for count in counts] == list(range(TURNS - 10, TURNS))
    assert verdict is not None


async def test_the_end_of_a_long_talk_is_read_without_the_rest(
    store: Store, engine: AsyncEngine, long_talk: str
) -> None:
    async with store.factory.begin() as db:
        await db.connection(execution_options={WRITES: True})
        await db.execute(text("ANALYZE"))
    with recorded(engine) as statements:
        await store.messages.recent_history(long_talk, 10)
    [(statement, parameters)] = statements
    chosen = await plan(engine, statement, parameters)
    assert not re.search(r"TEMP B-TREE|Sort", chosen), chosen
