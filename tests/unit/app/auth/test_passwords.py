"""Passwords are hashed with argon2id, and weak ones are refused with a reason."""

import pytest

from app.auth.passwords import MAX_LENGTH, WeakPasswordError, hash_password, verify_password

GOOD = "quiet river at dawn"


def test_the_right_password_fits_its_hash() -> None:
    assert verify_password(GOOD, hash_password(GOOD))


def test_another_password_does_not_fit() -> None:
    assert not verify_password(GOOD + "!", hash_password(GOOD))


def test_the_hash_is_argon2id_and_does_not_hold_the_password() -> None:
    hashed = hash_password(GOOD)
    assert hashed.startswith("$argon2id$")
    assert GOOD not in hashed


def test_one_password_gives_two_different_hashes() -> None:
    assert hash_password(GOOD) != hash_password(GOOD)


def test_nothing_fits_an_account_without_a_password() -> None:
    assert not verify_password("no account has this password", None)


def test_a_damaged_hash_fits_nothing() -> None:
    assert not verify_password(GOOD, "$argon2id$broken")


def test_an_endless_password_is_refused_without_hashing_it() -> None:
    assert not verify_password("x" * (MAX_LENGTH + 1), "$argon2id$broken")


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("short", "at least 12"),
        ("x1y" * 100, "at most 256"),
        ("aaaaaaaaaaaab", "too few characters"),
        ("my name is anna!", "user name"),
        ("passwordpassword", "common"),
        ("drowssapdrowssap", "common"),
        ("P@ssw0rd1234!", "common"),
        ("1234567890123", "common"),
        ("qwertyuiopas", "common"),
        ("iloveyouforever", "common"),
        ("HearkenHearken1", "common"),
        ("password" * 20, "common"),
    ],
)
def test_a_weak_password_is_refused_with_a_reason(password: str, reason: str) -> None:
    with pytest.raises(WeakPasswordError, match=reason):
        hash_password(password, "Anna")


@pytest.mark.parametrize(
    "password",
    [GOOD, "another river at dawn", "x9Kq-vR2-mTz8", "窗外的雨下了一整夜都没有停", "several words " * 18],
)
def test_words_that_have_nothing_to_do_with_each_other_are_taken(password: str) -> None:
    assert verify_password(password, hash_password(password, "anna"))
