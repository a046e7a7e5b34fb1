import asyncio
from datetime import timedelta

import pytest

from app.db.errors import ConflictError, LastAdminError
from app.db.records import Staff, StaffRole
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store

HASH = "$argon2id$…"
NOBODY = "00000000-0000-4000-8000-000000000000"
TOKEN = "a" * 64


async def ada(store: Store) -> Staff:
    return await store.staff.create("Ada@Example.org ", HASH, StaffRole.ADMIN)


async def test_an_account_is_read_as_stored(store: Store) -> None:
    staff = await ada(store)
    assert await store.staff.get(staff.id) == staff


async def test_a_user_name_is_found_in_any_case(store: Store) -> None:
    staff = await ada(store)
    assert staff.username == "ada@example.org"
    assert await store.staff.by_username(" ADA@example.ORG") == staff


async def test_a_user_name_is_given_once(store: Store) -> None:
    await ada(store)
    with pytest.raises(ConflictError):
        await store.staff.create("ada@example.org", HASH, StaffRole.ANNOTATOR)


async def test_accounts_are_listed_by_name(store: Store) -> None:
    second = await store.staff.create("b", HASH, StaffRole.ANNOTATOR)
    first = await store.staff.create("a", HASH, StaffRole.ANNOTATOR)
    assert await store.staff.list_all() == [first, second]


async def test_failures_up_to_the_limit_lock_the_account(store: Store, clock: FakeClock) -> None:
    staff = await ada(store)
    states = [
        await store.staff.login_failed(staff.id, limit=3, lock_for=timedelta(minutes=15)) for _ in range(3)
    ]
    assert [state and state.failed_logins for state in states] == [1, 2, 0]
    assert [state and state.locked_until for state in states] == [
        None,
        None,
        clock.time + timedelta(minutes=15),
    ]


async def test_a_success_forgets_earlier_failures(store: Store) -> None:
    staff = await ada(store)
    await store.staff.login_failed(staff.id, limit=3, lock_for=timedelta(minutes=15))
    assert await store.staff.login_succeeded(staff.id) == staff


@pytest.mark.parametrize("change", ["set_password", "set_role", "disable", "end_sessions"])
async def test_signed_in_browsers_are_signed_out_by(store: Store, clock: FakeClock, change: str) -> None:
    await store.staff.create("another admin", HASH, StaffRole.ADMIN)
    staff = await ada(store)
    await store.staff_sessions.open(staff, TOKEN, clock.time + timedelta(hours=8))
    arguments = {"set_password": ("new hash",), "set_role": (StaffRole.ANNOTATOR,)}.get(change, ())
    await getattr(store.staff, change)(staff.id, *arguments)
    assert await store.staff_sessions.find(TOKEN) is None


async def test_a_disabled_account_can_be_enabled_again(store: Store) -> None:
    await store.staff.create("another admin", HASH, StaffRole.ADMIN)
    staff = await ada(store)
    disabled = await store.staff.disable(staff.id)
    enabled = await store.staff.enable(staff.id)
    assert disabled is not None
    assert enabled is not None
    assert (disabled.disabled_at is None, enabled.disabled_at is None) == (False, True)


async def test_a_change_of_nobody_says_so(store: Store) -> None:
    assert await store.staff.set_role(NOBODY, StaffRole.ADMIN) is None


async def test_a_signed_in_browser_is_found_with_its_account(store: Store, clock: FakeClock) -> None:
    staff = await ada(store)
    session = await store.staff_sessions.open(staff, TOKEN, clock.time + timedelta(hours=8))
    assert await store.staff_sessions.find(TOKEN) == (staff, session)


async def test_a_session_ends_at_its_time(store: Store, clock: FakeClock) -> None:
    staff = await ada(store)
    await store.staff_sessions.open(staff, TOKEN, clock.time + timedelta(hours=8))
    clock.advance(hours=8)
    assert await store.staff_sessions.find(TOKEN) is None


async def test_a_session_that_is_used_lives_on(store: Store, clock: FakeClock) -> None:
    staff = await ada(store)
    session = await store.staff_sessions.open(staff, TOKEN, clock.time + timedelta(hours=8))
    await store.staff_sessions.extend(session.id, clock.time + timedelta(hours=16))
    clock.advance(hours=8)
    assert await store.staff_sessions.find(TOKEN) is not None


async def test_signing_out_ends_the_session(store: Store, clock: FakeClock) -> None:
    staff = await ada(store)
    await store.staff_sessions.open(staff, TOKEN, clock.time + timedelta(hours=8))
    await store.staff_sessions.close(TOKEN)
    assert await store.staff_sessions.find(TOKEN) is None


async def test_only_ended_sessions_are_deleted(store: Store, clock: FakeClock) -> None:
    staff = await ada(store)
    await store.staff_sessions.open(staff, "old epoch", clock.time + timedelta(hours=8))
    renewed = await store.staff.end_sessions(staff.id)
    assert renewed is not None
    await store.staff_sessions.open(renewed, "expired", clock.time + timedelta(hours=1))
    await store.staff_sessions.open(renewed, TOKEN, clock.time + timedelta(hours=8))
    clock.advance(hours=1)
    assert await store.staff_sessions.delete_ended() == 2
    assert await store.staff_sessions.find(TOKEN) is not None


async def test_the_last_admin_can_be_neither_disabled_nor_demoted(store: Store) -> None:
    staff = await ada(store)
    other = await store.staff.create("other", HASH, StaffRole.ADMIN)
    await store.staff.disable(other.id)
    with pytest.raises(LastAdminError):
        await store.staff.disable(staff.id)
    with pytest.raises(LastAdminError):
        await store.staff.set_role(staff.id, StaffRole.ANNOTATOR)
    assert await store.staff.get(staff.id) == staff


async def test_two_admins_who_demote_each_other_at_once_leave_one(store: Store) -> None:
    staff, other = await ada(store), await store.staff.create("other", HASH, StaffRole.ADMIN)
    ends = await asyncio.gather(
        store.staff.set_role(staff.id, StaffRole.ANNOTATOR),
        store.staff.set_role(other.id, StaffRole.ANNOTATOR),
        return_exceptions=True,
    )
    assert sum(isinstance(end, LastAdminError) for end in ends) == 1
    roles = sorted(one.role.value for one in await store.staff.list_all())
    assert roles == ["admin", "annotator"]


async def test_an_account_was_last_seen_when_it_last_did_something_itself(store: Store) -> None:
    staff = await ada(store)
    assert [one.last_seen_at for one in await store.staff.list_seen()] == [None]
    done = await store.audit.record(staff.id, "flag.decided", "flag", "1")
    store.clock.advance(minutes=1)
    await store.audit.record(staff.id, "sign_in.failed", "staff", staff.id)
    assert [one.last_seen_at for one in await store.staff.list_seen()] == [done.at]
