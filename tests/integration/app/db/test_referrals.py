from datetime import UTC, datetime

import pytest

from app.db.errors import GoneError
from app.db.records import Message, Referral, ReferralCount, Session
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store


async def refer(
    store: Store, session: Session, message: Message, *lines: str, country: str = "US"
) -> Referral:
    return await store.referrals.add(
        session.id, message.id, country, RiskLevel.IMMINENT, RiskCategory.SUICIDE, lines
    )


async def test_the_last_referral_is_read_as_stored(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await refer(store, session, message, "an older line")
    clock.advance(seconds=1)
    stored = await refer(store, session, message, "a line", "another")
    assert stored.line_names == ("a line", "another")
    assert await store.referrals.last(session.id) == stored


async def test_there_is_no_last_one_where_nothing_was_shown(store: Store) -> None:
    session = await store.session()
    assert await store.referrals.last(session.id) is None


async def test_all_of_a_conversation_come_oldest_first(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    first = await refer(store, session, message, "a")
    clock.advance(seconds=1)
    second = await refer(store, session, message, "b")
    assert await store.referrals.for_session(session.id) == [first, second]


async def test_referrals_are_counted_by_month_in_utc(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    for moment in (
        datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC),
        datetime(2026, 2, 1, 0, 0, 0, tzinfo=UTC),
        datetime(2026, 2, 28, tzinfo=UTC),
    ):
        clock.time = moment
        await refer(store, session, message, "a")
    assert await store.referrals.count_by_month() == [
        ReferralCount("2026-01", "US", RiskLevel.IMMINENT, RiskCategory.SUICIDE, 1),
        ReferralCount("2026-02", "US", RiskLevel.IMMINENT, RiskCategory.SUICIDE, 2),
    ]


async def test_a_referral_in_a_deleted_conversation_is_refused(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await refer(store, session, message, "a")


async def test_the_count_outlives_the_conversation(store: Store, clock: FakeClock) -> None:
    clock.time = datetime(2026, 3, 1, tzinfo=UTC)
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await refer(store, session, message, "a")
    await store.sessions.delete(session.id, session.person_id)
    assert await store.referrals.count_by_month() == [
        ReferralCount("2026-03", "US", RiskLevel.IMMINENT, RiskCategory.SUICIDE, 1)
    ]
