import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.db.cipher import FORM_LENGTH, MARK, EncryptionError, TextCipher, form_of, new_key
from app.db.types import storable_text

OLD, NEW = new_key(), new_key()


@given(st.text(st.characters()))
def test_whatever_can_be_stored_comes_back(text: str) -> None:
    cipher = TextCipher([NEW])
    assert cipher.decrypt(cipher.encrypt(storable_text(text))) == storable_text(text)


@given(st.text(st.characters()))
def test_nothing_that_a_person_writes_looks_encrypted(text: str) -> None:
    assert form_of(storable_text(MARK + text)) is None


def test_without_keys_text_is_stored_as_it_is() -> None:
    assert TextCipher().encrypt("hello") == "hello"


def test_the_first_key_encrypts_and_all_decrypt() -> None:
    both = TextCipher([NEW, OLD])
    assert both.decrypt(TextCipher([OLD]).encrypt("hello")) == "hello"
    assert form_of(both.encrypt("hello")) == TextCipher([NEW]).writes


def test_plain_in_first_place_writes_plain_and_still_decrypts() -> None:
    cipher = TextCipher(["plain", OLD])
    assert cipher.encrypt("hello") == "hello"
    assert cipher.decrypt(TextCipher([OLD]).encrypt("hello")) == "hello"


def test_the_first_characters_tell_the_key() -> None:
    stored = TextCipher([NEW]).encrypt("hello")
    assert form_of(stored[:FORM_LENGTH]) == TextCipher([NEW]).writes
    assert stored[FORM_LENGTH - 1] == ":"


def test_the_same_text_is_never_stored_alike() -> None:
    cipher = TextCipher([NEW])
    assert cipher.encrypt("hello") != cipher.encrypt("hello")


def test_without_its_key_a_text_is_an_error_that_names_the_setting_and_no_text() -> None:
    stored = TextCipher([OLD]).encrypt("hello")
    with pytest.raises(EncryptionError, match="HEARKEN_STORAGE__ENCRYPTION_KEYS") as caught:
        TextCipher([NEW]).decrypt(stored)
    assert NEW not in str(caught.value)
    assert stored not in str(caught.value)


def test_a_changed_text_is_an_error() -> None:
    stored = TextCipher([OLD]).encrypt("hello")
    with pytest.raises(EncryptionError, match="was changed"):
        TextCipher([OLD]).decrypt(stored[:-4] + "AAAA")


@pytest.mark.parametrize(
    "wrong",
    ["secret words", "c2hvcnQ=", f"{NEW},{OLD[:-2]}", f"{NEW},plain"],
    ids=["words", "short", "cut_off", "plain_last"],
)
def test_what_is_no_key_is_refused_without_repeating_it(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no key") as caught:
        TextCipher.from_setting(wrong)
    assert wrong not in str(caught.value)


def test_spaces_and_empty_places_in_the_setting_do_not_matter() -> None:
    assert TextCipher.from_setting(f" {NEW} , ,{OLD}").key_ids == TextCipher([NEW, OLD]).key_ids
