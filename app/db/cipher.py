"""Encrypts text on its way into the database and decrypts it on the way out.

A stored text is either plain or ``mark + key id + ":" + Fernet token``. The mark is a code point that
Unicode never assigns and that :func:`app.db.types.storable_text` takes out of everything written, so no
plain text can look encrypted. The key id is a digest of the key: it says which key a text needs without
trying them all, and tells nothing about the key.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

SETTING = "HEARKEN_STORAGE__ENCRYPTION_KEYS"
MARK = "\ufdd0"
PLAIN = "plain"
"""In the place of the first key: new text is stored plain, the other keys still decrypt."""

_ID_LENGTH = 8
FORM_LENGTH = len(MARK) + _ID_LENGTH + 1
"""Characters at the start of a stored text that tell its form."""

_ATTRIBUTE = "hearken_cipher"


class EncryptionError(Exception):
    """A stored text can't be decrypted; names the setting and the key's id, never key or text."""


def new_key() -> str:
    """A fresh random key, as the setting takes it."""
    return Fernet.generate_key().decode("ascii")


def form_of(start: str) -> str | None:
    """The id of the key that a stored text needs, ``None`` if plain; its first characters are enough."""
    return start[1 : _ID_LENGTH + 1] if start.startswith(MARK) else None


class TextCipher:
    """Encrypts with one key and decrypts with any of several.

    Args:
        keys: Keys as :func:`new_key` makes them; the first one encrypts, or the word ``plain`` in its
            place leaves new text as it is. Without keys all text is plain.

    Raises:
        ValueError: One of them is no key; the message does not repeat it.
    """

    def __init__(self, keys: Sequence[str] = ()) -> None:
        plain = not keys or keys[0] == PLAIN
        self._keys = dict(map(_load, keys[1:] if plain else keys))
        self.writes: str | None = None if plain else next(iter(self._keys))
        """Id of the key that new text is encrypted with; ``None`` if it is stored plain."""

    @classmethod
    def from_setting(cls, value: str | None) -> "TextCipher":
        """From keys separated by commas.

        Raises:
            ValueError: One of them is no key.
        """
        return cls([key.strip() for key in (value or "").split(",") if key.strip()])

    @property
    def key_ids(self) -> frozenset[str]:
        """Ids of all keys that can decrypt."""
        return frozenset(self._keys)

    def encrypt(self, text: str) -> str:
        """The text as it is stored."""
        if self.writes is None:
            return text
        token = self._keys[self.writes].encrypt(text.encode("utf-8"))
        return f"{MARK}{self.writes}:{token.decode('ascii')}"

    def decrypt(self, stored: str) -> str:
        """The text that was written.

        Raises:
            EncryptionError: Its key is not among the keys, or the stored text was damaged.
        """
        form = form_of(stored)
        if form is None:
            return stored
        key = self._keys.get(form)
        if key is None:
            raise EncryptionError(f"{SETTING}: a stored text needs key {form}, which is not among the keys")
        try:
            return key.decrypt(stored[FORM_LENGTH:].encode("ascii")).decode("utf-8")
        except (InvalidToken, UnicodeError):
            raise EncryptionError(f"a stored text was changed since key {form} encrypted it") from None


def attach(dialect: Any, cipher: TextCipher) -> None:
    """Make the column types use this cipher on the engine that owns the dialect.

    Each engine has a dialect of its own and SQLAlchemy keeps what it prepares for types and statements by
    dialect, so two engines of one process can use different keys.
    """
    setattr(dialect, _ATTRIBUTE, cipher)


def cipher_of(dialect: Any) -> TextCipher:
    """The cipher of an engine's dialect; one without keys where none was attached."""
    found: TextCipher | None = getattr(dialect, _ATTRIBUTE, None)
    return TextCipher() if found is None else found


def _load(key: str) -> tuple[str, Fernet]:
    try:
        fernet = Fernet(key)
    except ValueError:
        raise ValueError("holds what is no key; make one with: python -m app.encryption new-key") from None
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:_ID_LENGTH], fernet
