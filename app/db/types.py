"""Column types that behave the same on SQLite and on PostgreSQL."""

import json
import math
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import JSON, DateTime, Dialect, Enum, SmallInteger, String, Text, TypeDecorator, Uuid
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeEngine

from app.db.cipher import MARK, cipher_of
from safety.levels import RiskLevel

Clock = Callable[[], datetime]
"""Tells the time, timezone-aware; handed to repositories so that tests can set it."""

_UNSTORABLE = re.compile(f"[\x00\ud800-\udfff{MARK}]")
_REPLACEMENT = "\ufffd"
_SHORT = 20


def utc_now() -> datetime:
    """The present moment, timezone-aware."""
    return datetime.now(UTC)


def new_id() -> str:
    """A fresh identifier; the server makes all of them."""
    return str(uuid.uuid4())


def storable_text(text: str) -> str:
    """Replace what can't be stored: NUL, lone surrogates, and the mark of encrypted text.

    PostgreSQL refuses NUL bytes, and neither driver can encode half a surrogate pair. Each such
    character becomes U+FFFD, so the length and all offsets into the text stay as they were.
    """
    return _UNSTORABLE.sub(_REPLACEMENT, text)


def storable_json(value: object) -> Any:
    """Copy a JSON-like value with all of its text storable and ``null`` for NaN and infinity."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {storable_text(str(key)): storable_json(item) for key, item in items}
    if isinstance(value, Sequence | set | frozenset):
        return [storable_json(item) for item in cast("Sequence[object]", value)]
    return value


def dump_json(value: object) -> str:
    """Serialise as the JSON columns do: readable Unicode, no NaN."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC; SQLite, which knows no time zones, gets one attached when read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; a naive value is a programming error."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Attach UTC where the driver returned a naive value."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Identifier(TypeDecorator[str]):
    """A UUID as text; anything that is no UUID matches no row instead of raising.

    Identifiers come back from browsers, so a forged one (a path, a NUL byte, SQL) has to be an
    ordinary miss on every database.
    """

    impl = Uuid(as_uuid=False)
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Canonical form, or NULL for what is no UUID."""
        if value is None:
            return None
        try:
            return str(uuid.UUID(value))
        except (ValueError, AttributeError, TypeError):
            return None


class StorableText(TypeDecorator[str]):
    """Text of any length; see :func:`storable_text`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Make the text storable."""
        return None if value is None else storable_text(value)


class PrivateText(TypeDecorator[str]):
    """What a person, the model for a person, or a reviewer wrote: encrypted where the operator set keys.

    The cipher comes with the engine (see :func:`app.db.cipher.attach`). SQL can't compare or search such a
    column, so nothing may index it.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Make the text storable, then encrypt it."""
        return None if value is None else cipher_of(dialect).encrypt(storable_text(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Decrypt it.

        Raises:
            EncryptionError: The key is missing.
        """
        return None if value is None else cipher_of(dialect).decrypt(value)


class StorableString(TypeDecorator[str]):
    """Short text; what a browser sends too long is cut to the column instead of raising."""

    impl = String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self._length = length

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Make the text storable and cut it."""
        return None if value is None else storable_text(value)[: self._length]


class StorableJson(TypeDecorator[Any]):
    """JSON (JSONB on PostgreSQL); see :func:`storable_json`."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """JSONB where it exists."""
        native: TypeEngine[Any] = JSONB() if dialect.name == "postgresql" else JSON()
        return dialect.type_descriptor(native)

    def process_bind_param(self, value: object, dialect: Dialect) -> Any:  # noqa: ARG002
        """Make all text in the value storable."""
        return storable_json(value)


class Level(TypeDecorator[RiskLevel]):
    """A risk level as its number, so that SQL can compare, raise and sort it."""

    impl = SmallInteger
    cache_ok = True

    def process_bind_param(self, value: RiskLevel | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """The level's number."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> RiskLevel | None:  # noqa: ARG002
        """The level of a number."""
        return None if value is None else RiskLevel(value)


def _values(kind: type[StrEnum]) -> list[str]:
    return [member.value for member in kind]


def short_enum(kind: type[StrEnum]) -> Enum:
    """A string enumeration as short text; the table adds the CHECK (see ``one_of``)."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=False,
        length=_SHORT,
        values_callable=_values,
    )
