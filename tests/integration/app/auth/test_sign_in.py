"""Signing in, lock-out, expiry and signing out, on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from app.auth.sign_in import SignInError, StaffAuth
from tests.integration.app.auth.conftest import PASSWORD, RULES, Desk


async def fail(desk: Desk, times: int, name: str = "anna") -> None:
    for _ in range(times):
        with pytest.raises(SignInError):
            await desk.auth.sign_in(name, "a wrong password")


async def test_the_right_password_signs_in(desk: Desk) -> None:
    anna = await desk.account()
    signed_in = await desk.auth.sign_in("Anna ", PASSWORD)
    who = await desk.auth.who(signed_in.token)
    assert who is not None
    assert who.id == anna.id


async def test_a_wrong_password_does_not(desk: Desk) -> None:
    await desk.account()
    await fail(desk, 1)


async def test_an_unknown_name_fails_in_the_same_way_and_is_not_logged(desk: Desk) -> None:
    await fail(desk, 1, name="my secret typed into the wrong field")
    (entry,) = await desk.store.audit.recent()
    assert (entry.actor, entry.action, entry.object_id, entry.detail) == (
        "anonymous",
        "sign_in.failed",
        None,
        {},
    )


async def test_after_too_many_failures_even_the_right_password_fails(desk: Desk) -> None:
    await desk.account()
    await fail(desk, 3)
    with pytest.raises(SignInError):
        await desk.auth.sign_in("anna", PASSWORD)


async def test_a_locked_account_opens_again_after_the_time_is_over(desk: Desk) -> None:
    await desk.account()
    await fail(desk, 3)
    desk.clock.advance(minutes=15, seconds=1)
    assert (await desk.auth.sign_in("anna", PASSWORD)).token


async def test_parallel_guesses_are_counted_before_the_next_is_tried(desk: Desk) -> None:
    await desk.account()
    guesses = [desk.auth.sign_in("anna", f"a wrong password {number}") for number in range(6)]
    await asyncio.gather(*guesses, return_exceptions=True)
    assert sorted(await desk.actions()) == ["sign_in.failed"] * 3 + ["sign_in.refused"] * 3


async def test_a_success_forgets_earlier_failures(desk: Desk) -> None:
    await desk.account()
    await fail(desk, 2)
    await desk.auth.sign_in("anna", PASSWORD)
    await fail(desk, 2)
    assert (await desk.auth.sign_in("anna", PASSWORD)).token


async def test_a_disabled_account_cannot_sign_in_and_loses_its_login(desk: Desk) -> None:
    await desk.account("zoe")
    anna = await desk.account()
    signed_in = await desk.auth.sign_in("anna", PASSWORD)
    await desk.store.staff.disable(anna.id)
    assert await desk.auth.who(signed_in.token) is None
    with pytest.raises(SignInError):
        await desk.auth.sign_in("anna", PASSWORD)


async def test_a_login_ends_by_itself(desk: Desk) -> None:
    await desk.account()
    signed_in = await desk.auth.sign_in("anna", PASSWORD)
    desk.clock.advance(hours=12, seconds=1)
    assert await desk.auth.who(signed_in.token) is None


@pytest.fixture
def careful(desk: Desk) -> StaffAuth:
    """Sign-in with an idle time-out of half an hour."""
    rules = replace(RULES, idle=timedelta(minutes=30))
    return StaffAuth(desk.store.staff, desk.store.staff_sessions, desk.store.audit, rules, desk.clock)


async def test_a_login_ends_when_nothing_is_done(desk: Desk, careful: StaffAuth) -> None:
    await desk.account()
    token = (await careful.sign_in("anna", PASSWORD)).token
    desk.clock.advance(minutes=29)
    assert await careful.who(token) is not None
    desk.clock.advance(minutes=29)
    assert await careful.who(token) is not None
    desk.clock.advance(minutes=31)
    assert await careful.who(token) is None


async def test_what_an_open_page_asks_by_itself_keeps_no_login_alive(desk: Desk, careful: StaffAuth) -> None:
    await desk.account()
    token = (await careful.sign_in("anna", PASSWORD)).token
    for _ in range(3):
        desk.clock.advance(minutes=9)
        assert await careful.who(token, active=False) is not None
    desk.clock.advance(minutes=9)
    assert await careful.who(token, active=False) is None


async def test_what_is_done_does_not_make_a_login_last_longer_than_it_may(
    desk: Desk, careful: StaffAuth
) -> None:
    await desk.account()
    token = (await careful.sign_in("anna", PASSWORD)).token
    for _ in range(36):
        desk.clock.advance(minutes=20)
        last = await careful.who(token)
    assert last is None


async def test_signing_out_ends_this_login_only(desk: Desk) -> None:
    await desk.account()
    first, second = [await desk.auth.sign_in("anna", PASSWORD) for _ in range(2)]
    await desk.auth.sign_out(first.token)
    assert await desk.auth.who(first.token) is None
    assert await desk.auth.who(second.token) is not None


async def test_signing_out_everywhere_ends_every_login(desk: Desk) -> None:
    anna = await desk.account()
    first, second = [await desk.auth.sign_in("anna", PASSWORD) for _ in range(2)]
    await desk.auth.sign_out_everywhere(anna)
    assert await desk.auth.who(first.token) is None
    assert await desk.auth.who(second.token) is None


async def test_no_token_and_a_made_up_token_are_nobody(desk: Desk) -> None:
    assert await desk.auth.who(None) is None
    assert await desk.auth.who("made up") is None


async def test_the_audit_log_tells_each_step_without_a_password(desk: Desk) -> None:
    await desk.account()
    await fail(desk, 1)
    desk.clock.advance(seconds=1)
    signed_in = await desk.auth.sign_in("anna", PASSWORD)
    desk.clock.advance(seconds=1)
    await desk.auth.sign_out(signed_in.token)
    assert await desk.actions() == ["sign_in.failed", "signed_in", "signed_out"]
    assert PASSWORD not in repr(await desk.store.audit.recent())
