"""Agreement of staff over a database: what is counted, by month, and what they disagree on."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import URL

from app.agreement import Metric
from app.agreement_report import AgreementReport, agreement_report
from app.db.engine import SessionFactory
from app.db.export_records import ExportFilter
from app.db.rating_exports import RatingExportRepository
from app.db.records import Message
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store

ANN, BEN, CIM = "staff:ann", "staff:ben", "staff:cim"
OVERLAP, SUPPORT = "tactic.advice", "support.encouragement"


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    """SQLite is enough here: the statements have their tests on both databases."""
    shutil.copy(sqlite_template, tmp_path / "report.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "report.sqlite3"))


@pytest.fixture
def store(factory: SessionFactory) -> Store:
    return a_store(factory, FakeClock(datetime(2026, 5, 20, tzinfo=UTC)))


async def replies(store: Store, number: int, *, consent: bool = True) -> list[Message]:
    person = await store.person()
    await store.persons.update(person.id, consent=consent)
    session = await store.session(person)
    return [(await store.turn(session, "hello", {}))[1] for _ in range(number)]


async def report(store: Store, most: int = 50) -> AgreementReport:
    return await agreement_report(RatingExportRepository(store.factory), ExportFilter(), most)


async def test_units_raters_and_values_are_counted_where_two_raters_judged(store: Store) -> None:
    one, two, three = await replies(store, 3)
    for reply in (one, two):
        await store.feedback.set_rating(reply.id, ANN, 1)
        await store.feedback.set_rating(reply.id, BEN, -1)
    await store.feedback.set_rating(one.id, CIM, 1)
    await store.feedback.set_rating(three.id, ANN, 1)
    await store.feedback.set_rating(three.id, "person:x", 1)
    whole, month = (await report(store)).measures
    assert (whole.period, month.period, whole.measure, whole.raters) == ("all", "2026-05", "thumbs", 3)
    assert (whole.found.units, whole.found.values) == (2, 5)
    assert month.found == whole.found


async def test_scales_are_ordinal_and_tactics_nominal(store: Store) -> None:
    for number, reply in enumerate(await replies(store, 4)):
        for rater in (ANN, BEN):
            await store.scores.set_scores(reply.id, rater, {OVERLAP: number % 2, SUPPORT: number + 1})
    found = {one.measure: one for one in (await report(store)).measures if one.period == "all"}
    assert {name: one.metric for name, one in found.items()} == {
        OVERLAP: Metric.NOMINAL,
        SUPPORT: Metric.ORDINAL,
    }
    assert {one.found.alpha for one in found.values()} == {1}


async def test_a_reply_counts_in_the_month_of_its_last_judgement(store: Store) -> None:
    (reply,) = await replies(store, 1)
    await store.feedback.set_rating(reply.id, ANN, 1)
    store.clock.advance(days=20)
    await store.feedback.set_rating(reply.id, BEN, 1)
    assert [one.period for one in (await report(store)).measures] == ["all", "2026-06"]


async def test_what_may_not_leave_counts_for_nothing(store: Store) -> None:
    (reply,) = await replies(store, 1, consent=False)
    for rater, value in ((ANN, 1), (BEN, -1)):
        await store.feedback.set_rating(reply.id, rater, value)
    assert await report(store) == AgreementReport((), ())


async def test_the_largest_disagreement_comes_first_with_its_values(store: Store) -> None:
    near, far, none = await replies(store, 3)
    for reply, values in ((near, (3, 4)), (far, (1, 5)), (none, (2, 2))):
        for rater, value in zip((ANN, BEN), values, strict=True):
            await store.scores.set_scores(reply.id, rater, {SUPPORT: value})
            await store.feedback.set_rating(reply.id, rater, 1)
    found = (await report(store)).disagreements
    assert [(one.message_id, one.values) for one in found] == [
        (far.id, {SUPPORT: (1, 5)}),
        (near.id, {SUPPORT: (3, 4)}),
    ]
    assert [one.size for one in found] == [pytest.approx(0.5), pytest.approx(1 / 32)]
    assert [one.message_id for one in (await report(store, most=1)).disagreements] == [far.id]
