"""The most urgent flag stands first: the order of the list is that of the deadlines it shows."""

from datetime import timedelta

from app.db.flag_queue import QueuePart
from app.db.records import Flag, FlagOutcome, Session, Staff, StaffRole
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store

LIMITS = {RiskLevel.IMMINENT: timedelta(minutes=15), RiskLevel.MODERATE: timedelta(hours=24)}


async def alarm(store: Store, level: RiskLevel, session: Session | None = None) -> Flag:
    talk = session or await store.session()
    message = await store.messages.add_user(talk.id, "hello")
    return await store.flags.raise_flag(talk.id, message.id, level, RiskCategory.SUICIDE)


async def admin(store: Store) -> Staff:
    return await store.staff.create("reviewer", None, StaffRole.ADMIN)


async def listed(store: Store) -> list[str]:
    """Ids in the order of the page; the other two reads say the same."""
    found = [queued.flag.id for queued in await store.queue.list(QueuePart.OPEN)]
    assert [flag.id for flag in await store.flags.list_open()] == found
    told = [notice.flag.id for notice in await store.notices.pending("mail", LIMITS)]
    assert told == [one for one in found if one in told]
    return found


async def test_a_flag_whose_clock_began_anew_by_a_rise_waits_behind_an_earlier_deadline(
    store: Store, clock: FakeClock
) -> None:
    session = await store.session()
    risen = await alarm(store, RiskLevel.MODERATE, session)
    clock.advance(minutes=1)
    overdue = await alarm(store, RiskLevel.IMMINENT)
    clock.advance(minutes=20)
    await alarm(store, RiskLevel.IMMINENT, session)
    assert await listed(store) == [overdue.id, risen.id]


async def test_a_reopened_flag_waits_behind_an_earlier_deadline(store: Store, clock: FakeClock) -> None:
    staff = await admin(store)
    old = await alarm(store, RiskLevel.IMMINENT)
    closed = await store.flags.set_outcome(old.id, FlagOutcome.FALSE_ALARM, staff.id, old.version)
    clock.advance(minutes=5)
    newer = await alarm(store, RiskLevel.IMMINENT)
    clock.advance(minutes=5)
    await store.flags.reopen(old.id, closed.version)
    assert await listed(store) == [newer.id, old.id]


async def test_the_longest_overdue_flag_of_a_level_is_on_top(store: Store, clock: FakeClock) -> None:
    longest = await alarm(store, RiskLevel.IMMINENT)
    clock.advance(minutes=30)
    overdue = await alarm(store, RiskLevel.IMMINENT)
    clock.advance(minutes=30)
    waiting = await alarm(store, RiskLevel.IMMINENT)
    moderate = await alarm(store, RiskLevel.MODERATE)
    assert await listed(store) == [longest.id, overdue.id, waiting.id, moderate.id]


async def test_of_two_with_one_deadline_the_one_nobody_has_taken_comes_first(store: Store) -> None:
    staff = await admin(store)
    flags = [await alarm(store, RiskLevel.IMMINENT) for _ in range(2)]
    for taken, free in (flags, flags[::-1]):
        now = await store.flags.get(taken.id)
        assert now is not None
        given = await store.flags.assign(taken.id, staff.id, now.version)
        assert await listed(store) == [free.id, taken.id]
        await store.flags.assign(taken.id, None, given.version)


async def test_an_answered_flag_has_no_deadline_and_comes_last_in_its_level(
    store: Store, clock: FakeClock
) -> None:
    staff = await admin(store)
    answered = await alarm(store, RiskLevel.IMMINENT)
    await store.flags.set_outcome(answered.id, FlagOutcome.NEEDS_FOLLOW_UP, staff.id, answered.version)
    clock.advance(minutes=5)
    waiting = await alarm(store, RiskLevel.IMMINENT)
    moderate = await alarm(store, RiskLevel.MODERATE)
    assert await listed(store) == [waiting.id, answered.id, moderate.id]
