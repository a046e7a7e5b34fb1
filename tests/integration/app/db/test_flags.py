import pytest

from app.db.errors import ConflictError, GoneError
from app.db.records import Flag, FlagOutcome, FlagStatus, Session, Staff, StaffRole
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store


async def alarm(
    store: Store,
    session: Session,
    level: RiskLevel = RiskLevel.MODERATE,
    category: RiskCategory = RiskCategory.SUICIDE,
) -> Flag:
    message = await store.messages.add_user(session.id, "hello")
    return await store.flags.raise_flag(session.id, message.id, level, category)


async def reviewer(store: Store, name: str = "reviewer") -> Staff:
    return await store.staff.create(name, None, StaffRole.ADMIN)


async def test_the_first_alarm_opens_a_flag(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    flag = await alarm(store, session)
    assert (flag.status, flag.level, flag.hits, flag.opened_at) == (
        FlagStatus.OPEN,
        RiskLevel.MODERATE,
        1,
        clock.time,
    )
    assert await store.flags.get(flag.id) == flag


async def test_a_second_alarm_joins_the_open_flag(store: Store) -> None:
    session = await store.session()
    first = await alarm(store, session)
    second = await alarm(store, session)
    assert (second.id, second.hits) == (first.id, 2)


async def test_a_higher_alarm_raises_level_category_and_message(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    first = await alarm(store, session)
    later = clock.advance(minutes=1)
    raised = await alarm(store, session, RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY)
    assert (raised.level, raised.category) == (RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY)
    assert raised.message_id != first.message_id
    assert (raised.opened_at, raised.raised_at) == (first.opened_at, later)


async def test_a_lower_alarm_changes_no_more_than_the_count(store: Store, clock: FakeClock) -> None:
    session = await store.session()
    first = await alarm(store, session, RiskLevel.IMMINENT)
    clock.advance(minutes=1)
    after = await alarm(store, session, RiskLevel.MODERATE, RiskCategory.ABUSE)
    assert (after.level, after.category, after.message_id, after.raised_at, after.version, after.hits) == (
        first.level,
        first.category,
        first.message_id,
        first.raised_at,
        first.version,
        2,
    )


async def test_an_alarm_after_closing_opens_a_new_flag(store: Store) -> None:
    session, staff = await store.session(), await reviewer(store)
    first = await alarm(store, session)
    await store.flags.set_outcome(first.id, FlagOutcome.FALSE_ALARM, staff.id, first.version)
    second = await alarm(store, session)
    assert second.id != first.id
    assert await store.flags.open_for(session.id) == second


async def test_an_alarm_in_a_deleted_conversation_is_refused(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await store.flags.raise_flag(session.id, message.id, RiskLevel.IMMINENT, RiskCategory.SUICIDE)


async def test_the_queue_has_the_highest_level_first_then_the_longest_waiting(
    store: Store, clock: FakeClock
) -> None:
    waiting = []
    for level in (RiskLevel.MODERATE, RiskLevel.IMMINENT, RiskLevel.MODERATE, RiskLevel.IMMINENT):
        waiting.append(await alarm(store, await store.session(), level))
        clock.advance(minutes=1)
    old, urgent, new, newer_urgent = waiting
    assert await store.flags.list_open() == [urgent, newer_urgent, old, new]


async def test_closed_flags_leave_the_queue(store: Store, clock: FakeClock) -> None:
    staff = await reviewer(store)
    flag = await alarm(store, await store.session())
    closed = await store.flags.set_outcome(flag.id, FlagOutcome.TRUE_ALARM, staff.id, flag.version)
    assert (closed.status, closed.closed_by, closed.closed_at) == (FlagStatus.CLOSED, staff.id, clock.time)
    assert await store.flags.list_open() == []
    assert await store.flags.list_closed() == [closed]


async def test_a_follow_up_leaves_the_flag_open_with_its_reviewer(store: Store) -> None:
    staff = await reviewer(store)
    flag = await alarm(store, await store.session())
    after = await store.flags.set_outcome(flag.id, FlagOutcome.NEEDS_FOLLOW_UP, staff.id, flag.version)
    assert (after.status, after.outcome, after.assigned_to) == (
        FlagStatus.OPEN,
        FlagOutcome.NEEDS_FOLLOW_UP,
        staff.id,
    )


async def test_a_reviewer_who_saw_an_older_state_overwrites_nothing(store: Store) -> None:
    staff = await reviewer(store)
    flag = await alarm(store, await store.session())
    first = await store.flags.set_outcome(flag.id, FlagOutcome.TRUE_ALARM, staff.id, flag.version)
    with pytest.raises(ConflictError):
        await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, staff.id, flag.version)
    assert await store.flags.get(flag.id) == first


async def test_a_reviewer_must_look_again_after_the_level_rose(store: Store) -> None:
    session, staff = await store.session(), await reviewer(store)
    flag = await alarm(store, session)
    await alarm(store, session, RiskLevel.IMMINENT)
    with pytest.raises(ConflictError):
        await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, staff.id, flag.version)


async def test_a_flag_can_be_assigned_and_given_back(store: Store) -> None:
    staff = await reviewer(store)
    flag = await alarm(store, await store.session())
    assigned = await store.flags.assign(flag.id, staff.id, flag.version)
    assert assigned.assigned_to == staff.id
    assert (await store.flags.assign(flag.id, None, assigned.version)).assigned_to is None


async def test_a_closed_flag_can_be_reopened(store: Store) -> None:
    session, staff = await store.session(), await reviewer(store)
    flag = await alarm(store, session)
    closed = await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, staff.id, flag.version)
    reopened = await store.flags.reopen(flag.id, closed.version)
    assert (reopened.status, reopened.closed_at, reopened.closed_by) == (FlagStatus.OPEN, None, None)
    assert await store.flags.open_for(session.id) == reopened


async def test_a_flag_is_not_reopened_beside_an_open_one(store: Store) -> None:
    session, staff = await store.session(), await reviewer(store)
    flag = await alarm(store, session)
    closed = await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, staff.id, flag.version)
    newer = await alarm(store, session)
    with pytest.raises(ConflictError):
        await store.flags.reopen(flag.id, closed.version)
    assert await store.flags.open_for(session.id) == newer


async def test_a_change_of_a_deleted_flag_says_so(store: Store) -> None:
    session = await store.session()
    flag = await alarm(store, session)
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await store.flags.assign(flag.id, None, flag.version)


async def test_notes_persist_in_order_with_author_and_time(store: Store, clock: FakeClock) -> None:
    first_author, second_author = await reviewer(store, "a"), await reviewer(store, "b")
    flag = await alarm(store, await store.session())
    first = await store.flags.add_note(flag.id, first_author.id, "called back")
    clock.advance(minutes=1)
    second = await store.flags.add_note(flag.id, second_author.id, "safe now")
    assert (second.author_id, second.text, second.created_at) == (second_author.id, "safe now", clock.time)
    assert await store.flags.notes(flag.id) == [first, second]


async def test_a_note_on_a_deleted_flag_is_refused(store: Store) -> None:
    session, staff = await store.session(), await reviewer(store)
    flag = await alarm(store, session)
    await store.sessions.delete(session.id, session.person_id)
    with pytest.raises(GoneError):
        await store.flags.add_note(flag.id, staff.id, "too late")
