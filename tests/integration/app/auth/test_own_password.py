"""Staff change their own password."""

import pytest

from app.auth.passwords import WeakPasswordError
from app.auth.sign_in import SignInError
from tests.integration.app.auth.conftest import PASSWORD, Desk

NEW = "seven calm boats at noon"


async def test_the_new_password_signs_in_and_the_old_one_does_not(desk: Desk) -> None:
    anna = await desk.account()
    await desk.auth.change_password(anna, PASSWORD, NEW)
    assert (await desk.auth.sign_in("anna", NEW)).token
    with pytest.raises(SignInError):
        await desk.auth.sign_in("anna", PASSWORD)


async def test_other_logins_end_and_a_fresh_one_goes_on(desk: Desk) -> None:
    anna = await desk.account()
    before = await desk.auth.sign_in("anna", PASSWORD)
    after = await desk.auth.change_password(anna, PASSWORD, NEW)
    assert await desk.auth.who(before.token) is None
    assert await desk.auth.who(after.token) is not None


async def test_a_wrong_present_password_changes_nothing_and_counts_as_an_attempt(desk: Desk) -> None:
    anna = await desk.account()
    for _ in range(3):
        with pytest.raises(SignInError):
            await desk.auth.change_password(anna, "a wrong password", NEW)
    with pytest.raises(SignInError):
        await desk.auth.change_password(anna, PASSWORD, NEW)
    desk.clock.advance(minutes=15, seconds=1)
    assert (await desk.auth.sign_in("anna", PASSWORD)).token


async def test_a_weak_new_password_changes_nothing(desk: Desk) -> None:
    anna = await desk.account()
    with pytest.raises(WeakPasswordError):
        await desk.auth.change_password(anna, PASSWORD, "short")
    assert (await desk.auth.sign_in("anna", PASSWORD)).token


async def test_the_present_password_is_no_new_one(desk: Desk) -> None:
    anna = await desk.account()
    with pytest.raises(WeakPasswordError) as refused:
        await desk.auth.change_password(anna, PASSWORD, PASSWORD)
    assert refused.value.code == "same"
    assert await desk.actions() == []


async def test_it_is_a_line_of_the_audit_log_without_either(desk: Desk) -> None:
    anna = await desk.account()
    await desk.auth.change_password(anna, PASSWORD, NEW)
    entries = await desk.store.audit.recent()
    assert "staff.credentials_changed" in {entry.action for entry in entries}
    assert NEW not in repr(entries)
    assert PASSWORD not in repr(entries)
