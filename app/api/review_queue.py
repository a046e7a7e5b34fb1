"""The list of flags as an open review page asks for it every few seconds: facts, no text of anybody."""

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response

from app.auth.roles import WatchingAdmin
from app.db.flag_queue import FlagQueueRepository, QueuedFlag, QueuePart
from app.db.records import FlagOutcome, FlagStatus
from safety.levels import RiskLevel

ADDRESS = "/api/staff/flags"
_DELETED = "deleted"
_LONGEST_ID = 36


def review_queue_router(queue: FlagQueueRepository, limits: Mapping[RiskLevel, timedelta]) -> APIRouter:
    """The route; a page that knows the list already gets 304 and draws nothing.

    Args:
        queue: Reads the list.
        limits: Time to answer by level.
    """
    router = APIRouter()

    @router.get(ADDRESS)
    async def flags(  # pyright: ignore[reportUnusedFunction]
        staff: WatchingAdmin,
        part: QueuePart = QueuePart.OPEN,
        shown: Annotated[str | None, Query(max_length=_LONGEST_ID)] = None,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        """Flags of a part of the queue, in the order to show them, and how the flag on the screen is."""
        entries = [_entry(queued, limits) for queued in await queue.list(part)]
        state = None if shown is None else {"id": shown, "state": await queue.status_of(shown) or _DELETED}
        body = json.dumps({"me": staff.username, "flags": entries, "shown": state}).encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": "no-store"}
        if if_none_match == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)

    return router


def _entry(queued: QueuedFlag, limits: Mapping[RiskLevel, timedelta]) -> dict[str, Any]:
    flag = queued.flag
    due = flag.due_at(limits)
    return {
        "id": flag.id,
        "version": flag.version,
        "level": flag.level.label,
        "category": flag.category.value,
        "hits": flag.hits,
        "opened_at": flag.opened_at.isoformat(),
        "due_at": due and due.isoformat(),
        "clock_from": flag.clock_from.isoformat(),
        "closed_at": flag.closed_at and flag.closed_at.isoformat(),
        "assignee": queued.assignee,
        "follow_up": flag.outcome is FlagOutcome.NEEDS_FOLLOW_UP and flag.status is FlagStatus.OPEN,
        "outcome": flag.outcome and flag.outcome.value,
    }
