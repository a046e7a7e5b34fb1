"""Reads what the annotation page's script sends; nothing of it is trusted to have the right shape."""

from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from app.db.measures import MEASURES
from app.ui.annotation_desk import REASONS, Change

MAX_IDS = 500


def message_of(fields: Mapping[str, Any]) -> str | None:
    """The id of the reply that the script names."""
    return id_of(fields.get("message"))


def ids_of(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of ids, the last ``MAX_IDS`` of it."""
    found = fields.get(name)
    if not isinstance(found, list):
        return ()
    known = (id_of(one) for one in cast("list[object]", found)[-MAX_IDS:])
    return tuple(one for one in known if one is not None)


def change_of(fields: Mapping[str, Any]) -> Change:
    """What was changed of the reply.

    Raises:
        ValueError: A field has a value that the page never sends.
    """
    value, reasons, comment = fields.get("value"), fields.get("reasons"), fields.get("comment")
    if value not in (None, 1, -1) or not isinstance(comment, str | None):
        raise ValueError("unknown rating")
    return Change(
        value=None if value is None else int(value),
        reasons=None if reasons is None else _reasons(reasons),
        comment=comment,
        scores=_scores(fields.get("scores")),
        tags_right=fields.get("tags_right") is True,
    )


def id_of(value: object) -> str | None:
    """An id, or ``None`` when it is anything else."""
    try:
        return str(UUID(value)) if isinstance(value, str) else None
    except ValueError:
        return None


def _reasons(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("unknown reasons")
    given = cast("list[object]", value)
    if any(reason not in REASONS for reason in given):
        raise ValueError("unknown reason")
    return tuple(reason for reason in REASONS if reason in given)


def _scores(value: object) -> dict[str, int | None]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError("unknown scores")
    scores = cast("Mapping[object, object]", value)
    if any(key not in MEASURES for key in scores):
        raise ValueError("unknown measure")
    if any(not isinstance(one, int | None) or isinstance(one, bool) for one in scores.values()):
        raise ValueError("unknown value")
    return cast("dict[str, int | None]", dict(scores))
