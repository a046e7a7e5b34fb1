"""Says in plain words why the value of a setting was refused, whatever kind of value it is."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

_Limits = Mapping[str, Any]

_WORDS: dict[str, Callable[[_Limits], str]] = {
    "too_short": lambda limit: f"is too short, it needs at least {limit['min_length']} characters",
    "string_too_short": lambda limit: f"is too short, it needs at least {limit['min_length']} characters",
    "too_long": lambda limit: f"is too long, it may have at most {limit['max_length']} characters",
    "string_too_long": lambda limit: f"is too long, it may have at most {limit['max_length']} characters",
    "literal_error": lambda limit: f"must be one of {limit['expected']}",
    "url_scheme": lambda limit: f"must be an address that begins with {limit['expected_schemes']}",
    "value_error": lambda limit: str(limit["error"]),
}
_NUMBERS = frozenset({"int", "float", "finite", "greater", "less"})
_BY_KIND = {
    "bool": "must be true or false",
    "path": "must be the path of a file or folder",
}
_MODEL_SERVERS = frozenset({"url", "judge_url"})
"""Settings by their last name whose address is that of a model server."""


def reason(error: ErrorDetails, field: FieldInfo | None) -> str:
    """What is wrong with a value, without the value itself: it may be a secret.

    Args:
        error: One entry of pydantic's ``ValidationError.errors()``.
        field: The setting that it is about, whose limits are told.
    """
    kind = error["type"]
    if kind.partition("_")[0] in _NUMBERS:
        return f"must be {_number(field)}"
    words = _WORDS.get(kind)
    if words is not None:
        return words(error.get("ctx", {}))
    if kind.startswith("url_"):
        example = "http://host:8000/v1" if error["loc"][-1] in _MODEL_SERVERS else "https://talk.example.org"
        return f"must be a whole web address such as {example}"
    return _BY_KIND.get(kind.partition("_")[0], error["msg"])


def _number(field: FieldInfo | None) -> str:
    """The numbers that a setting takes, as ``a whole number from 1 to 65535``."""
    kind = None if field is None else field.annotation
    words = "a whole number" if int in (kind, *get_args(kind)) else "a number"
    for rule in field.metadata if field else []:
        for name, before in (("gt", "more than"), ("ge", "from"), ("le", "to")):
            limit = getattr(rule, name, None)
            words += "" if limit is None else f" {before} {limit}"
    return words.replace(" to ", " and at most ") if "more than" in words else words
