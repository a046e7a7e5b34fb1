"""Values a browser sent, taken for what they are: claims of a stranger, of any type and size."""

from collections.abc import Mapping
from typing import Any

from app.ui.texts import DEFAULT_LOCALE, LOCALES
from models.styles import Style

_MAX_ID = 64
_MAX_COMMENT = 2000
_MAX_REASONS = 20
_MAX_TIMEZONE = 64


def fields_of(data: object) -> Mapping[str, Any]:
    """``data`` as named fields; anything that is no object has none."""
    return data if isinstance(data, Mapping) else {}  # pyright: ignore[reportUnknownVariableType]


def short(data: Mapping[str, Any], name: str, limit: int = _MAX_ID) -> str | None:
    """A non-empty string of at most ``limit`` characters, or ``None``."""
    value = data.get(name)
    return value if isinstance(value, str) and 0 < len(value) <= limit else None


def message_text(data: Mapping[str, Any]) -> str:
    """The text of a message, of whatever length: its limit is checked where crisis is looked for."""
    value = data.get("text")
    return value if isinstance(value, str) else ""


def locale_of(data: Mapping[str, Any]) -> str:
    """A language that is spoken here."""
    value = data.get("locale")
    return value if value in LOCALES else DEFAULT_LOCALE


def timezone_of(data: Mapping[str, Any]) -> str | None:
    """Name of a time zone as the browser tells it."""
    return short(data, "timezone", _MAX_TIMEZONE)


def style_of(data: Mapping[str, Any]) -> Style | None:
    """A style that the page offers."""
    value = data.get("style")
    return Style(value) if isinstance(value, str) and value in list(Style) else None


def rating_of(data: Mapping[str, Any]) -> "tuple[int | None, tuple[str, ...], str | None]":
    """Value (1, -1 or ``None``), reasons and comment of a rating."""
    value = data.get("value")
    given: object = data.get("reasons")
    reasons: list[str] = []
    if isinstance(given, list):
        many: list[object] = given  # pyright: ignore[reportUnknownVariableType]
        reasons = [reason for reason in many[:_MAX_REASONS] if isinstance(reason, str)]
    comment = data.get("comment")
    kept = comment.strip()[:_MAX_COMMENT] if isinstance(comment, str) else ""
    # ``True`` equals 1, and 1.0 does: neither is a rating.
    rating = value if type(value) is int and value in (1, -1) else None
    return rating, tuple(reasons), kept or None
