"""False alarms and misses, to improve rules from: JSONL that ``python -m evals.crisis`` reads, or CSV."""

import csv
import io
import json
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import StreamingResponse

from app.api.export_lines import harmless
from app.api.stated_reason import readable
from app.auth.roles import Admin
from app.db.audit import AuditRepository
from app.db.verdicts import Verdict, VerdictRepository

ADDRESS = "/api/staff/verdicts"
_TYPES = {"jsonl": "application/x-ndjson; charset=utf-8", "csv": "text/csv; charset=utf-8"}
MIN_REASON = 10
"""Readable characters of a reason."""
_COLUMNS = (
    "id",
    "lang",
    "text",
    "label",
    "category",
    "outcome",
    "given",
    "layer",
    "rules",
    "consent",
    "found_at",
)


def verdict_export_router(verdicts: VerdictRepository, audit: AuditRepository) -> APIRouter:
    """The route; each download and its stated reason are in the audit log before the first line is sent."""
    router = APIRouter()

    @router.get(ADDRESS + ".{kind}")
    async def export(  # pyright: ignore[reportUnusedFunction]
        staff: Admin,
        kind: Literal["jsonl", "csv"],
        reason: Annotated[str, Query(max_length=200)],
        unconsented: bool = False,
    ) -> StreamingResponse:
        """What reviewers found wrong; without ``unconsented`` only of persons who agreed to research."""
        if len(readable(reason)) < MIN_REASON:
            raise HTTPException(422, f"State a reason of {MIN_REASON} characters or more.")
        detail = {"kind": kind, "reason": reason, "unconsented": unconsented}
        await audit.record(staff.id, "verdicts.exported", "report", None, detail)
        found = verdicts.all(consented_only=not unconsented)
        return StreamingResponse(
            _jsonl(found) if kind == "jsonl" else _csv(found),
            media_type=_TYPES[kind],
            headers={
                "content-disposition": f'attachment; filename="hearken-verdicts.{kind}"',
                "cache-control": "no-store",
            },
        )

    return router


def _row(verdict: Verdict) -> dict[str, Any]:
    values = (
        verdict.id,
        verdict.lang,
        verdict.text,
        verdict.truth.label,
        verdict.category.value,
        verdict.outcome,
        None if verdict.given is None else verdict.given.label,
        verdict.layer,
        list(verdict.rules),
        verdict.consent,
        verdict.at.isoformat(),
    )
    return dict(zip(_COLUMNS, values, strict=True))


async def _jsonl(found: AsyncGenerator[Verdict]) -> AsyncGenerator[str]:
    async for verdict in found:
        yield json.dumps(_row(verdict), ensure_ascii=False) + "\n"


async def _csv(found: AsyncGenerator[Verdict]) -> AsyncGenerator[str]:
    yield _line(_COLUMNS)
    async for verdict in found:
        row = _row(verdict) | {"rules": " ".join(verdict.rules)}
        yield _line([harmless(value) if isinstance(value, str) else value for value in row.values()])


def _line(values: Any) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(values)
    return out.getvalue()
